"""The retrieve process is killed during the ingest of a long text."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from bench.suite import free_ports, is_serving
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from services.retrieve.corpus.corpus import Corpus
from tests.system.waiting import wait_for

COUNT = 40_000


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
