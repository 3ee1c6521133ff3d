"""The stages as one turn calls them: the result of each call is recorded, and no recorded call is made again.

A gateway that takes a turn over runs it from its beginning over the recorded results. So it comes to the state in which
the turn was left, and asks only what was not answered yet.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

from gateway.stages import Stages
from gateway.store.event_log import LoggedCall
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse, WriteRequest, WriteStep
from libs.contracts.stages.decompose import CondenseInStepsRequest, CondenseStep, DecomposeRequest, DecomposeStep
from libs.contracts.stages.intent import UnderstandRequest, UnderstandStep
from libs.contracts.stages.retrieve import (
    DetectedRange,
    DetectRangeRequest,
    Gauged,
    GaugeQuestionsRequest,
    RetrieveRequest,
    RetrieveStep,
)
from libs.contracts.stages.timeline import BuildRequest, BuildStep

T = TypeVar("T")

Record = Callable[[Callable[[], LoggedCall]], None]
"""Receives a call that came to its end, to be encoded later."""


class CallCodec(Protocol):
    """Encodes the calls of stages. A `method` is the name of a stage's method."""

    def key(self, method: str, request: object) -> str:
        """Return the same text for the same request, in every process."""
        ...

    def to_bytes(self, method: str, steps: list[Any]) -> bytes:
        """Encode the steps of a stream, or the one response of a method without steps."""
        ...

    def from_bytes(self, method: str, content: bytes) -> list[Any]:
        """Decode them."""
        ...


@dataclass(frozen=True, slots=True)
class RecordedStages:
    """All five stages in one."""

    inner: Stages
    codec: CallCodec
    record: Record
    """Receives each call that came to its end."""
    results: Mapping[str, bytes] = field(default_factory=dict)
    """The known results, by key."""

    @classmethod
    def of(cls, inner: Stages, codec: CallCodec, record: Record, results: Mapping[str, bytes]) -> Stages:
        """Return the stages as a turn calls them."""
        recorded = cls(inner, codec, record, results)
        return Stages(recorded, recorded, recorded, recorded, recorded)

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        """See IntentStage."""
        return self._stream("understand", self.inner.intent.understand, request)

    def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        """See DecomposeStage."""
        return self._stream("condense_in_steps", self.inner.decompose.condense_in_steps, request)

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """See DecomposeStage."""
        return self._stream("decompose", self.inner.decompose.decompose, request)

    def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        """See RetrieveStage."""
        return self._stream("retrieve", self.inner.retrieve.retrieve, request)

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        """See RetrieveStage."""
        return await self._unary("gauge_questions", self.inner.retrieve.gauge_questions, request)

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        """See RetrieveStage."""
        return await self._unary("detect_range", self.inner.retrieve.detect_range, request)

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See AnswerStage."""
        return self._stream("write", self.inner.answer.write, request)

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See AnswerStage."""
        return await self._unary("extract", self.inner.answer.extract, request)

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """See TimelineStage."""
        return self._stream("build", self.inner.timeline.build, request)

    async def _stream(
        self, method: str, call: Callable[[Any], AsyncGenerator[Any, None]], request: object
    ) -> AsyncGenerator[Any, None]:
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

    async def _unary(self, method: str, call: Callable[[Any], Awaitable[T]], request: object) -> T:
        known = self._known(method, request)
        if known is not None:
            return known[0]  # type: ignore[no-any-return]
        response = await call(request)
        self.record(partial(self._encode, method, request, [response]))
        return response

    def _known(self, method: str, request: object) -> list[Any] | None:
        """Return the known result of a call."""
        if not self.results:
            return None
        content = self.results.get(self.codec.key(method, request))
        return None if content is None else self.codec.from_bytes(method, content)

    def _encode(self, method: str, request: object, steps: list[Any]) -> LoggedCall:
        return LoggedCall(self.codec.key(method, request), self.codec.to_bytes(method, steps))
