"""Scripted stages: the gateway's Protocols answered from plain values, with failures and delays on request."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gateway.stages import (
    Built,
    Condensed,
    CondenseHint,
    CondenseRequest,
    DetectedRange,
    Extracted,
    FollowUps,
    Found,
    Planned,
    Stages,
    UnderstandHint,
    Understood,
    WriteRequest,
    WriteStep,
    Written,
)
from libs.contracts.answers import Answer, Citation, CitedSpan, TextDelta, Verdict
from libs.contracts.conversation import ConversationView
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import EngineScores, Evidence, Passage, RankedPassage, Relevance
from libs.contracts.options import RetrieveOptions, Scene, Setting
from libs.contracts.query import (
    Decision,
    DecisionRecord,
    QueryGraph,
    QueryNode,
    WeightedQuery,
)
from libs.contracts.spans import Span
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Usage
from libs.runtime.errors import ParleyError


def evidence(name: str, score: float = 1.0, rank: int = 1, relevance: Relevance = Relevance.HIGH) -> Evidence:
    """A piece of evidence whose passage says its name."""
    return Evidence(Passage(name, f"doc-{name}", f"About {name}."), EngineScores(fused=score), rank, relevance)


def _first_span(found: Sequence[Evidence]) -> CitedSpan | None:
    """The first passage, from end to end."""
    for item in found[:1]:
        text = item.passage.text
        return CitedSpan(0, item.passage.passage_id, Span(0, len(text)), text)
    return None


@dataclass
class ScriptedStages:
    """All five stages in one; every call is kept in `calls` as (method, main argument)."""

    understanding: Understanding = field(default_factory=lambda: Understanding(grounded_query=""))
    record: DecisionRecord | None = None
    graph: QueryGraph | None = None
    found: Mapping[str, Sequence[Evidence]] = field(default_factory=dict)
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
    planned: QueryGraph | None = None
    """What is planned while condensing, where that is wanted."""
    condensing: tuple[Usage, ...] = ()
    """What condensing used."""
    calls: list[tuple[str, object]] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    """The methods in the order in which they had waited for their delays; of streams, before the first step."""
    condensed: list[CondenseRequest] = field(default_factory=list)
    """What was to be condensed, and how."""

    def stages(self) -> Stages:
        """As the gateway takes them."""
        return Stages(self, self, self, self, self)

    async def _called(self, method: str, argument: object) -> None:
        self.calls.append((method, argument))
        await asyncio.sleep(self.delays.get(method, 0))
        self.ended.append(method)
        if method in self.failures:
            raise self.failures[method]

    def count(self, method: str) -> int:
        """How often a method was called."""
        return sum(called == method for called, _ in self.calls)

    async def condense(
        self, order: CondenseRequest, plan: bool = False, hint: Callable[[CondenseHint], None] | None = None
    ) -> Condensed:
        self.condensed.append(order)
        await self._hint("condense_hints", self.condense_hints, hint)
        await self._called("condense", order.view)
        record = self.record or DecisionRecord(Decision.PASS, "it stands alone", order.question, order.question)
        return Condensed(record, usage=self.condensing, graph=self.planned if plan else None)

    async def _hint(self, name: str, hints: Sequence[Any], hint: Callable[[Any], None] | None) -> None:
        for told in hints:
            await asyncio.sleep(self.delays.get(name, 0))
            if hint is not None:
                hint(told)

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
        if understood is None:
            await self._hint("understand_hints", self.understand_hints, hint)
        await self._called("understand" if understood is None else "understand anew", probe)
        return Understood(self.understanding)

    async def decompose(
        self, question: str, record: DecisionRecord, understanding: Understanding, scene: Scene
    ) -> Planned:
        await self._called("decompose", scene)
        return Planned(self.graph or QueryGraph((QueryNode("1", question),)))

    async def retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> Found:
        await self._called("retrieve", query.text)
        await asyncio.sleep(self.delays.get(f"retrieve {query.text}", 0))
        if f"retrieve {query.text}" in self.failures:
            raise self.failures[f"retrieve {query.text}"]
        found = tuple(self.found.get(query.text, self.found.get("*", ())))
        ranking = tuple(RankedPassage(item.passage.passage_id, item.scores.fused) for item in found)
        return Found(found, ranking[: options.ranking])

    async def best_relevance(self, questions: Sequence[str], options: RetrieveOptions) -> Sequence[Relevance]:
        await self._called("best_relevance", questions)
        found = [self.found.get(question, self.found.get("*", ())) for question in questions]
        return [evidence[0].relevance if evidence else Relevance.LOW for evidence in found]

    async def detect_range(self, question: str, now: datetime | None) -> DetectedRange:
        await self._called("detect_range", question)
        return self.range

    async def write(self, order: WriteRequest) -> AsyncIterator[WriteStep]:
        await self._called("write", order)
        cited = tuple(
            CitedSpan(reference.number, reference.evidence.passage.passage_id) for reference in order.references[:1]
        )
        citation = Citation(1, cited, Verdict.VERIFIED, 1.0)
        yield TextDelta(1, 1, self.text)
        yield citation
        if order.follow_ups:
            yield FollowUps(self.questions)
        answer = Answer(self.text, (citation,), abstained=self.abstained, abstain_score=0.25, abstains=self.abstains)
        yield Written(answer)

    async def extract(self, question: str, evidence: Sequence[Evidence]) -> Extracted | None:
        await self._called("extract", question)
        answer = self.extracts.get(question)
        return Extracted(answer, _first_span(evidence)) if answer else None

    async def build(
        self, question: str, evidence: Sequence[Evidence], time_range: TimeRange | None, events: int = 0
    ) -> Built:
        await self._called("build", [item.passage.passage_id for item in evidence])
        return Built(self.timeline)
