"""The stages as the gateway calls them, and the collected results of their streams."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from libs.contracts.methods import Request, Response, Step, StreamMethod, UnaryMethod
from libs.contracts.usage import Degraded, Progress
from libs.runtime.errors import Unavailable

R = TypeVar("R")


class Stages(Protocol):
    """Calls stages: over the network, in this process, or through something that watches the calls."""

    def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """Yield the steps of a call.

        Raises:
            ParleyError: the call failed; `from_peer` is set.
        """
        ...

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """Return the response of a call; errors as with `stream`."""
        ...


@dataclass(frozen=True, slots=True)
class StageResult(Generic[R]):
    """The result of a stage, and what was degraded on the way to it."""

    value: R
    degraded: tuple[Degraded, ...] = ()


async def result_of(
    steps: AsyncGenerator[Any, None], result_type: type[R], hint: Callable[[Any], None] | None = None
) -> StageResult[R]:
    """Read a stage's stream to its end.

    Args:
        steps: the stream.
        result_type: the type of its last step.
        hint: receives the steps that are neither result nor degradation nor progress.

    Raises:
        Unavailable: the stream ended without a result (reason STAGE_FAILED).
    """
    degraded: list[Degraded] = []
    result: R | None = None
    async with aclosing(steps):
        async for step in steps:  # to its end, since cancelling a stream over the network costs more
            if isinstance(step, Degraded):
                degraded.append(step)
            elif isinstance(step, result_type):
                result = step
            elif hint is not None and not isinstance(step, Progress):
                hint(step)
    if result is None:
        raise Unavailable("STAGE_FAILED", "A stage ended before its result; its log may say why.")
    return StageResult(result, tuple(degraded))
