"""What operators' tools ask of every process: health, reflection, server info."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from libs.runtime.calling.channel import open_channel, stream, unary
from libs.runtime.serving.health import UNREACHABLE, HealthServicer, health_of
from libs.runtime.serving.server import Server
from libs.runtime.serving.server_info import Capability
from libs.runtime.serving.service import Service
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc
from tests.fakes.running_server import QUIET, running
from tests.service.runtime.conftest import Echo

ECHO = "trial.v1.EchoService"
Status = health_pb2.HealthCheckResponse.ServingStatus


async def test_health_is_not_serving_until_told_and_each_service_has_its_own(servicer: Any) -> None:
    server = Server(QUIET, Service.of(servicer()), name="trial")
    await server.start()
    try:
        assert [await health_of(server.target, name) for name in ("", ECHO)] == ["NOT_SERVING"] * 2
        server.health.serving(True)
        assert [await health_of(server.target, name) for name in ("", ECHO)] == ["SERVING"] * 2
        assert await health_of(server.target, "no.such.Service") == "SERVICE_UNKNOWN"
    finally:
        await server.stop()
    assert await health_of(server.target, timeout=2) == UNREACHABLE


async def test_health_answers_when_the_server_is_full(servicer: Any, echo: Echo) -> None:
    start = asyncio.Event()

    async def say(request: Any, context: Any) -> Any:
        start.set()
        await asyncio.sleep(60)

    narrow = QUIET.model_copy(update={"max_concurrency": 1})
    async with running(servicer(Say=say), settings=narrow) as server, open_channel(server.target) as channel:
        first = asyncio.create_task(unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest()))
        await start.wait()
        assert await health_of(server.target) == "SERVING"
        first.cancel()


async def test_health_lists_all_services(channel: grpc.aio.Channel) -> None:
    listing = await unary(health_pb2_grpc.HealthStub(channel).List, health_pb2.HealthListRequest())
    names = {"", ECHO, "parley.runtime.v1.ServerInfoService"}
    assert {name: Status.Name(entry.status) for name, entry in listing.statuses.items()} == dict.fromkeys(
        names, "SERVING"
    )


async def test_a_watch_tells_each_change_and_ends_with_the_server(servicer: Any) -> None:
    server = Server(QUIET, Service.of(servicer()), name="trial")
    await server.start()
    async with open_channel(server.target) as channel:
        request = health_pb2.HealthCheckRequest(service=ECHO)
        watch = stream(health_pb2_grpc.HealthStub(channel).Watch, request)
        statuses = [Status.Name((await anext(watch)).status)]
        server.health.serving(True)
        statuses.append(Status.Name((await anext(watch)).status))
        stopping = asyncio.create_task(server.stop())
        statuses += [Status.Name(answer.status) async for answer in watch]
        await stopping
    assert statuses == ["NOT_SERVING", "SERVING", "NOT_SERVING"]


@pytest.fixture
async def channel(servicer: Any) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a server of the trial service."""
    async with running(servicer()) as server, open_channel(server.target) as channel:
        yield channel


class Reflection:
    """A client of one version of the reflection service."""

    def __init__(self, channel: grpc.aio.Channel, version: str) -> None:
        self._ask = channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )

    async def answer(self, **question: Any) -> Any:
        async def questions() -> Any:
            yield reflection_pb2.ServerReflectionRequest(**question)

        return await anext(stream(self._ask, questions()))

    async def files(self, **question: Any) -> list[str]:
        descriptors = (await self.answer(**question)).file_descriptor_response.file_descriptor_proto
        return [descriptor_pb2.FileDescriptorProto.FromString(f).name for f in descriptors]


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_both_versions_of_reflection_list_the_services(version: str, channel: grpc.aio.Channel) -> None:
    answer = await Reflection(channel, version).answer(list_services="*")
    assert [s.name for s in answer.list_services_response.service] == [
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
        "parley.runtime.v1.ServerInfoService",
        ECHO,
    ]


@pytest.mark.parametrize(
    "symbol",
    [
        ECHO,
        f"{ECHO}.Say",
        "trial.v1.SayRequest",
        "trial.v1.SayRequest.text",
    ],
)
@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_a_symbol_leads_to_its_file_and_imports(symbol: str, version: str, channel: grpc.aio.Channel) -> None:
    files = await Reflection(channel, version).files(file_containing_symbol=symbol)
    assert files[0] == "trial/v1/echo.proto"
    assert "buf/validate/validate.proto" in files
    assert "google/protobuf/descriptor.proto" in files


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection_describes_itself_in_both_versions(version: str, channel: grpc.aio.Channel) -> None:
    for api_version in ("v1", "v1alpha"):
        symbol = f"grpc.reflection.{api_version}.ServerReflection.ServerReflectionInfo"
        (file,) = await Reflection(channel, version).files(file_containing_symbol=symbol)
        assert file.endswith(f"/{api_version}/reflection.proto")


@pytest.mark.parametrize(
    "question",
    [
        {"file_containing_symbol": f"{ECHO}.Nothing"},
        {"file_containing_symbol": "nobody.v1.Nothing"},
        {"file_by_filename": "nothing.proto"},
        {"all_extension_numbers_of_type": "nobody.v1.Nothing"},
    ],
    ids=lambda q: "-".join(q.values()),
)
async def test_reflection_says_what_it_does_not_know(question: dict[str, str], channel: grpc.aio.Channel) -> None:
    answer = await Reflection(channel, "v1").answer(**question)
    assert answer.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]


async def test_reflection_finds_extensions(channel: grpc.aio.Channel) -> None:
    options = "google.protobuf.FieldOptions"
    client = Reflection(channel, "v1")
    numbers = (await client.answer(all_extension_numbers_of_type=options)).all_extension_numbers_response
    extension = {"containing_type": options, "extension_number": numbers.extension_number[0]}
    files = await client.files(file_containing_extension=extension)
    assert files[0] == "buf/validate/validate.proto"


async def test_server_info_tells_the_engine_of_each_task(servicer: Any) -> None:
    capabilities = [Capability("embed", "onnx", "tiny"), Capability("rerank", "none")]
    trial = running(servicer(), name="trial", capabilities=capabilities)
    async with trial as server, open_channel(server.target) as channel:
        stub = server_info_pb2_grpc.ServerInfoServiceStub(channel)
        info = await unary(stub.GetServerInfo, server_info_pb2.GetServerInfoRequest())
    assert info.name == "trial"
    assert [(c.task, c.engine, c.detail) for c in info.capabilities] == [
        ("embed", "onnx", "tiny"),
        ("rerank", "none", ""),
    ]
    assert info.started_at.ToSeconds() > 0


async def test_a_watch_whose_client_reads_slowly_tells_the_last_change() -> None:
    health = HealthServicer([ECHO])
    watch = health.Watch(health_pb2.HealthCheckRequest(service=ECHO), None)
    assert (await anext(watch)).status == Status.Value("NOT_SERVING")
    health.serving(True)
    health.end_watches()  # while the first answer is being written
    assert [answer.status async for answer in watch] == [Status.Value("SERVING")]
