"""A stage as a process hosts it: what it serves, what it can, how it gets ready. One process hosts one or several.

Every stage's folder has a `stage.py` with `open_stage`, an async context manager that yields its `StageServices`; its
`__main__` is `run_stage(open_stage, ...)`.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass

from libs.runtime.local import LocalServices
from libs.runtime.process import run
from libs.runtime.server import serve
from libs.runtime.server_info import Capability
from libs.runtime.settings import ServerSettings

Step = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class StageServices:
    """What `serve` needs of a stage."""

    name: str
    """The process's name, such as "retrieve"."""
    servicers: tuple[object, ...]
    """Generated servicers, or `Service` where one needs something special."""
    capabilities: tuple[Capability, ...] = ()
    """The engine behind each task."""
    warm_up: Step | None = None
    """Loads what the first calls would wait for."""
    ready: Step | None = None
    """Returns once what the stage needs elsewhere is there."""


OpenStage = Callable[[], AbstractAsyncContextManager[StageServices]]


def run_stage(open_stage: OpenStage, port: int) -> None:
    """A stage's process: settings from environment, file and arguments (default `port`), serve, drain, exit 0."""
    run(lambda: serve_stages(ServerSettings.from_args(port=port), [open_stage]))


async def serve_stages(
    settings: ServerSettings, openers: Sequence[OpenStage], local: LocalServices | None = None
) -> None:
    """Host several stages on one port until asked to stop; they are closed after the last call, in reverse order.

    Args:
        openers: of several that serve the same service, the first is who is called from outside.
        local: told what is served, for calls among them; of the same service the last is who is called.
    """
    async with AsyncExitStack() as stack:
        stages = [await stack.enter_async_context(opener()) for opener in openers]
        await serve(
            settings,
            *(servicer for stage in stages for servicer in stage.servicers),
            name="+".join(stage.name for stage in stages),
            capabilities=[capability for stage in stages for capability in stage.capabilities],
            local=local,
            warm_up=_in_turn([stage.warm_up for stage in stages]),
            ready=_in_turn([stage.ready for stage in stages]),
        )


def _in_turn(steps: Sequence[Step | None]) -> Step:
    async def all_of_them() -> None:
        for step in steps:
            if step is not None:
                await step()

    return all_of_them
