"""`kill -9` of the retrieve process in the middle of an ingest over gRPC."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import grpc

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


def documents(count: int) -> list[corpus_pb2.IngestRequest]:
    header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader())
    rest = (
        corpus_pb2.Document(
            document_id=f"d{number}", text=f"moon {number}", whole=True, vector=[1.0] * WIDTH, vector_model="tiny"
        )
        for number in range(count)
    )
    return [header, *(corpus_pb2.IngestRequest(document=document) for document in rest)]


async def ingest_until_killed(data: Path, model: Path, count: int, seconds: float) -> list[str]:
    """The ids acknowledged until the process was killed, `seconds` after the first acknowledgement."""
    acknowledged_ids: list[str] = []
    async with process(data, model) as (child, channel):
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        with suppress(grpc.aio.AioRpcError):
            async for response in stub.Ingest(iter(documents(count)), wait_for_ready=True):
                if not acknowledged_ids:
                    asyncio.get_running_loop().call_later(seconds, child.kill)
                acknowledged_ids.append(response.document_id)
    return acknowledged_ids


async def test_what_a_killed_process_acknowledged_is_in_both_engines(tmp_path: Path) -> None:
    model = tmp_path / "models" / "tiny"
    write_model(model, random_tensors())
    build_graph(model, model / "model.onnx")
    acknowledged_ids = await ingest_until_killed(tmp_path / "data", model, 3000, seconds=0.2)
    assert documents_in_both_engines(tmp_path / "data", "moon") >= set(acknowledged_ids)
