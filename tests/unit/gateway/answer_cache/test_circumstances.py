"""The state of a suite: its collection's version, and what its processes are made of."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from gateway.answer_cache.circumstances import SuiteCircumstances
from gateway.store.stores import Stores
from libs.runtime.calling.channel import open_channel
from libs.runtime.errors import ParleyError
from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings
from parley.retrieve.v1 import corpus_pb2
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc

Info = server_info_pb2.GetServerInfoResponse


class Corpus:
    """A collection whose version a test sets."""

    def __init__(self) -> None:
        self.version = "v1"

    async def GetCollection(self, request: Any, context: Any) -> corpus_pb2.GetCollectionResponse:
        collection = corpus_pb2.Collection(name=request.name, version=self.version)
        return corpus_pb2.GetCollectionResponse(collection=collection)


class Process(server_info_pb2_grpc.ServerInfoServiceServicer):
    """A process that describes itself as a test says."""

    def __init__(self) -> None:
        self.info = Info(name="answer", version="1.0", settings_digest="one")
        self.requests = 0

    async def GetServerInfo(self, request: Any, context: Any) -> Info:
        self.requests += 1
        return self.info


@pytest.fixture
def process() -> Process:
    return Process()


@pytest.fixture
async def stub(process: Process) -> AsyncIterator[Any]:
    server = grpc.aio.server()
    server_info_pb2_grpc.add_ServerInfoServiceServicer_to_server(process, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with open_channel(f"127.0.0.1:{port}") as channel:
        yield server_info_pb2_grpc.ServerInfoServiceStub(channel)
    await server.stop(None)


async def test_a_new_version_of_the_collection_is_another_state(stores: Stores) -> None:
    corpus = Corpus()
    circumstances = SuiteCircumstances(corpus, (), stores.sessions)
    first = await circumstances.state("moon")
    assert (first.corpus_version, await circumstances.state("moon")) == ("v1", first)
    corpus.version = "v2"
    assert await circumstances.state("moon") != first


async def test_another_setting_version_or_engine_is_another_state(stores: Stores, process: Process, stub: Any) -> None:
    circumstances = SuiteCircumstances(Corpus(), (stub,), stores.sessions, engines_seconds=0)
    states = {await circumstances.state("")}
    capability = server_info_pb2.Capability(task="write", engine="llm", detail="small")
    for info in (
        Info(name="answer", version="1.0", settings_digest="two"),
        Info(name="answer", version="1.1", settings_digest="two"),
        Info(name="answer", version="1.1", settings_digest="two", capabilities=[capability]),
    ):
        process.info = info
        states.add(await circumstances.state(""))
    assert len(states) == 4
    process.info.started_at.GetCurrentTime()
    assert await circumstances.state("") in states


async def test_processes_are_asked_once_a_while(stores: Stores, process: Process, stub: Any) -> None:
    circumstances = SuiteCircumstances(Corpus(), (stub,), stores.sessions, engines_seconds=60)
    for _ in range(3):
        await circumstances.state("")
    assert process.requests == 1


async def test_a_process_that_is_down_leaves_no_state(stores: Stores) -> None:
    async with running(ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=0)) as server:
        target = server.target
    async with open_channel(target) as channel:
        stub = server_info_pb2_grpc.ServerInfoServiceStub(channel)
        with pytest.raises(ParleyError):
            await SuiteCircumstances(Corpus(), (stub,), stores.sessions).state("")
