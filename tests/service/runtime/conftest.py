"""A small contract of the tests' own, compiled when they start, and servers on port 0 for it."""

import importlib
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from grpc_tools import protoc  # type: ignore[import-untyped]

from libs.runtime.calling.channel import open_channel
from libs.runtime.settings import ServerSettings
from tests.fakes.running_server import QUIET, running

Echo = SimpleNamespace
"""The generated modules of the contract below: `echo.pb2`, `echo.grpc`."""
Served = Callable[..., AbstractAsyncContextManager[Any]]
THIRD_PARTY = Path(__file__).parents[3] / "third_party"
PROTO = """
syntax = "proto3";
package trial.v1;
import "buf/validate/validate.proto";

service EchoService {
  rpc Say(SayRequest) returns (SayResponse);
  rpc Count(SayRequest) returns (stream SayResponse);
  rpc Sum(stream SayRequest) returns (SayResponse);
  rpc Chat(stream SayRequest) returns (stream SayResponse);
}
message SayRequest {
  string text = 1 [(buf.validate.field).string.max_len = 20];
  repeated Part parts = 2;
}
message Part { string word = 1 [(buf.validate.field).string.min_len = 1]; }
message SayResponse { string text = 1; }
"""


@pytest.fixture(scope="session")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Echo]:
    """The generated modules: `echo.pb2`, `echo.grpc`."""
    root = tmp_path_factory.mktemp("protos")
    source = root / "trial" / "v1" / "echo.proto"
    source.parent.mkdir(parents=True)
    source.write_text(PROTO)
    well_known = str(files("grpc_tools") / "_proto")
    folders = [f"-I{folder}" for folder in (root, THIRD_PARTY, well_known)]
    assert protoc.main(["", *folders, f"--python_out={root}", f"--grpc_python_out={root}", str(source)]) == 0
    sys.path.insert(0, str(root))
    pb2, stubs = map(importlib.import_module, ("trial.v1.echo_pb2", "trial.v1.echo_pb2_grpc"))
    yield SimpleNamespace(pb2=pb2, grpc=stubs, root=root)
    sys.path.remove(str(root))


@pytest.fixture
def servicer(echo: Echo) -> Any:
    """Makes a servicer of the given methods, `servicer(Say=handler)`; the others are left out."""

    def make(**methods: Any) -> object:
        own = {name: staticmethod(method) for name, method in methods.items()}
        return type("Echo", (echo.grpc.EchoServiceServicer,), own)()

    return make


@pytest.fixture
def served(echo: Echo, servicer: Any) -> Served:
    """Serves the given methods, or one service: `async with served(Say=handler) as stub`."""

    @asynccontextmanager
    async def serve(one: object = None, options: ServerSettings = QUIET, **methods: Any) -> AsyncIterator[Any]:
        server_of_methods = running(one or servicer(**methods), settings=options)
        async with server_of_methods as server, open_channel(server.target) as channel:
            yield echo.grpc.EchoServiceStub(channel)

    return serve


@pytest.fixture
def parrot(echo: Echo, servicer: Any) -> object:
    """A servicer that answers with what it is told."""

    async def say(request: Any, context: Any) -> Any:
        return echo.pb2.SayResponse(text=request.text)

    async def count(request: Any, context: Any) -> AsyncIterator[Any]:
        yield echo.pb2.SayResponse(text=request.text)

    async def sum_up(requests: Any, context: Any) -> Any:
        return echo.pb2.SayResponse(text="".join([request.text async for request in requests]))

    async def chat(requests: Any, context: Any) -> AsyncIterator[Any]:
        async for request in requests:
            yield echo.pb2.SayResponse(text=request.text)

    return servicer(Say=say, Count=count, Sum=sum_up, Chat=chat)
