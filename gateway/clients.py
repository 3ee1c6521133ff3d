"""gRPC clients of the five stages, which convert between plain values and messages."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from datetime import datetime
from functools import partial
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from gateway.stages import (
    Built,
    Condensed,
    CondenseHint,
    CondenseRequest,
    DetectedRange,
    Extracted,
    FollowUps,
    Found,
    Gauged,
    Numbering,
    Planned,
    PlanVerdict,
    UnderstandHint,
    Understood,
    Verdict,
    WriteRequest,
    WriteStep,
    Written,
)
from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, TextDelta
from libs.contracts.conversation import ConversationView
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence, RankedPassage, Relevance
from libs.contracts.options import RetrieveOptions, Scene, Setting
from libs.contracts.query import DecisionRecord, QueryGraph, SearchedTerm, WeightedQuery
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Usage
from libs.contracts.wire.codec import from_message, to_message
from libs.runtime.channel import stream, unary
from libs.runtime.errors import InternalError
from libs.runtime.telemetry_names import PROGRESS
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.context.v1 import basics_pb2, conversation_pb2, evidence_pb2, query_pb2, understanding_pb2, usage_pb2
from parley.decompose.v1 import decompose_pb2, decompose_pb2_grpc
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from parley.retrieve.v1 import retrieve_pb2, retrieve_pb2_grpc
from parley.timeline.v1 import timeline_pb2, timeline_pb2_grpc

QUIETLY: Final = ((PROGRESS, "off"),)
"""Metadata that switches off progress messages: the gateway does not forward them, and each message costs time."""

WRITE_STEPS: Final[dict[str, type]] = {
    "text": TextDelta,
    "citation": Citation,
    "image": PlacedImage,
    "degraded": Degraded,
    "numbering": Numbering,
    "asked": Usage,
    "follow_ups": FollowUps,
}
CONDENSE_HINTS: Final[dict[str, type]] = {"by_rules": DecisionRecord, "verdict": PlanVerdict, "graph": QueryGraph}
UNDERSTAND_HINTS: Final[dict[str, type]] = {"by_rules": Understanding, "verdict": Verdict}


def _view(view: ConversationView) -> conversation_pb2.ConversationView:
    return to_message(view, conversation_pb2.ConversationView)


def _record(record: DecisionRecord) -> query_pb2.DecisionRecord:
    return to_message(record, query_pb2.DecisionRecord)


def _evidence(evidence: Sequence[Evidence]) -> list[evidence_pb2.Evidence]:
    return [to_message(item, evidence_pb2.Evidence) for item in evidence]


def _usage(used: Iterable[usage_pb2.Usage]) -> tuple[Usage, ...]:
    return tuple(from_message(item, Usage) for item in used)


def _degraded(told: Iterable[usage_pb2.Degraded]) -> tuple[Degraded, ...]:
    return tuple(from_message(item, Degraded) for item in told)


async def _result(
    method: Callable[..., Any], request: Message, seconds: float, on_the_way: Callable[[Any], None] | None = None
) -> tuple[Any, tuple[Degraded, ...]]:
    """Return the result and the degradations of a stage's stream; `on_the_way` receives all other steps.

    Raises:
        InternalError: the stream ended without a result (reason STAGE_FAILED).
    """
    told, result = [], None
    async with aclosing(stream(method, request, timeout=seconds, metadata=QUIETLY)) as steps:
        async for step in steps:  # read to its end, since cancelling a stream costs more
            kind = step.WhichOneof("step")
            if kind == "degraded":
                told.append(step.degraded)
            elif kind == "result":
                result = step.result
            elif on_the_way is not None:
                on_the_way(step)
    if result is None:
        raise InternalError("A stage ended without its result.", reason="STAGE_FAILED")
    return result, _degraded(told)


def _hint(kinds: dict[str, type], hint: Callable[[Any], None] | None, step: Any) -> None:
    """Pass a step to `hint` if it is one of the kinds."""
    kind = step.WhichOneof("step")
    if hint is not None and kind in kinds:
        hint(from_message(getattr(step, kind), kinds[kind]))


class IntentClient:
    """IntentStage over gRPC."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float) -> None:
        self._stub = intent_pb2_grpc.IntentServiceStub(channel)
        self._seconds = seconds

    async def understand(
        self,
        question: str,
        record: DecisionRecord,
        view: ConversationView,
        probe: Sequence[Evidence],
        setting: Setting,
        hint: Callable[[UnderstandHint], None] | None = None,
        understood: Understanding | None = None,
    ) -> Understood:
        """See IntentStage."""
        request = intent_pb2.UnderstandRequest(
            question=question,
            record=_record(record),
            view=_view(view),
            probe=_evidence(probe),
            setting=to_message(setting, intent_pb2.Setting),
        )
        if understood is not None:
            request.understood.CopyFrom(to_message(understood, understanding_pb2.Understanding))
        hints = partial(_hint, UNDERSTAND_HINTS, hint)
        result, degraded = await _result(self._stub.Understand, request, self._seconds, hints)
        return Understood(from_message(result.understanding, Understanding), degraded, _usage(result.usage))


