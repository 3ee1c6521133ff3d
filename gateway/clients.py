"""gRPC clients of the five stages, which convert between plain values and messages."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from libs.contracts.stages.answer import WRITE_FIELDS, ExtractRequest, ExtractResponse, WriteRequest, WriteStep
from libs.contracts.stages.decompose import (
    CONDENSE_FIELDS,
    DECOMPOSE_FIELDS,
    CondenseInStepsRequest,
    CondenseStep,
    DecomposeRequest,
    DecomposeStep,
)
from libs.contracts.stages.intent import UNDERSTAND_FIELDS, UnderstandRequest, UnderstandStep
from libs.contracts.stages.retrieve import (
    RETRIEVE_FIELDS,
    DetectedRange,
    DetectRangeRequest,
    Gauged,
    GaugeQuestionsRequest,
    RetrieveRequest,
    RetrieveStep,
)
from libs.contracts.stages.timeline import BUILD_FIELDS, BuildRequest, BuildStep
from libs.contracts.wire.codec import from_message, to_message
from libs.contracts.wire.malformed import MalformedMessage
from libs.contracts.wire.steps import StepCodec
from libs.runtime.calling.peer import Peer
from libs.runtime.errors import Unavailable
from libs.runtime.telemetry.telemetry_names import PROGRESS
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.decompose.v1 import decompose_pb2, decompose_pb2_grpc
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from parley.retrieve.v1 import retrieve_pb2, retrieve_pb2_grpc
from parley.timeline.v1 import timeline_pb2, timeline_pb2_grpc

QUIETLY: Final = ((PROGRESS, "off"),)
"""Metadata that switches off progress messages: the gateway does not forward them, and each message costs time."""

T = TypeVar("T")

UNDERSTANDING: Final = StepCodec(intent_pb2.UnderstandResponse, UNDERSTAND_FIELDS)
CONDENSING: Final = StepCodec(decompose_pb2.CondenseInStepsResponse, CONDENSE_FIELDS)
PLANNING: Final = StepCodec(decompose_pb2.DecomposeResponse, DECOMPOSE_FIELDS)
RETRIEVING: Final = StepCodec(retrieve_pb2.RetrieveResponse, RETRIEVE_FIELDS)
WRITING: Final = StepCodec(answer_pb2.WriteResponse, WRITE_FIELDS)
BUILDING: Final = StepCodec(timeline_pb2.BuildResponse, BUILD_FIELDS)


async def _steps(
    peer: Peer, method: Callable[..., Any], request: Message, seconds: float, codec: StepCodec[Any]
) -> AsyncGenerator[Any, None]:
    """Call a stage and yield its steps; those of a newer version that are not known here are left out."""
    async with aclosing(peer.stream(method, request, timeout=seconds, metadata=QUIETLY)) as responses:
        async for response in responses:
            if (step := _read(codec.from_message, response)) is not None:
                yield step


def _read(read: Callable[..., T], *response: Any) -> T:
    """Convert a response.

    Raises:
        Unavailable: it lacks what its value needs (reason STAGE_FAILED).
    """
    try:
        return read(*response)
    except MalformedMessage as error:
        raise Unavailable("STAGE_FAILED", "A stage gave an incomplete answer.") from error


def _value(response: Message, value_type: type[T]) -> T:
    value: T = _read(from_message, response, value_type)
    return value


class IntentClient:
    """IntentStage over gRPC."""

    def __init__(self, peer: Peer, seconds: float) -> None:
        self._peer = peer
        self._stub = intent_pb2_grpc.IntentServiceStub(peer.channel)
        self._seconds = seconds

    def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        """See IntentStage."""
        message = to_message(request, intent_pb2.UnderstandRequest)
        return _steps(self._peer, self._stub.Understand, message, self._seconds, UNDERSTANDING)


class DecomposeClient:
    """DecomposeStage over gRPC."""

    def __init__(self, peer: Peer, seconds: float) -> None:
        self._peer = peer
        self._stub = decompose_pb2_grpc.DecomposeServiceStub(peer.channel)
        self._seconds = seconds

    def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        """See DecomposeStage."""
        message = to_message(request, decompose_pb2.CondenseInStepsRequest)
        return _steps(self._peer, self._stub.CondenseInSteps, message, self._seconds, CONDENSING)

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """See DecomposeStage."""
        message = to_message(request, decompose_pb2.DecomposeRequest)
        return _steps(self._peer, self._stub.Decompose, message, self._seconds, PLANNING)


class RetrieveClient:
    """RetrieveStage over gRPC."""

    def __init__(self, peer: Peer, seconds: float) -> None:
        self._peer = peer
        self._stub = retrieve_pb2_grpc.RetrieveServiceStub(peer.channel)
        self._seconds = seconds

    def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        """See RetrieveStage."""
        message = to_message(request, retrieve_pb2.RetrieveRequest)
        return _steps(self._peer, self._stub.Retrieve, message, self._seconds, RETRIEVING)

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        """See RetrieveStage."""
        message = to_message(request, retrieve_pb2.GaugeQuestionsRequest)
        response = await self._peer.unary(self._stub.GaugeQuestions, message, timeout=self._seconds)
        return _value(response, Gauged)

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        """See RetrieveStage."""
        message = to_message(request, retrieve_pb2.DetectRangeRequest)
        response = await self._peer.unary(self._stub.DetectRange, message, timeout=self._seconds)
        return _value(response, DetectedRange)


class AnswerClient:
    """AnswerStage over gRPC."""

    def __init__(self, peer: Peer, seconds: float, write_seconds: float) -> None:
        self._peer = peer
        self._stub = answer_pb2_grpc.AnswerServiceStub(peer.channel)
        self._seconds = seconds
        self._write_seconds = write_seconds

    def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See AnswerStage."""
        return _steps(
            self._peer, self._stub.Write, to_message(request, answer_pb2.WriteRequest), self._write_seconds, WRITING
        )

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        """See AnswerStage."""
        message = to_message(request, answer_pb2.ExtractRequest)
        response = await self._peer.unary(self._stub.Extract, message, timeout=self._seconds)
        return _value(response, ExtractResponse)


class TimelineClient:
    """TimelineStage over gRPC."""

    def __init__(self, peer: Peer, seconds: float) -> None:
        self._peer = peer
        self._stub = timeline_pb2_grpc.TimelineServiceStub(peer.channel)
        self._seconds = seconds

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """See TimelineStage."""
        return _steps(
            self._peer, self._stub.Build, to_message(request, timeline_pb2.BuildRequest), self._seconds, BUILDING
        )
