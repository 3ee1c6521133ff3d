"""Puts an interceptor in front of every call of the stages' Protocols."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from gateway.stages import Stages
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

Steps = AsyncGenerator[Any, None]


class StageMethod(StrEnum):
    """A method of a stage's Protocol."""

    UNDERSTAND = "understand"
    CONDENSE_IN_STEPS = "condense_in_steps"
    DECOMPOSE = "decompose"
    RETRIEVE = "retrieve"
    GAUGE_QUESTIONS = "gauge_questions"
    DETECT_RANGE = "detect_range"
    WRITE = "write"
    EXTRACT = "extract"
    BUILD = "build"


class Interceptor(Protocol):
    """Makes calls, or answers them itself."""

    def stream(self, method: StageMethod, call: Callable[[Any], Steps], request: Any) -> Steps:
        """Yield the steps of a call."""
        ...

    async def unary(self, method: StageMethod, call: Callable[[Any], Awaitable[Any]], request: Any) -> Any:
        """Return the response of a call without steps."""
        ...


def intercepted(stages: Stages, interceptor: Interceptor) -> Stages:
    """Return the same stages with an interceptor in front of them; in this process and over the network alike."""
    front = _InterceptedStages(stages, interceptor)
    return Stages(front, front, front, front, front)


@dataclass(frozen=True, slots=True)
class _InterceptedStages:
    """All five stages in one."""

    stages: Stages
    interceptor: Interceptor

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        return self.interceptor.stream(StageMethod.UNDERSTAND, self.stages.intent.understand, request)

    def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        call = self.stages.decompose.condense_in_steps
        return self.interceptor.stream(StageMethod.CONDENSE_IN_STEPS, call, request)

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        return self.interceptor.stream(StageMethod.DECOMPOSE, self.stages.decompose.decompose, request)

    def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        return self.interceptor.stream(StageMethod.RETRIEVE, self.stages.retrieve.retrieve, request)

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        call = self.stages.retrieve.gauge_questions
        response: Gauged = await self.interceptor.unary(StageMethod.GAUGE_QUESTIONS, call, request)
        return response

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        call = self.stages.retrieve.detect_range
        response: DetectedRange = await self.interceptor.unary(StageMethod.DETECT_RANGE, call, request)
        return response

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        return self.interceptor.stream(StageMethod.WRITE, self.stages.answer.write, request)

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        call = self.stages.answer.extract
        response: ExtractResponse = await self.interceptor.unary(StageMethod.EXTRACT, call, request)
        return response

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        return self.interceptor.stream(StageMethod.BUILD, self.stages.timeline.build, request)
