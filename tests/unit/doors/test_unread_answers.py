"""Answers over HTTP that nobody reads: one caller leaves room for those of others, and its connections end."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from doors.grpc_web import DATA, frame
from libs.runtime.calling.channel import open_channel
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes.running_server import running
from tests.unit.doors.conftest import Doors, serving

GET_DOCUMENT = "/parley.retrieve.v1.CorpusService/GetDocument"
REQUEST = corpus_pb2.GetDocumentRequest(document_id="a")
BODY = frame(DATA, REQUEST.SerializeToString())
HEAD = (
    f"POST {GET_DOCUMENT} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    f"content-type: application/grpc-web+proto\r\ncontent-length: {len(BODY)}\r\n\r\n"
)
UNREAD = 40


class LargeCorpus(corpus_pb2_grpc.CorpusServiceServicer):
    """Has a document of 4 MB; counts how often it was returned."""

    returned = 0

    async def GetDocument(self, request: Any, context: Any) -> corpus_pb2.GetDocumentResponse:
        self.returned += 1
        return corpus_pb2.GetDocumentResponse(document=corpus_pb2.Document(text="x" * 4_000_000))


@asynccontextmanager
async def asked(port: int, host: str) -> AsyncIterator[asyncio.StreamReader]:
    """The connection of a client that has asked for the document, and reads nothing before it is told to."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    client.bind((host, 0))
    client.setblocking(False)
    await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=client)
    writer.write(HEAD.encode() + BODY)
    try:
        yield reader
    finally:
        writer.transport.abort()


@pytest.fixture
def corpus() -> LargeCorpus:
    return LargeCorpus()  # type: ignore[abstract]


async def test_answers_that_nobody_reads_leave_room_for_those_of_others(corpus: LargeCorpus) -> None:
    async with (
        running(corpus) as server,
        open_channel(server.target) as channel,
        serving(channel) as port,
        AsyncExitStack() as stack,
        Doors.client(port) as http,
    ):
        readers = [await stack.enter_async_context(asked(port, "127.0.0.9")) for _ in range(UNREAD)]
        while corpus.returned < UNREAD:  # noqa: ASYNC110 - a servicer that counts is simpler than one that tells
            await asyncio.sleep(0.01)
        honest = await http.post(GET_DOCUMENT, content=BODY, headers={"content-type": "application/grpc-web+proto"})
        assert len(honest.content) > 4_000_000
        sizes = [await first_size(reader) for reader in readers]
    assert 10 < sum(size > 4_000_000 for size in sizes) < UNREAD - 10, "the others are refused"


async def first_size(reader: asyncio.StreamReader) -> int:
    """Bytes of the first part of a response."""
    await reader.readuntil(b"\r\n\r\n")
    return int(await reader.readline(), 16)


async def test_a_connection_whose_client_takes_nothing_ends(corpus: LargeCorpus) -> None:
    async with (
        running(corpus) as server,
        open_channel(server.target) as channel,
        serving(channel, idle_seconds=1) as port,
        asked(port, "127.0.0.1") as reader,
    ):
        await asyncio.sleep(4)  # the kernel looks at a client again after ever longer pauses, and tells nobody
        with pytest.raises(ConnectionResetError):
            await reader.read()
