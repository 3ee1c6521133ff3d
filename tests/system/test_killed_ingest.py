"""The retrieve process is killed during an ingest: of 40,000 passages brought with vectors, of a long text."""

import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import numpy as np
import pytest

from bench.passages import unit_vectors
from bench.suite import free_ports, is_serving
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import Engines
from tests.system.waiting import wait_for

COUNT = 40_000
KILLS = 10
MODEL = "all-MiniLM-L6-v2"


@contextmanager
def retrieve_process(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A retrieve process over `data` that is SERVING."""
    command = [sys.executable, "-m", "services.retrieve", "--port", str(port)]
    with (data / "retrieve.log").open("ab") as log:
        environment = {**os.environ, "PARLEY_RETRIEVE_DATA": str(data)}
        child = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        wait_for(lambda: is_serving(f"127.0.0.1:{port}"))
        yield child
    finally:
        if child.poll() is None:
            child.terminate()
        child.wait()


def ingest(port: int, vectors: np.ndarray, waiting: list[int]) -> list[int]:
    """Send what waits; the passages that were acknowledged before the stream ended, however it ended."""

    def requests() -> Iterator[corpus_pb2.IngestRequest]:
        yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection="many"))
        for number in waiting:
            document = corpus_pb2.Document(
                document_id=f"p{number}", text=f"The craft p{number} landed.", whole=True, vector_model=MODEL
            )
            document.vector.extend(vectors[number].astype(np.float32).tolist())
            yield corpus_pb2.IngestRequest(document=document)

    acknowledged_ids = []
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        try:
            for response in corpus_pb2_grpc.CorpusServiceStub(channel).Ingest(requests()):
                assert response.status != corpus_pb2.INGEST_STATUS_FAILED, response.description
                acknowledged_ids.append(int(response.document_id[1:]))
        except grpc.RpcError:
            return acknowledged_ids
    return acknowledged_ids


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_acknowledged_passage_is_lost_and_none_is_in_one_engine_only(tmp_path: Path) -> None:
    chance = random.Random(11)
    vectors = unit_vectors(COUNT)
    port = free_ports(1)
    acknowledged_ids: set[int] = set()
    kills = 0
    while len(acknowledged_ids) < COUNT:
        with retrieve_process(tmp_path, port) as child:
            if kills < KILLS:
                threading.Timer(chance.uniform(0.2, 1.5), child.kill).start()
                kills += 1
            acknowledged_ids |= set(
                ingest(port, vectors, [number for number in range(COUNT) if number not in acknowledged_ids])
            )
    assert kills == KILLS
    by_words, by_vector, passages = everything_in(tmp_path, vectors[0].astype(np.float32))
    assert passages == {f"p{number}" for number in acknowledged_ids}
    assert by_words == by_vector == passages


def long_text(port: int) -> Iterator[corpus_pb2.IngestResponse]:
    """What an ingest of a text of some thousand sentences answers with."""
    text = "\n\n".join(
        f"# Part {number}\n\nThe probe number {number} landed on the moon." for number in range(COUNT // 80)
    )

    def requests() -> Iterator[corpus_pb2.IngestRequest]:
        yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(progress=True))
        yield corpus_pb2.IngestRequest(document=corpus_pb2.Document(document_id="long", text=text))

    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield from corpus_pb2_grpc.CorpusServiceStub(channel).Ingest(requests())


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_long_text_goes_on_where_a_killed_process_was(tmp_path: Path) -> None:
    port = free_ports(1)
    with retrieve_process(tmp_path, port) as child:
        answers = long_text(port)
        passage_counts = [next(answers).passages for _ in range(3)]
        child.kill()
    with Corpus.open(tmp_path) as corpus:
        vector_count = corpus.read(
            lambda connection: connection.execute("SELECT count(*) FROM kept_vectors").fetchone()[0]
        )
    assert passage_counts == sorted(passage_counts)
    assert vector_count >= len(passage_counts)
    with retrieve_process(tmp_path, port):
        *again, end = list(long_text(port))
    assert {answer.status for answer in again} == {corpus_pb2.INGEST_STATUS_UNDER_WAY}
    assert (end.status, end.passages) == (corpus_pb2.INGEST_STATUS_ADDED, COUNT // 80)


def everything_in(data: Path, vector: np.ndarray) -> tuple[set[str], set[str], set[str]]:
    """The passages that the full-text engine, the vector engine and the store hold."""
    with Corpus.open(data) as corpus:
        rows = corpus.read(lambda connection: connection.execute("SELECT id, passage_id FROM passages").fetchall())
        names = dict(rows)
        engines = Engines(corpus, data / "engines")
        collection = engines.of("many")
        collection.catch_up()
        lexical, by_vector = collection.lexical(), collection.vector()
        assert by_vector is not None
        results = (
            lexical.search({"craft": 1.0, "land": 1.0}, COUNT, Access()),
            by_vector.search(vector, COUNT, Access()),
        )
        engines.close()
    words, vectors = ({names[key] for key in hits.keys.tolist()} for hits in results)
    return words, vectors, set(names.values())