class DecomposeClient:
    """DecomposeStage over gRPC."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float) -> None:
        self._stub = decompose_pb2_grpc.DecomposeServiceStub(channel)
        self._seconds = seconds

    async def condense(
        self, order: CondenseRequest, plan: bool = False, hint: Callable[[CondenseHint], None] | None = None
    ) -> Condensed:
        """See DecomposeStage."""
        condense = to_message(order, decompose_pb2.CondenseRequest)
        request = decompose_pb2.CondenseInStepsRequest(condense=condense, plan=plan)
        hints = partial(_hint, CONDENSE_HINTS, hint)
        response, _ = await _result(self._stub.CondenseInSteps, request, self._seconds, hints)
        record = from_message(response.record, DecisionRecord)
        graph = from_message(response.graph, QueryGraph) if response.HasField("graph") else None
        return Condensed(record, _degraded(response.degraded), _usage(response.usage), graph)

    async def decompose(
        self, question: str, record: DecisionRecord, understanding: Understanding, scene: Scene
    ) -> Planned:
        """See DecomposeStage."""
        request = decompose_pb2.DecomposeRequest(
            question=question,
            record=_record(record),
            understanding=to_message(understanding, understanding_pb2.Understanding),
            scene=decompose_pb2.Scene.Value(f"SCENE_{scene.value}"),
        )
        result, degraded = await _result(self._stub.Decompose, request, self._seconds)
        return Planned(from_message(result.graph, QueryGraph), degraded, _usage(result.usage))


class RetrieveClient:
    """RetrieveStage over gRPC."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float) -> None:
        self._stub = retrieve_pb2_grpc.RetrieveServiceStub(channel)
        self._seconds = seconds

    async def retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> Found:
        """See RetrieveStage."""
        request = retrieve_pb2.RetrieveRequest(
            query=to_message(query, query_pb2.WeightedQuery),
            options=to_message(options, retrieve_pb2.RetrieveOptions),
        )
        result, degraded = await _result(self._stub.Retrieve, request, self._seconds)
        evidence = tuple(from_message(item, Evidence) for item in result.evidence)
        ranking = tuple(from_message(item, RankedPassage) for item in result.ranking)
        terms = tuple(from_message(item, SearchedTerm) for item in result.terms)
        return Found(evidence, ranking, terms, degraded, _usage(result.usage))

    async def best_relevance(self, questions: Sequence[str], options: RetrieveOptions) -> Sequence[Relevance]:
        """See RetrieveStage."""
        request = retrieve_pb2.GaugeQuestionsRequest(
            questions=questions, options=to_message(options, retrieve_pb2.RetrieveOptions)
        )
        return from_message(await unary(self._stub.GaugeQuestions, request, timeout=self._seconds), Gauged).relevance

    async def detect_range(self, question: str, now: datetime | None) -> DetectedRange:
        """See RetrieveStage."""
        request = retrieve_pb2.DetectRangeRequest(question=question)
        if now is not None:
            request.now.FromDatetime(now)
        response = await unary(self._stub.DetectRange, request, timeout=self._seconds)
        return from_message(response, DetectedRange)


class AnswerClient:
    """AnswerStage over gRPC."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float, write_seconds: float) -> None:
        self._stub = answer_pb2_grpc.AnswerServiceStub(channel)
        self._seconds = seconds
        self._write_seconds = write_seconds

    async def write(self, order: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        """See AnswerStage."""
        request = to_message(order, answer_pb2.WriteRequest)
        async with aclosing(stream(self._stub.Write, request, timeout=self._write_seconds, metadata=QUIETLY)) as steps:
            async for step in steps:
                kind = step.WhichOneof("step")
                if kind == "result":
                    yield Written(from_message(step.result.answer, Answer), _usage(step.result.usage))
                elif kind in WRITE_STEPS:
                    yield from_message(getattr(step, kind), WRITE_STEPS[kind])

    async def extract(self, question: str, evidence: Sequence[Evidence]) -> Extracted | None:
        """See AnswerStage."""
        request = answer_pb2.ExtractRequest(question=question, evidence=_evidence(evidence))
        response = await unary(self._stub.Extract, request, timeout=self._seconds)
        if not response.HasField("answer"):
            return None
        source = from_message(response.source, CitedSpan) if response.HasField("source") else None
        return Extracted(response.answer, source)


class TimelineClient:
    """TimelineStage over gRPC."""

    def __init__(self, channel: grpc.aio.Channel, seconds: float) -> None:
        self._stub = timeline_pb2_grpc.TimelineServiceStub(channel)
        self._seconds = seconds

    async def build(
        self, question: str, evidence: Sequence[Evidence], time_range: TimeRange | None, events: int = 0
    ) -> Built:
        """See TimelineStage."""
        request = timeline_pb2.BuildRequest(question=question, evidence=_evidence(evidence), max_events=events)
        if time_range is not None:
            request.time_range.CopyFrom(to_message(time_range, basics_pb2.TimeRange))
        result, degraded = await _result(self._stub.Build, request, self._seconds)
        return Built(from_message(result.timeline, Timeline), degraded, _usage(result.usage))
