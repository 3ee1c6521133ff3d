"""Records the calls of the stages in a turn.

Calls go to the recorder of the running turn, if it has one. Values are kept as they are until the turn ends and encoded
then, so that recording delays no event.
"""

import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from gateway.calling.stages import Stages
from gateway.recording.recordings import CallEnd
from libs.contracts.methods import AnyMethod, Request, Response, Step, StreamMethod, UnaryMethod
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.stages.retrieve import DetectRangeRequest
from libs.contracts.usage import Progress
from libs.runtime.errors import ParleyError


@dataclass(slots=True)
class CallRecord:
    """A call while it runs and after it."""

    method: AnyMethod
    request: Any
    started_at: datetime
    steps: list[Any] = field(default_factory=list)
    """Its steps without progress; for a call with one response, that response."""
    end: CallEnd = CallEnd.CANCELLED
    """A call that ends neither with a result nor with an error was cancelled."""
    reason: str = ""
    milliseconds: float = 0.0


@dataclass(slots=True)
class Recorder:
    """The calls of one turn, in the order in which they began."""

    calls: list[CallRecord] = field(default_factory=list)

    @contextmanager
    def during(self, method: AnyMethod, request: Any) -> Iterator[CallRecord]:
        """Record how a call ends and how long it takes."""
        call = CallRecord(method, request, datetime.now(UTC))
        start = time.perf_counter()
        self.calls.append(call)
        try:
            yield call
            call.end = CallEnd.RESULT
        except ParleyError as error:
            call.end, call.reason = CallEnd.ERROR, error.reason
            raise
        finally:
            call.milliseconds = round((time.perf_counter() - start) * 1000, 3)


_recorder: Final[ContextVar[Recorder | None]] = ContextVar("recorder", default=None)


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Record the calls of this task, and of the tasks that it starts."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


@dataclass(frozen=True, slots=True)
class RecordingStages:
    """Stages whose calls are recorded while `recording` is entered, and else only made."""

    stages: Stages

    def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """See Stages."""
        recorder = _recorder.get()
        if recorder is None:
            return self.stages.stream(method, request)
        return self._recorded(recorder, method, dated(request))

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """See Stages."""
        recorder = _recorder.get()
        if recorder is None:
            return await self.stages.unary(method, request)
        request = dated(request)
        with recorder.during(method, request) as record:
            response = await self.stages.unary(method, request)
            record.steps.append(response)
            return response

    async def _recorded(
        self, recorder: Recorder, method: StreamMethod[Request, Step], request: Request
    ) -> AsyncGenerator[Step, None]:
        with recorder.during(method, request) as record:
            async with aclosing(self.stages.stream(method, request)) as steps:
                async for step in steps:
                    if not isinstance(step, Progress):
                        record.steps.append(step)
                    yield step


def dated(request: Any) -> Any:
    """Return a request that may depend on the current time with that time in it, so that it can be repeated."""
    if isinstance(request, UnderstandRequest) and request.setting.now is None:
        return replace(request, setting=replace(request.setting, now=datetime.now(UTC)))
    if isinstance(request, DetectRangeRequest) and request.now is None:
        return replace(request, now=datetime.now(UTC))
    return request
