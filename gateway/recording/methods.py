"""The calls of the stages' Protocols: their messages, and how each is made."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from google.protobuf.message import Message

from gateway.clients import BUILDING, CONDENSING, PLANNING, RETRIEVING, UNDERSTANDING, WRITING
from gateway.stages import Stages
from libs.contracts.stages.answer import ExtractRequest, WriteRequest
from libs.contracts.stages.decompose import CondenseInStepsRequest, DecomposeRequest
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.stages.retrieve import (
    DetectRangeRequest,
    GaugeQuestionsRequest,
    RetrieveRequest,
)
from libs.contracts.stages.timeline import BuildRequest
from libs.contracts.usage import Stage
from libs.contracts.wire.codec import to_message
from parley.answer.v1 import answer_pb2
from parley.decompose.v1 import decompose_pb2
from parley.intent.v1 import intent_pb2
from parley.retrieve.v1 import retrieve_pb2
from parley.timeline.v1 import timeline_pb2

Steps = AsyncGenerator[Any, None]


class ResponseCodec(Protocol):
    """Converts a step, or the only response of a call, to its message."""

    def to_message(self, step: object) -> Message:
        """Convert a step."""
        ...


@dataclass(frozen=True, slots=True)
class UnaryCodec:
    """The ResponseCodec of a call with one response."""

    response: type[Message]

    def to_message(self, step: object) -> Message:
        """See ResponseCodec."""
        return to_message(step, self.response)


@dataclass(frozen=True, slots=True)
class Method:
    """A call of a stage's Protocol."""

    stage: Stage
    name: str
    """Name of the RPC."""
    request: type[Any]
    """Type of the request as a value."""
    request_message: type[Message]
    response_message: type[Message]
    codec: ResponseCodec
    call: Callable[[Stages, Any], Steps]
    """Makes the call; a single response is the only step."""


def _once(response: Awaitable[object]) -> Steps:
    async def steps() -> Steps:
        yield await response

    return steps()


UNDERSTAND: Final = Method(
    Stage.INTENT,
    "Understand",
    UnderstandRequest,
    intent_pb2.UnderstandRequest,
    intent_pb2.UnderstandResponse,
    UNDERSTANDING,
    lambda stages, request: stages.intent.understand(request),
)
CONDENSE: Final = Method(
    Stage.DECOMPOSE,
    "CondenseInSteps",
    CondenseInStepsRequest,
    decompose_pb2.CondenseInStepsRequest,
    decompose_pb2.CondenseInStepsResponse,
    CONDENSING,
    lambda stages, request: stages.decompose.condense_in_steps(request),
)
DECOMPOSE: Final = Method(
    Stage.DECOMPOSE,
    "Decompose",
    DecomposeRequest,
    decompose_pb2.DecomposeRequest,
    decompose_pb2.DecomposeResponse,
    PLANNING,
    lambda stages, request: stages.decompose.decompose(request),
)
RETRIEVE: Final = Method(
    Stage.RETRIEVE,
    "Retrieve",
    RetrieveRequest,
    retrieve_pb2.RetrieveRequest,
    retrieve_pb2.RetrieveResponse,
    RETRIEVING,
    lambda stages, request: stages.retrieve.retrieve(request),
)
GAUGE_QUESTIONS: Final = Method(
    Stage.RETRIEVE,
    "GaugeQuestions",
    GaugeQuestionsRequest,
    retrieve_pb2.GaugeQuestionsRequest,
    retrieve_pb2.GaugeQuestionsResponse,
    UnaryCodec(retrieve_pb2.GaugeQuestionsResponse),
    lambda stages, request: _once(stages.retrieve.gauge_questions(request)),
)
DETECT_RANGE: Final = Method(
    Stage.RETRIEVE,
    "DetectRange",
    DetectRangeRequest,
    retrieve_pb2.DetectRangeRequest,
    retrieve_pb2.DetectRangeResponse,
    UnaryCodec(retrieve_pb2.DetectRangeResponse),
    lambda stages, request: _once(stages.retrieve.detect_range(request)),
)
WRITE: Final = Method(
    Stage.ANSWER,
    "Write",
    WriteRequest,
    answer_pb2.WriteRequest,
    answer_pb2.WriteResponse,
    WRITING,
    lambda stages, request: stages.answer.write(request),
)
EXTRACT: Final = Method(
    Stage.ANSWER,
    "Extract",
    ExtractRequest,
    answer_pb2.ExtractRequest,
    answer_pb2.ExtractResponse,
    UnaryCodec(answer_pb2.ExtractResponse),
    lambda stages, request: _once(stages.answer.extract(request)),
)
BUILD: Final = Method(
    Stage.TIMELINE,
    "Build",
    BuildRequest,
    timeline_pb2.BuildRequest,
    timeline_pb2.BuildResponse,
    BUILDING,
    lambda stages, request: stages.timeline.build(request),
)
METHODS: Final[Mapping[tuple[Stage, str], Method]] = {
    (method.stage, method.name): method
    for method in (
        UNDERSTAND,
        CONDENSE,
        DECOMPOSE,
        RETRIEVE,
        GAUGE_QUESTIONS,
        DETECT_RANGE,
        WRITE,
        EXTRACT,
        BUILD,
    )
}
"""All calls, by stage and name."""
