"""The methods of the stages' Protocols as RPCs: their messages, and how a call is made."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from google.protobuf.message import Message

from gateway.clients import BUILDING, CONDENSING, PLANNING, RETRIEVING, UNDERSTANDING, WRITING
from gateway.stage_calls.interception import StageMethod, Steps
from gateway.stages import Stages
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse, WriteRequest
from libs.contracts.stages.decompose import CondenseInStepsRequest, DecomposeRequest
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.stages.retrieve import (
    DetectedRange,
    DetectRangeRequest,
    Gauged,
    GaugeQuestionsRequest,
    RetrieveRequest,
)
from libs.contracts.stages.timeline import BuildRequest
from libs.contracts.usage import Stage
from libs.contracts.wire.codec import from_message, to_message
from parley.answer.v1 import answer_pb2
from parley.decompose.v1 import decompose_pb2
from parley.intent.v1 import intent_pb2
from parley.retrieve.v1 import retrieve_pb2
from parley.timeline.v1 import timeline_pb2


class ResponseCodec(Protocol):
    """Converts a step, or the only response of a call, to its message."""

    def to_message(self, step: object) -> Message:
        """Convert a step."""
        ...

    def from_message(self, message: Any) -> object:
        """Convert a message back."""
        ...


@dataclass(frozen=True, slots=True)
class UnaryCodec:
    """The ResponseCodec of a call with one response."""

    response: type[Message]
    value: type[Any]

    def to_message(self, step: object) -> Message:
        """See ResponseCodec."""
        return to_message(step, self.response)

    def from_message(self, message: Any) -> object:
        """See ResponseCodec."""
        value: object = from_message(message, self.value)
        return value


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a stage's Protocol."""

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


METHODS: Final[Mapping[StageMethod, Method]] = {
    StageMethod.UNDERSTAND: Method(
        Stage.INTENT,
        "Understand",
        UnderstandRequest,
        intent_pb2.UnderstandRequest,
        intent_pb2.UnderstandResponse,
        UNDERSTANDING,
        lambda stages, request: stages.intent.understand(request),
    ),
    StageMethod.CONDENSE_IN_STEPS: Method(
        Stage.DECOMPOSE,
        "CondenseInSteps",
        CondenseInStepsRequest,
        decompose_pb2.CondenseInStepsRequest,
        decompose_pb2.CondenseInStepsResponse,
        CONDENSING,
        lambda stages, request: stages.decompose.condense_in_steps(request),
    ),
    StageMethod.DECOMPOSE: Method(
        Stage.DECOMPOSE,
        "Decompose",
        DecomposeRequest,
        decompose_pb2.DecomposeRequest,
        decompose_pb2.DecomposeResponse,
        PLANNING,
        lambda stages, request: stages.decompose.decompose(request),
    ),
    StageMethod.RETRIEVE: Method(
        Stage.RETRIEVE,
        "Retrieve",
        RetrieveRequest,
        retrieve_pb2.RetrieveRequest,
        retrieve_pb2.RetrieveResponse,
        RETRIEVING,
        lambda stages, request: stages.retrieve.retrieve(request),
    ),
    StageMethod.GAUGE_QUESTIONS: Method(
        Stage.RETRIEVE,
        "GaugeQuestions",
        GaugeQuestionsRequest,
        retrieve_pb2.GaugeQuestionsRequest,
        retrieve_pb2.GaugeQuestionsResponse,
        UnaryCodec(retrieve_pb2.GaugeQuestionsResponse, Gauged),
        lambda stages, request: _once(stages.retrieve.gauge_questions(request)),
    ),
    StageMethod.DETECT_RANGE: Method(
        Stage.RETRIEVE,
        "DetectRange",
        DetectRangeRequest,
        retrieve_pb2.DetectRangeRequest,
        retrieve_pb2.DetectRangeResponse,
        UnaryCodec(retrieve_pb2.DetectRangeResponse, DetectedRange),
        lambda stages, request: _once(stages.retrieve.detect_range(request)),
    ),
    StageMethod.WRITE: Method(
        Stage.ANSWER,
        "Write",
        WriteRequest,
        answer_pb2.WriteRequest,
        answer_pb2.WriteResponse,
        WRITING,
        lambda stages, request: stages.answer.write(request),
    ),
    StageMethod.EXTRACT: Method(
        Stage.ANSWER,
        "Extract",
        ExtractRequest,
        answer_pb2.ExtractRequest,
        answer_pb2.ExtractResponse,
        UnaryCodec(answer_pb2.ExtractResponse, ExtractResponse),
        lambda stages, request: _once(stages.answer.extract(request)),
    ),
    StageMethod.BUILD: Method(
        Stage.TIMELINE,
        "Build",
        BuildRequest,
        timeline_pb2.BuildRequest,
        timeline_pb2.BuildResponse,
        BUILDING,
        lambda stages, request: stages.timeline.build(request),
    ),
}
"""The messages of every method."""
METHODS_BY_RPC: Final[Mapping[tuple[Stage, str], Method]] = {
    (method.stage, method.name): method for method in METHODS.values()
}
