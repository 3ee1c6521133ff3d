"""The stage calls of a turn in its event log: each result is logged, and no logged call is made again.

A gateway that takes a turn over runs it from its beginning over the logged results. So it comes to the state in which
the turn was left, and asks only what was not answered yet.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from gateway.stage_calls.interception import StageMethod, Steps
from gateway.store.event_log import LoggedCall

Record = Callable[[Callable[[], LoggedCall]], None]
"""Receives a call that came to its end, to be encoded later."""


class CallCodec(Protocol):
    """Encodes the calls of stages."""

    def key(self, method: StageMethod, request: object) -> str:
        """Return the same text for the same request, in every process."""
        ...

    def to_bytes(self, method: StageMethod, steps: list[Any]) -> bytes:
        """Encode the steps of a stream, or the one response of a method without steps."""
        ...

    def from_bytes(self, method: StageMethod, content: bytes) -> list[Any]:
        """Decode them."""
        ...


@dataclass(frozen=True, slots=True)
class CallLog:
    """An Interceptor that logs the result of each call, and answers calls whose result is known."""

    codec: CallCodec
    record: Record
    """Receives each call that came to its end."""
    results: Mapping[str, bytes] = field(default_factory=dict)
    """The known results, by key."""

    async def stream(self, method: StageMethod, call: Callable[[Any], Steps], request: Any) -> Steps:
        """See Interceptor."""
        known = self._known(method, request)
        if known is not None:
            for step in known:
                yield step
            return
        steps = []
        async with aclosing(call(request)) as source:
            async for step in source:
                steps.append(step)
                yield step
        self.record(partial(self._encode, method, request, steps))

    async def unary(self, method: StageMethod, call: Callable[[Any], Awaitable[Any]], request: Any) -> Any:
        """See Interceptor."""
        known = self._known(method, request)
        if known is not None:
            return known[0]
        response = await call(request)
        self.record(partial(self._encode, method, request, [response]))
        return response

    def _known(self, method: StageMethod, request: object) -> list[Any] | None:
        """Return the known result of a call."""
        if not self.results:
            return None
        content = self.results.get(self.codec.key(method, request))
        return None if content is None else self.codec.from_bytes(method, content)

    def _encode(self, method: StageMethod, request: object, steps: list[Any]) -> LoggedCall:
        return LoggedCall(self.codec.key(method, request), self.codec.to_bytes(method, steps))
