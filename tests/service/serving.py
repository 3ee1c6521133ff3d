"""A stage behind a real port, and what it refuses."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import grpc
import pytest

from libs.runtime.errors import InvalidInput, ParleyError
from libs.runtime.serving.stage import StageServices
from libs.runtime.status import error_from_rpc
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc
from tests.fakes.running_server import running


@asynccontextmanager
async def served(opening: AbstractAsyncContextManager[StageServices]) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a stage, once it is warm."""
    async with opening as stage:
        if stage.warm_up is not None:
            await stage.warm_up()
        async with (
            running(*stage.services, name=stage.name, capabilities=stage.capabilities) as server,
            grpc.aio.insecure_channel(server.target) as channel,
        ):
            yield channel


async def refusal(call: Awaitable[object]) -> ParleyError:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return error_from_rpc(error.value)


async def refused_fields(call: Awaitable[object]) -> set[str]:
    """The fields that a refusal of bad input names."""
    error = await refusal(call)
    assert isinstance(error, InvalidInput)
    return {violation.field for violation in error.violations}


async def engines_of(channel: grpc.aio.Channel) -> list[tuple[str, str]]:
    """Each task of a stage and its engine, as the stage says."""
    request = server_info_pb2.GetServerInfoRequest()
    info = await server_info_pb2_grpc.ServerInfoServiceStub(channel).GetServerInfo(request)
    return [(capability.task, capability.engine) for capability in info.capabilities]
