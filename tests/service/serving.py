"""A stage behind a real port, and what it refuses."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import grpc

from libs.runtime.errors import InvalidInput
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import ServerSettings
from libs.runtime.status import error_from_rpc
from tests.fakes.running_server import running

QUIET = ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)


@asynccontextmanager
async def served(opening: AbstractAsyncContextManager[StageServices]) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a stage, once it is warm."""
    async with opening as stage:
        if stage.warm_up is not None:
            await stage.warm_up()
        async with (
            running(QUIET, *stage.services, name=stage.name, capabilities=stage.capabilities) as server,
            grpc.aio.insecure_channel(server.target) as channel,
        ):
            yield channel


def refused_fields(error: grpc.RpcError) -> set[str]:
    """The fields that a refusal of bad input names."""
    rebuilt = error_from_rpc(error)
    assert isinstance(rebuilt, InvalidInput)
    return {violation.field for violation in rebuilt.violations}
