"""Readers of an upload's events that are slow, or do not read at all: the ingest waits, and nothing grows."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from doors.upload_ingest import STALLED, ingest
from doors.upload_reading import Upload, UploadReader
from libs.runtime.calling.channel import open_channel
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes.running_server import running
from tests.unit.doors.conftest import serving

ANSWERS = 3000
ID = "i" * 10_000
"""Of the document: answers that nobody reads fill the buffers of gRPC and TCP, some megabytes, with some hundreds."""
STEADY_SECONDS = 1.0
HEAD = (
    b"POST /upload?name=a.md HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    b"content-type: application/octet-stream\r\ncontent-length: 3\r\n\r\n# A"
)


class TalkativeCorpus(corpus_pb2_grpc.CorpusServiceServicer):
    """Tells of a document's progress again and again."""

    def __init__(self) -> None:
        self.answers = 0

    async def Ingest(self, requests: Any, context: Any) -> AsyncIterator[corpus_pb2.IngestResponse]:
        async for request in requests:
            for _ in range(ANSWERS if request.HasField("document") else 0):
                self.answers += 1
                yield corpus_pb2.IngestResponse(document_id=ID, status=corpus_pb2.INGEST_STATUS_UNDER_WAY)

    async def until_steady(self) -> int:
        """The number of answers once it grows no more."""
        before = -1
        while before != self.answers or not before:
            before = self.answers
            await asyncio.sleep(STEADY_SECONDS)
        return before


def talkative() -> TalkativeCorpus:
    return TalkativeCorpus()  # type: ignore[abstract]


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection with a small buffer, of which nothing is read before it is asked for."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    client.setblocking(False)
    await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=client)
    try:
        yield reader, writer
    finally:
        writer.close()


async def test_a_reader_that_waits_slows_the_ingest_down_and_misses_nothing() -> None:
    corpus = talkative()
    async with (
        running(corpus) as server,
        open_channel(server.target) as channel,
        serving(channel) as port,
        connected(port) as (reader, writer),
    ):
        writer.write(HEAD)
        sent = await corpus.until_steady()
        assert 0 < sent < ANSWERS, "all answers were taken, though nobody reads them"
        text = (await reader.read()).decode()
    events = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert [event["event"] for event in events] == ["reading", *["progress"] * ANSWERS, "done"]


async def test_an_ingest_whose_events_nobody_takes_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doors.upload_ingest.STALL_SECONDS", 0.2)
    corpus = talkative()
    file = tmp_path / "a.md"
    file.write_text("# A")
    reader = UploadReader(1)
    async with running(corpus) as server, open_channel(server.target) as channel:
        events = ingest(channel, reader, Upload(file.name, file), ())
        assert await anext(events) == {"event": "reading", "name": "a.md"}
        assert (await anext(events))["event"] == "progress"
        await corpus.until_steady()
        assert await is_free(reader, Upload(file.name, file)), "who reads nothing keeps no reader from others"
        *_, failed, done = [event async for event in events]
    assert failed == {"event": "failed", "name": "a.md", "reason": STALLED}
    assert (done["event"], done["failed"]) == ("done", 1)


async def is_free(reader: UploadReader, upload: Upload) -> bool:
    """Whether a further upload is read."""
    async with asyncio.timeout(30):
        return bool([result async for result in reader.read(upload)])


async def test_a_client_that_leaves_ends_an_ingest_that_waits_for_it(tmp_path: Path) -> None:
    corpus = talkative()
    file = tmp_path / "a.md"
    file.write_text("# A")
    async with running(corpus) as server, open_channel(server.target) as channel:
        events = ingest(channel, UploadReader(1), Upload(file.name, file), ())
        assert [(await anext(events))["event"] for _ in range(2)] == ["reading", "progress"]
        await corpus.until_steady()
        async with asyncio.timeout(10):
            await events.aclose()
    assert corpus.answers < ANSWERS
