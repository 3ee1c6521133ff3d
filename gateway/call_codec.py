"""Encodes stage calls with the contract's own messages, for the event log."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from google.protobuf.message import Message

from gateway.clients import BUILDING, CONDENSING, PLANNING, RETRIEVING, UNDERSTANDING, WRITING
from libs.contracts.conversation import ConversationView
from libs.contracts.options import Budget, Setting
from libs.contracts.stages.answer import ExtractResponse, WriteRequest
from libs.contracts.stages.decompose import CondenseInStepsRequest
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.stages.retrieve import DetectedRange, DetectRangeRequest, Gauged
from libs.contracts.usage import Progress
from libs.contracts.wire.codec import from_message, to_message
from libs.contracts.wire.framing import join, split
from libs.contracts.wire.steps import StepCodec
from parley.answer.v1 import answer_pb2
from parley.decompose.v1 import decompose_pb2
from parley.intent.v1 import intent_pb2
from parley.retrieve.v1 import retrieve_pb2
from parley.timeline.v1 import timeline_pb2

_NO_VIEW: Final = ConversationView()
KEY_BYTES: Final = 12
"""Length of a request's hash; a turn has some ten calls."""


@dataclass(frozen=True, slots=True)
class _Stream:
    """A method that responds with steps."""

    request: type[Message]
    steps: StepCodec[Any]
    response: type[Message]

    def to_bytes(self, step: object) -> bytes:
        return bytes(self.steps.to_message(step).SerializeToString())

    def from_bytes(self, content: bytes) -> object:
        step: object = self.steps.from_message(self.response.FromString(content))
        return step


@dataclass(frozen=True, slots=True)
class _Unary:
    """A method with one response."""

    request: type[Message]
    response: type[Message]
    value: type[Any]

    def to_bytes(self, value: object) -> bytes:
        return bytes(to_message(value, self.response).SerializeToString())

    def from_bytes(self, content: bytes) -> object:
        value: object = from_message(self.response.FromString(content), self.value)
        return value


METHODS: Final[Mapping[str, _Stream | _Unary]] = {
    "understand": _Stream(intent_pb2.UnderstandRequest, UNDERSTANDING, intent_pb2.UnderstandResponse),
    "condense_in_steps": _Stream(
        decompose_pb2.CondenseInStepsRequest, CONDENSING, decompose_pb2.CondenseInStepsResponse
    ),
    "decompose": _Stream(decompose_pb2.DecomposeRequest, PLANNING, decompose_pb2.DecomposeResponse),
    "retrieve": _Stream(retrieve_pb2.RetrieveRequest, RETRIEVING, retrieve_pb2.RetrieveResponse),
    "gauge_questions": _Unary(retrieve_pb2.GaugeQuestionsRequest, retrieve_pb2.GaugeQuestionsResponse, Gauged),
    "detect_range": _Unary(retrieve_pb2.DetectRangeRequest, retrieve_pb2.DetectRangeResponse, DetectedRange),
    "write": _Stream(answer_pb2.WriteRequest, WRITING, answer_pb2.WriteResponse),
    "extract": _Unary(answer_pb2.ExtractRequest, answer_pb2.ExtractResponse, ExtractResponse),
    "build": _Stream(timeline_pb2.BuildRequest, BUILDING, timeline_pb2.BuildResponse),
}


def _essence(request: object) -> object:
    """Return the request without what is the same in all calls of a turn, or differs from run to run."""
    if isinstance(request, WriteRequest):
        return replace(request, view=_NO_VIEW, budget=Budget())
    if isinstance(request, UnderstandRequest):
        return replace(request, view=_NO_VIEW, setting=Setting())
    if isinstance(request, DetectRangeRequest):
        return replace(request, now=None)
    if isinstance(request, CondenseInStepsRequest):
        return replace(request, condense=replace(request.condense, view=_NO_VIEW))
    return request


class StageCallCodec:
    """A CallCodec over protobuf messages."""

    def key(self, method: str, request: object) -> str:
        """See CallCodec."""
        content = to_message(_essence(request), METHODS[method].request).SerializeToString(deterministic=True)
        return f"{method}-{hashlib.blake2b(content, digest_size=KEY_BYTES).hexdigest()}"

    def to_bytes(self, method: str, steps: list[Any]) -> bytes:
        """See CallCodec. Reports of progress are left out."""
        codec = METHODS[method]
        return join([codec.to_bytes(step) for step in steps if not isinstance(step, Progress)])

    def from_bytes(self, method: str, content: bytes) -> list[Any]:
        """See CallCodec."""
        codec = METHODS[method]
        return [codec.from_bytes(part) for part in split(content)]
