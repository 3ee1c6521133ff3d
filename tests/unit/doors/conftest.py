"""The doors over a real HTTP server, in front of a real gRPC server that plays the gateway."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import httpx2
import pytest
from starlette.routing import BaseRoute

from doors.app import app_over
from doors.grpc_web import DATA, HEAD_BYTES, frame
from doors.mcp_api.server import McpServer
from doors.serving import HttpServer, bind, config_of
from doors.settings import DoorsSettings
from libs.runtime.calling.channel import open_channel
from libs.runtime.errors import NotFound
from libs.runtime.security.trust import Secrets
from libs.runtime.telemetry.telemetry import Telemetry
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, inference_pb2, retrieve_pb2
from tests.fakes.running_server import running

GATEWAY = "/parley.gateway.v1.GatewayService"
GRPC_WEB = {"content-type": "application/grpc-web+proto"}


@dataclass
class PlayedGateway(gateway_pb2_grpc.GatewayServiceServicer):
    """Answers each question with its words, one a message; "forever" until it is cancelled.

    With a text, the turn then pauses, ends its answer with that text, and is completed.
    """

    text: str = ""
    pause_seconds: float = 0.0
    asked: gateway_pb2.AskRequest = field(default_factory=gateway_pb2.AskRequest)
    """The latest question."""
    metadata: dict[str, list[str]] = field(default_factory=dict)
    """Of the latest call."""
    seconds_left: float | None = None
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    async def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> AsyncIterator[gateway_pb2.AskResponse]:
        self._remember(context)
        self.asked = request
        try:
            for seq, word in enumerate(request.question.split(), start=1):
                event = event_pb2.Event(seq=seq, state=event_pb2.StateEvent(activity=word))
                yield gateway_pb2.AskResponse(event=event)
            if request.question == "forever":
                await asyncio.sleep(60)
            if self.text:
                await asyncio.sleep(self.pause_seconds)
                for event in (
                    event_pb2.Event(seq=98, text_end=event_pb2.TextEndEvent(text=self.text)),
                    event_pb2.Event(seq=99, completed=event_pb2.CompletedEvent()),
                ):
                    yield gateway_pb2.AskResponse(event=event)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise

    async def Cancel(self, request: gateway_pb2.CancelRequest, context: Any) -> gateway_pb2.CancelResponse:
        self._remember(context)
        raise NotFound("turn", f"{request.turn_id} – weg")

    async def EmbedTexts(self, request: gateway_pb2.EmbedTextsRequest, context: Any) -> gateway_pb2.EmbedTextsResponse:
        """Vectors of three values: each text's length, place and kind."""
        self._remember(context)
        embeddings = [
            inference_pb2.Embedding(values=(len(text), place, request.kind)) for place, text in enumerate(request.texts)
        ]
        return gateway_pb2.EmbedTextsResponse(model="mini", width=3, embeddings=embeddings)

    async def GetServerInfo(
        self, request: gateway_pb2.GetServerInfoRequest, context: Any
    ) -> gateway_pb2.GetServerInfoResponse:
        self._remember(context)
        return gateway_pb2.GetServerInfoResponse()

    def _remember(self, context: Any) -> None:
        self.seconds_left = context.time_remaining()
        self.metadata.clear()
        for key, value in context.invocation_metadata():
            self.metadata.setdefault(key, []).append(value)


@dataclass
class PlayedCorpus(corpus_pb2_grpc.CorpusServiceServicer):
    """Takes all documents, of which its callers see only those of the named collections."""

    names: tuple[str, ...] = ()
    searched: retrieve_pb2.RetrieveOptions = field(default_factory=retrieve_pb2.RetrieveOptions)
    """The options of the latest search."""

    documents: list[corpus_pb2.Document] = field(default_factory=list)
    collection: str = ""

    async def ListCollections(
        self, request: corpus_pb2.ListCollectionsRequest, context: Any
    ) -> corpus_pb2.ListCollectionsResponse:
        collections = [corpus_pb2.Collection(name=name, documents=2, passages=7) for name in self.names]
        return corpus_pb2.ListCollectionsResponse(collections=collections)

    async def Search(self, request: corpus_pb2.SearchRequest, context: Any) -> corpus_pb2.SearchResponse:
        self.searched = request.options
        return corpus_pb2.SearchResponse()

    async def Ingest(self, requests: Any, context: Any) -> AsyncIterator[corpus_pb2.IngestResponse]:
        index = 0
        async for request in requests:
            if request.HasField("header"):
                self.collection = request.header.collection
                continue
            self.documents.append(request.document)
            yield corpus_pb2.IngestResponse(
                index=index,
                document_id=request.document.document_id,
                status=corpus_pb2.INGEST_STATUS_ADDED,
                passages=2,
            )
            index += 1


@dataclass
class Doors:
    """The doors as they run, and what is behind them."""

    http: httpx2.AsyncClient
    gateway: PlayedGateway
    corpus: PlayedCorpus
    port: int

    @staticmethod
    def client(port: int) -> httpx2.AsyncClient:
        """A client of the doors on a port."""
        return httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20)

    async def call(self, path: str, request: Any, **headers: str) -> tuple[list[bytes], dict[str, str]]:
        """The messages and trailers of a gRPC-Web call."""
        response = await self.http.post(
            path,
            content=frame(DATA, request.SerializeToString()),
            headers={**GRPC_WEB, **headers},
        )
        assert response.status_code == 200, response.text
        return messages_and_trailers(response.content)


def messages_and_trailers(body: bytes) -> tuple[list[bytes], dict[str, str]]:
    """The frames of a response: its messages, and its trailers, which come last."""
    messages: list[bytes] = []
    trailers: dict[str, str] = {}
    while body:
        flags, length = body[0], int.from_bytes(body[1:HEAD_BYTES], "big")
        content, body = body[HEAD_BYTES : HEAD_BYTES + length], body[HEAD_BYTES + length :]
        if flags == DATA:
            assert not trailers
            messages.append(content)
        else:
            trailers = dict(line.split(": ", 1) for line in content.decode().splitlines())
    return messages, trailers


@asynccontextmanager
async def doors_with(**settings: Any) -> AsyncIterator[Doors]:
    """The doors with some settings, over HTTP on a free port."""
    played, corpus = PlayedGateway(), PlayedCorpus()  # type: ignore[abstract]
    async with (
        running(played, corpus) as server,
        open_channel(server.target) as channel,
        serving(channel, **settings) as port,
        Doors.client(port) as http,
    ):
        yield Doors(http, played, corpus, port)


@asynccontextmanager
async def serving(
    channel: grpc.aio.Channel,
    telemetry: Telemetry | None = None,
    further: Sequence[BaseRoute] = (),
    secrets: Secrets | None = None,
    **settings: Any,
) -> AsyncIterator[int]:
    """The application over a channel to the gateway; yields its port."""
    doors_settings = DoorsSettings(port=0, **settings)
    bound = bind(doors_settings)
    mcp = McpServer(channel, "1.0")
    app = app_over(channel, doors_settings, (*mcp.routes(), *further), telemetry or Telemetry(), secrets)
    server = HttpServer(config_of(app, doors_settings, 1))

    async def serve() -> None:
        async with mcp.running():
            await server.serve(sockets=[bound])

    task = asyncio.create_task(serve())
    try:
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        await task


@pytest.fixture
async def doors() -> AsyncIterator[Doors]:
    async with doors_with() as opened:
        yield opened
