"""Hosts stages in this process; a gateway among them calls the others without a network.

python -m cli.suite.serving NAME … [--host HOST] [--port PORT] [--insecure]
"""

import importlib
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from itertools import takewhile

from cli.suite.processes import port_of
from gateway.names import STAGES
from libs.runtime.serving.process import run
from libs.runtime.serving.stage import StageServices, serve_stages
from libs.runtime.settings import ServerSettings


def main(arguments: Sequence[str]) -> None:
    """Serve the stages that the first arguments name, on one port, until stopped."""
    names = list(takewhile(lambda argument: not argument.startswith("-"), arguments))
    run(lambda: _serve(names, ServerSettings.from_args(arguments[len(names) :], port=port_of(names))))


async def _serve(names: Sequence[str], settings: ServerSettings) -> None:
    """Open the stages, then the gateway that calls them, so that it is closed before they are.

    The gateway comes first among those served: what both it and a stage offer, such as the corpus service, it answers.
    Stages that are not named are called at the addresses of the gateway's settings.
    """
    async with AsyncExitStack() as stack:
        local_services = {name: await stack.enter_async_context(_opener(name)()) for name in STAGES if name in names}
        stages = list(local_services.values())
        if "gateway" in names:
            gateway: AbstractAsyncContextManager[StageServices] = _opener("gateway")(settings, local_services)
            stages.insert(0, await stack.enter_async_context(gateway))
        await serve_stages(settings, stages)


def _opener(name: str) -> Callable[..., AbstractAsyncContextManager[StageServices]]:
    """Return `open_stage` of a stage or the gateway; imported late, since a process loads only what it serves."""
    module = "gateway.stage" if name == "gateway" else f"services.{name}.stage"
    opener: Callable[..., AbstractAsyncContextManager[StageServices]] = importlib.import_module(module).open_stage
    return opener


if __name__ == "__main__":
    main(sys.argv[1:])
