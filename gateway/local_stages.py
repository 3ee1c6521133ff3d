"""The stages of this process, called without a network: each call gets a deadline, a span and typed errors."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial

from libs.contracts.stages.answer import AnswerStage, ExtractRequest, ExtractResponse, WriteRequest, WriteStep
from libs.contracts.stages.decompose import (
    CondenseInStepsRequest,
    CondenseStep,
    DecomposeRequest,
    DecomposeStage,
    DecomposeStep,
)
from libs.contracts.stages.intent import IntentStage, UnderstandRequest, UnderstandStep
from libs.contracts.stages.retrieve import (
    DetectedRange,
    DetectRangeRequest,
    Gauged,
    GaugeQuestionsRequest,
    RetrieveRequest,
    RetrieveStage,
    RetrieveStep,
)
from libs.contracts.stages.timeline import BuildRequest, BuildStep, TimelineStage
from libs.runtime.calling.local_calls import local_stream, local_unary


@dataclass(frozen=True, slots=True)
class LocalIntent:
    """IntentStage of this process."""

    stage: IntentStage
    seconds: float

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        """See IntentStage."""
        steps = partial(self.stage.understand, request)
        return local_stream("parley.intent.v1.IntentService/Understand", steps, self.seconds)


@dataclass(frozen=True, slots=True)
class LocalDecompose:
    """DecomposeStage of this process."""

    stage: DecomposeStage
    seconds: float

    def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        """See DecomposeStage."""
        steps = partial(self.stage.condense_in_steps, request)
        return local_stream("parley.decompose.v1.DecomposeService/CondenseInSteps", steps, self.seconds)

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """See DecomposeStage."""
        steps = partial(self.stage.decompose, request)
        return local_stream("parley.decompose.v1.DecomposeService/Decompose", steps, self.seconds)


@dataclass(frozen=True, slots=True)
class LocalRetrieve:
    """RetrieveStage of this process."""

    stage: RetrieveStage
    seconds: float

    def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        """See RetrieveStage."""
        return local_stream(
            "parley.retrieve.v1.RetrieveService/Retrieve", partial(self.stage.retrieve, request), self.seconds
        )

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        """See RetrieveStage."""
        work = partial(self.stage.gauge_questions, request)
        return await local_unary("parley.retrieve.v1.RetrieveService/GaugeQuestions", work, self.seconds)

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        """See RetrieveStage."""
        work = partial(self.stage.detect_range, request)
        return await local_unary("parley.retrieve.v1.RetrieveService/DetectRange", work, self.seconds)


@dataclass(frozen=True, slots=True)
class LocalAnswer:
    """AnswerStage of this process."""

    stage: AnswerStage
    seconds: float
    write_seconds: float

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See AnswerStage."""
        return local_stream(
            "parley.answer.v1.AnswerService/Write", partial(self.stage.write, request), self.write_seconds
        )

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See AnswerStage."""
        work = partial(self.stage.extract, request)
        return await local_unary("parley.answer.v1.AnswerService/Extract", work, self.seconds)


@dataclass(frozen=True, slots=True)
class LocalTimeline:
    """TimelineStage of this process."""

    stage: TimelineStage
    seconds: float

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """See TimelineStage."""
        steps = partial(self.stage.build, request)
        return local_stream("parley.timeline.v1.TimelineService/Build", steps, self.seconds)
