"""The five stages, each call recorded if its turn is; over stages in this process and over clients alike."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from gateway.recording.methods import (
    BUILD,
    CONDENSE,
    DECOMPOSE,
    DETECT_RANGE,
    EXTRACT,
    GAUGE_QUESTIONS,
    RETRIEVE,
    UNDERSTAND,
    WRITE,
)
from gateway.recording.recorder import recorded_stream, recorded_unary
from gateway.stages import Stages
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


def with_recording(stages: Stages) -> Stages:
    """Return the same stages; a turn's calls are recorded while `recorder.recording` is entered."""
    return Stages(
        RecordingIntent(stages.intent),
        RecordingDecompose(stages.decompose),
        RecordingRetrieve(stages.retrieve),
        RecordingAnswer(stages.answer),
        RecordingTimeline(stages.timeline),
    )


@dataclass(frozen=True, slots=True)
class RecordingIntent:
    """IntentStage whose calls are recorded."""

    stage: IntentStage

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        """See IntentStage."""
        return recorded_stream(UNDERSTAND, self.stage.understand, request)


@dataclass(frozen=True, slots=True)
class RecordingDecompose:
    """DecomposeStage whose calls are recorded."""

    stage: DecomposeStage

    def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        """See DecomposeStage."""
        return recorded_stream(CONDENSE, self.stage.condense_in_steps, request)

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """See DecomposeStage."""
        return recorded_stream(DECOMPOSE, self.stage.decompose, request)


@dataclass(frozen=True, slots=True)
class RecordingRetrieve:
    """RetrieveStage whose calls are recorded."""

    stage: RetrieveStage

    def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        """See RetrieveStage."""
        return recorded_stream(RETRIEVE, self.stage.retrieve, request)

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        """See RetrieveStage."""
        return await recorded_unary(GAUGE_QUESTIONS, self.stage.gauge_questions, request)

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        """See RetrieveStage."""
        return await recorded_unary(DETECT_RANGE, self.stage.detect_range, request)


@dataclass(frozen=True, slots=True)
class RecordingAnswer:
    """AnswerStage whose calls are recorded."""

    stage: AnswerStage

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See AnswerStage."""
        return recorded_stream(WRITE, self.stage.write, request)

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See AnswerStage."""
        return await recorded_unary(EXTRACT, self.stage.extract, request)


@dataclass(frozen=True, slots=True)
class RecordingTimeline:
    """TimelineStage whose calls are recorded."""

    stage: TimelineStage

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """See TimelineStage."""
        return recorded_stream(BUILD, self.stage.build, request)
