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
import pytest

from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from services.retrieve.embedding.onnx_graph import build_graph
from tests.fakes.both_engines import documents_in_both_engines
from tests.fakes.tiny_bert import WIDTH, random_tensors, write_model

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


async def kill_again_and_again(folder: Path, times: int, total: int, longest: float) -> None:
    model = folder / "models" / "tiny"
    write_model(model, random_tensors())
    build_graph(model, model / "model.onnx")
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
