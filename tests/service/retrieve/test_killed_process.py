"""`kill -9` of the retrieve process in the middle of an ingest over gRPC."""

import asyncio
import os
import random
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import grpc
import numpy as np
import pytest

from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Access
from services.retrieve.embedding.onnx_graph import build_graph
from services.retrieve.engines.collection import Engines
from tests.fakes.tiny_bert import WIDTH, random_tensors, write_model

PASSAGES = "SELECT p.id, d.document_id FROM passages p JOIN documents d ON d.id = p.document WHERE d.collection = ?"
ROOT = Path(__file__).resolve().parents[3]


@asynccontextmanager
async def process(data: Path, model: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, grpc.aio.Channel]]:
    """The stage's process, killed at the end at the latest, and a channel to it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"PARLEY_RETRIEVE_DATA": str(data), "PARLEY_RETRIEVE_EMBEDDER": str(model)}
    command = [sys.executable, "-m", "services.retrieve", "--port", str(port)]
    quiet = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env={**os.environ, **settings}, stderr=quiet)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        try:
            yield child, channel
        finally:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()


def documents(first: int, last: int) -> list[corpus_pb2.IngestRequest]:
    header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader())
    rest = (
        corpus_pb2.Document(
            document_id=f"d{number}", text=f"moon {number}", whole=True, vector=[1.0] * WIDTH, vector_model="tiny"
        )
        for number in range(first, last)
    )
    return [header, *(corpus_pb2.IngestRequest(document=document) for document in rest)]


async def ingest_until_killed(data: Path, model: Path, first: int, last: int, seconds: float) -> list[str]:
    """The ids acknowledged until the process was killed, `seconds` after the first acknowledgement."""
    acknowledged_ids: list[str] = []
    async with process(data, model) as (child, channel):
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        with suppress(grpc.aio.AioRpcError):
            async for response in stub.Ingest(iter(documents(first, last)), wait_for_ready=True):
                if not acknowledged_ids:
                    asyncio.get_running_loop().call_later(seconds, child.kill)
                acknowledged_ids.append(response.document_id)
    return acknowledged_ids


def documents_in_both_engines(folder: Path, word: str, collection: str = "default") -> set[str]:
    """The documents whose passages are in both engines; fails when one engine has a passage that the other lacks.

    Args:
        folder: a data directory that no process has open.
        word: occurs in every passage, as a stem.
        collection: which one to look at.
    """
    with Corpus.open(folder) as corpus:
        engines = Engines(corpus, folder / "engines")
        row, stored_collection = corpus.collection(collection)
        collection_engines = engines.of(collection)
        lexical, vector = collection_engines.lexical(), collection_engines.vector()
        assert vector is not None
        rows = corpus.read(lambda c: c.execute(PASSAGES, (row,)).fetchall())
        anything = np.full(stored_collection.vector_width, stored_collection.vector_width**-0.5, np.float32)
        by_words = lexical.search({word: 1.0}, len(rows) + 10, Access()).keys
        by_vector = vector.search(anything, len(rows) + 10, Access()).keys
        engines.close()
    assert sorted(by_words.tolist()) == sorted(by_vector.tolist()) == sorted(key for key, _ in rows)
    return {document for _, document in rows}


def tiny_model(folder: Path) -> Path:
    model = folder / "models" / "tiny"
    write_model(model, random_tensors())
    build_graph(model, model / "model.onnx")
    return model


async def kill_again_and_again(folder: Path, times: int, total: int, longest: float) -> None:
    model = tiny_model(folder)
    chance = random.Random(5)
    acknowledged_ids: set[str] = set()
    for _ in range(times):
        first = len(acknowledged_ids)
        seconds = chance.uniform(0, longest)
        acknowledged_ids.update(await ingest_until_killed(folder / "data", model, first, total, seconds))
        assert documents_in_both_engines(folder / "data", "moon") >= acknowledged_ids


async def test_what_a_killed_process_acknowledged_is_in_both_engines(tmp_path: Path) -> None:
    await kill_again_and_again(tmp_path, times=1, total=3000, longest=0.3)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_ten_kills_at_random_moments_of_forty_thousand_documents_lose_nothing(tmp_path: Path) -> None:
    await kill_again_and_again(tmp_path, times=10, total=40_000, longest=4)


async def ingest_text(data: Path, model: Path, count: int) -> None:
    """Ingest documents without waiting for their vectors, and kill the process as soon as all are acknowledged."""
    header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(vectors_later=True))
    messages = [corpus_pb2.Document(document_id=f"d{number}", text=f"moon {number} " * 8) for number in range(count)]
    requests = [header, *(corpus_pb2.IngestRequest(document=document) for document in messages)]
    async with process(data, model) as (child, channel):
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        responses = [response async for response in stub.Ingest(iter(requests), wait_for_ready=True)]
        child.kill()
    assert {response.status for response in responses} == {corpus_pb2.INGEST_STATUS_ADDED}
    assert len(responses) == count


async def without_vectors(data: Path, model: Path, until: int) -> int:
    """The passages without vectors, once at most `until` are; the process is then killed."""
    async with process(data, model) as (_, channel), asyncio.timeout(60):
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        while True:
            response = await stub.GetCollection(corpus_pb2.GetCollectionRequest(), wait_for_ready=True)
            if response.collection.passages_without_vectors <= until:
                return response.collection.passages_without_vectors
            await asyncio.sleep(0.05)


async def test_vectors_that_a_killed_process_did_not_make_are_made_by_the_next(tmp_path: Path) -> None:
    data, model, count = tmp_path / "data", tiny_model(tmp_path), 3000
    await ingest_text(data, model, count)
    with Corpus.open(data) as corpus:
        assert corpus.collection("default")[1].passages_without_vectors > 0
    assert await without_vectors(data, model, until=count // 2) <= count // 2  # killed once more
    assert await without_vectors(data, model, until=0) == 0
    assert documents_in_both_engines(data, "moon") == {f"d{number}" for number in range(count)}
