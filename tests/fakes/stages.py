"""Scripted stages: the gateway's Protocols answered from plain values, with failures and delays on request."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.calling.stages import StageResult, Stages
from libs.contracts.answers import Answer, Citation, CitedSpan, TextDelta, Verdict
from libs.contracts.conversation import ConversationView
from libs.contracts.evidence import EngineScores, Evidence, Passage, RankedPassage, Relevance
from libs.contracts.methods import Request, Response, Step, StreamMethod, UnaryMethod
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import (
    Decision,
    DecisionRecord,
    QueryGraph,
    QueryNode,
    WeightedQuery,
)
from libs.contracts.spans import Span
from libs.contracts.stages.answer import (
    ExtractRequest,
    ExtractResponse,
    FollowUps,
    WriteRequest,
    WriteResult,
    WriteStep,
)
from libs.contracts.stages.decompose import (
    Condensed,
    CondenseHint,
    CondenseInStepsRequest,
    CondenseRequest,
    CondenseStep,
    DecomposeRequest,
    DecomposeStep,
    Planned,
    ReadAhead,
    ReadAheadRequest,
)
from libs.contracts.stages.intent import UnderstandHint, UnderstandRequest, UnderstandStep, Understood
from libs.contracts.stages.retrieve import (
    DetectedRange,
    DetectRangeRequest,
    EarlierRanking,
    Gauged,
    GaugeQuestionsRequest,
    Languages,
    ListLanguagesRequest,
    RetrieveRequest,
    RetrieveResult,
    RetrieveStep,
)
from libs.contracts.stages.timeline import BuildRequest, BuildStep, Built
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Usage
from libs.runtime.errors import ParleyError


def evidence(name: str, score: float = 1.0, rank: int = 1, relevance: Relevance = Relevance.HIGH) -> Evidence:
    """A piece of evidence whose passage says its name."""
    return Evidence(Passage(name, f"doc-{name}", f"About {name}."), EngineScores(fused=score), rank, relevance)


def _first_span(evidence: Sequence[Evidence]) -> CitedSpan | None:
    """The first passage, from end to end."""
    for item in evidence[:1]:
        text = item.passage.text
        return CitedSpan(0, item.passage.passage_id, Span(0, len(text)), text)
    return None


@dataclass(frozen=True)
class ScriptedCalls:
    """Calls the methods of an object that have the names of the tasks."""

    tasks: Any

    def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """See Stages."""
        steps: AsyncGenerator[Step, None] = getattr(self.tasks, method.task)(request)
        return steps

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """See Stages."""
        response: Response = await getattr(self.tasks, method.task)(request)
        return response


@dataclass
class ScriptedStages:
    """All five stages in one; every call is kept in `calls` as (method, main argument)."""

    understanding: Understanding = field(default_factory=lambda: Understanding(grounded_query=""))
    record: DecisionRecord | None = None
    graph: QueryGraph | None = None
    results: Mapping[str, Sequence[Evidence]] = field(default_factory=dict)
    extracts: dict[str, str] = field(default_factory=dict)
    text: str = "It landed. [1]"
    abstained: bool = False
    abstains: bool = False
    questions: tuple[str, ...] = ()
    timeline: Timeline = field(default_factory=Timeline)
    failures: dict[str, ParleyError] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)
    range: DetectedRange = field(default_factory=DetectedRange)
    condense_hints: tuple[CondenseHint, ...] = ()
    """What is told while condensing, each after its delay `condense_hints`."""
    understand_hints: tuple[UnderstandHint, ...] = ()
    """What is told while understanding, likewise."""
    planned_graph: QueryGraph | None = None
    """What is planned while condensing, where that is wanted."""
    condense_usage: tuple[Usage, ...] = ()
    """What condensing used."""
    calls: list[tuple[str, object]] = field(default_factory=list)
    finished_calls: list[str] = field(default_factory=list)
    """The methods in the order in which they had waited for their delays; of streams, before the first step."""
    condense_requests: list[CondenseRequest] = field(default_factory=list)
    """What was to be condensed, and how."""
    recalled: list[tuple[EarlierRanking, ...]] = field(default_factory=list)
    """What each search was to recall."""
    read_views: list[ConversationView] = field(default_factory=list)
    """What was to be read ahead."""

    def stages(self) -> Stages:
        """As the gateway takes them."""
        return ScriptedCalls(self)

    async def _called(self, method: str, argument: object) -> None:
        self.calls.append((method, argument))
        await asyncio.sleep(self.delays.get(method, 0))
        self.finished_calls.append(method)
        if method in self.failures:
            raise self.failures[method]

    def count(self, method: str) -> int:
        """How often a method was called."""
        return sum(name == method for name, _ in self.calls)

    async def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        self.condense_requests.append(request.condense)
        for hint in self.condense_hints:
            await asyncio.sleep(self.delays.get("condense_hints", 0))
            yield hint
        yield await self.on_condense(request)

    async def on_condense(self, request: CondenseInStepsRequest) -> Condensed:
        """The result of condensing; a test may override this method and those like it."""
        turn = request.condense
        await self._called("condense", turn.view)
        record = self.record or DecisionRecord(Decision.PASS, "it stands alone", turn.question, turn.question)
        return Condensed(record, usage=self.condense_usage, graph=self.planned_graph if request.plan else None)

    async def understand(self, request: UnderstandRequest) -> AsyncGenerator[UnderstandStep, None]:
        for hint in self.understand_hints if request.understood is None else ():
            await asyncio.sleep(self.delays.get("understand_hints", 0))
            yield hint
        yield await self.on_understand(request)

    async def on_understand(self, request: UnderstandRequest) -> Understood:
        await self._called("understand" if request.understood is None else "understand anew", request.probe)
        return Understood(self.understanding)

    async def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        yield await self.on_decompose(request)

    async def on_decompose(self, request: DecomposeRequest) -> Planned:
        await self._called("decompose", request.scene)
        return Planned(self.graph or QueryGraph((QueryNode("1", request.question),)))

    async def read_ahead(self, request: ReadAheadRequest) -> ReadAhead:
        self.read_views.append(request.view)
        if "read_ahead" in self.failures:
            raise self.failures["read_ahead"]
        return ReadAhead()

    async def retrieve(self, request: RetrieveRequest) -> AsyncGenerator[RetrieveStep, None]:
        self.recalled.append(request.earlier)
        yield await self.on_retrieve(request.query, request.options)

    async def search(self, query: WeightedQuery, options: RetrieveOptions) -> StageResult[RetrieveResult]:
        """As the executor searches."""
        return StageResult(await self.on_retrieve(query, options))

    async def on_retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> RetrieveResult:
        await self._called("retrieve", query.text)
        await asyncio.sleep(self.delays.get(f"retrieve {query.text}", 0))
        if f"retrieve {query.text}" in self.failures:
            raise self.failures[f"retrieve {query.text}"]
        evidence = tuple(self.results.get(query.text, self.results.get("*", ())))
        ranking = tuple(RankedPassage(item.passage.passage_id, item.scores.fused) for item in evidence)
        return RetrieveResult(evidence, ranking[: options.ranking])

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        await self._called("gauge_questions", request.questions)
        results = [self.results.get(question, self.results.get("*", ())) for question in request.questions]
        return Gauged(tuple(evidence[0].relevance if evidence else Relevance.LOW for evidence in results))

    async def detect_range(self, request: DetectRangeRequest) -> DetectedRange:
        await self._called("detect_range", request.question)
        return self.range

    async def list_languages(self, request: ListLanguagesRequest) -> Languages:
        return Languages(("en",))

    async def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        await self._called("write", request)
        spans = tuple(
            CitedSpan(reference.number, reference.evidence.passage.passage_id) for reference in request.references[:1]
        )
        citation = Citation(1, spans, Verdict.VERIFIED, 1.0)
        yield TextDelta(1, 1, self.text)
        await asyncio.sleep(self.delays.get("cite", 0))
        yield citation
        if request.follow_ups:
            yield FollowUps(self.questions)
        answer = Answer(self.text, (citation,), abstained=self.abstained, abstain_score=0.25, abstains=self.abstains)
        yield WriteResult(answer)

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        await self._called("extract", request.question)
        answer = self.extracts.get(request.question)
        return ExtractResponse(answer, _first_span(request.evidence)) if answer else ExtractResponse()

    async def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        await self._called("build", [item.passage.passage_id for item in request.evidence])
        yield Built(self.timeline)
