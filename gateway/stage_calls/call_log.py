"""The stage calls of a turn in its event log: each result is logged, and no logged call is made again.

A gateway that takes a turn over runs it from its beginning over the logged results. So it comes to the state in which
the turn was left, and asks only what was not answered yet.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from gateway.calling.stages import Stages
from gateway.store.event_log import LoggedCall
from libs.contracts.methods import AnyMethod, Request, Response, Step, StreamMethod, UnaryMethod

Record = Callable[[Callable[[], LoggedCall]], None]
"""Receives a call that came to its end, to be encoded later."""


class CallCodec(Protocol):
    """Encodes the calls of stages."""

    def key(self, method: AnyMethod, request: object) -> str:
        """Return the same text for the same request, in every process."""
        ...

    def to_bytes(self, method: AnyMethod, steps: list[Any]) -> bytes:
        """Encode the steps of a stream, or the one response of a method without steps."""
        ...

    def from_bytes(self, method: AnyMethod, content: bytes) -> list[Any]:
        """Decode them."""
        ...


@dataclass(frozen=True, slots=True)
class LoggedStages:
    """Stages of which the result of each call is logged, and calls are answered whose result is known."""

    stages: Stages
    codec: CallCodec
    record: Record
    """Receives each call that came to its end."""
    results: Mapping[str, bytes] = field(default_factory=dict)
    """The known results, by key."""

    async def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """See Stages."""
        known = self._known(method, request)
        if known is not None:
            for step in known:
                yield step
            return
        steps = []
        async with aclosing(self.stages.stream(method, request)) as source:
            async for step in source:
                steps.append(step)
                yield step
        self.record(partial(self._encode, method, request, steps))

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """See Stages."""
        known: list[Response] | None = self._known(method, request)
        if known is not None:
            return known[0]
        response = await self.stages.unary(method, request)
        self.record(partial(self._encode, method, request, [response]))
        return response

    def _known(self, method: AnyMethod, request: object) -> list[Any] | None:
        """Return the known result of a call."""
        if not self.results:
            return None
        content = self.results.get(self.codec.key(method, request))
        return None if content is None else self.codec.from_bytes(method, content)

    def _encode(self, method: AnyMethod, request: object, steps: list[Any]) -> LoggedCall:
        return LoggedCall(self.codec.key(method, request), self.codec.to_bytes(method, steps))
