"""Records the calls of the stages in a turn, in memory: the errors and results of a call pass unchanged.

Calls go to the recorder of the running turn, if it has one. Values are kept as they are until the turn ends and encoded
then, so that recording delays no event.
"""

import hashlib
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from gateway.calling.stages import Stages
from gateway.recording.comparing import digest
from libs.contracts.methods import AnyMethod, Request, Response, Step, StreamMethod, UnaryMethod
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.stages.retrieve import DetectRangeRequest
from libs.contracts.usage import Progress
from libs.contracts.wire.methods import codec_of
from libs.runtime.errors import ParleyError
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import recording_pb2


@dataclass(slots=True)
class Call:
    """A call while it runs and after it."""

    method: AnyMethod
    request: Any
    started: float = field(default_factory=time.time)
    """In seconds since the epoch."""
    responses: list[Any] = field(default_factory=list)
    """Its response, or its steps without progress."""
    end: recording_pb2.CallEnd.ValueType = recording_pb2.CALL_END_CANCELLED
    """A call that ends neither with a result nor with an error was cancelled."""
    reason: str = ""
    seconds: float = 0.0

    def encode(self) -> recording_pb2.StoredCall:
        """Return the call as it is stored; its number is given when it is read."""
        codec = codec_of(self.method)
        request = codec.request_to_message(self.request).SerializeToString(deterministic=True)
        responses = [codec.to_message(response) for response in self.responses]
        call = recording_pb2.RecordedCall(
            stage=usage_pb2.Stage.Value(f"STAGE_{self.method.stage.upper()}"),
            method=self.method.rpc,
            milliseconds=round(self.seconds * 1000, 3),
            end=self.end,
            reason=self.reason,
            request_hash=hashlib.sha256(request).hexdigest(),
            response_hash=digest(responses),
        )
        call.started_at.FromNanoseconds(int(self.started * 1e9))
        contents = [response.SerializeToString() for response in responses]
        return recording_pb2.StoredCall(call=call, request=request, responses=contents)


_calls: Final[ContextVar[list[Call] | None]] = ContextVar("calls", default=None)


@contextmanager
def recorded_calls() -> Iterator[list[Call]]:
    """Record the calls of this task, and of the tasks that it starts, in the order in which they begin."""
    calls: list[Call] = []
    token = _calls.set(calls)
    try:
        yield calls
    finally:
        _calls.reset(token)


@dataclass(frozen=True, slots=True)
class RecordingStages:
    """Stages whose calls are recorded inside of `recorded_calls`, and else only made."""

    stages: Stages

    def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """Yield the steps of a call; ParleyError if it fails."""
        calls = _calls.get()
        return self.stages.stream(method, request) if calls is None else self._recorded(calls, method, dated(request))

    async def _recorded(
        self, calls: list[Call], method: StreamMethod[Request, Step], request: Request
    ) -> AsyncGenerator[Step, None]:
        with _recording(calls, Call(method, request)) as call:
            async with aclosing(self.stages.stream(method, request)) as steps:
                async for step in steps:
                    if not isinstance(step, Progress):
                        call.responses.append(step)
                    yield step

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """Return the response of a call; ParleyError if it fails."""
        if (calls := _calls.get()) is None:
            return await self.stages.unary(method, request)
        request = dated(request)
        with _recording(calls, Call(method, request)) as call:
            response = await self.stages.unary(method, request)
            call.responses.append(response)
            return response


@contextmanager
def _recording(calls: list[Call], call: Call) -> Iterator[Call]:
    """Record how a call ends and how long it takes."""
    start = time.perf_counter()
    calls.append(call)
    try:
        yield call
        call.end = recording_pb2.CALL_END_RESULT
    except ParleyError as error:
        call.end, call.reason = recording_pb2.CALL_END_ERROR, error.reason
        raise
    finally:
        call.seconds = time.perf_counter() - start


def dated(request: Any) -> Any:
    """Return a request that may depend on the current time with that time in it, so that it can be repeated."""
    if isinstance(request, UnderstandRequest) and request.setting.now is None:
        return replace(request, setting=replace(request.setting, now=datetime.now(UTC)))
    if isinstance(request, DetectRangeRequest) and request.now is None:
        return replace(request, now=datetime.now(UTC))
    return request
