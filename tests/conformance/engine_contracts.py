"""What the engine of each language task promises; call the task's function with an engine of your own."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, TypeVar

from libs.contracts.answers import Citation, TextDelta, Verdict
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.engines import (
    CondenseEngine,
    DateEngine,
    ExtractEngine,
    JudgeEngine,
    PlanEngine,
    RecommendEngine,
    VerifyEngine,
    WriteEngine,
)
from libs.contracts.evidence import EngineScores, Evidence, Passage, Reference, Relevance
from libs.contracts.query import Decision, QueryGraph
from libs.contracts.stages.answer import ExtractRequest, RecommendRequest, VerifyRequest, WriteRequest, WriteResult
from libs.contracts.stages.decompose import CondenseRequest, DecomposeRequest, Planned
from libs.contracts.stages.timeline import BuildRequest, Built

TEXT = "The old mill was built in May 1849. It burned down on 3 June 1901. The new mill opened in 1905."
PASSAGE = Passage("p-1", "d-1", TEXT, title="The old mill", headings=("History",), language="en")
EVIDENCE = (Evidence(PASSAGE, EngineScores(lexical=3.5, fused=0.9), 1, Relevance.HIGH),)
REFERENCES = (Reference(1, EVIDENCE[0]),)
VIEW = ConversationView(
    messages=(
        HistoryMessage(Speaker.USER, "Was the old mill built in 1849?"),
        HistoryMessage(Speaker.AGENT, "The old mill was built in May 1849."),
    )
)
QUESTION = "When did the old mill burn down?"
ODD_QUESTIONS = ("?", "…", "水车是什么时候建的?", "mill " * 400, "a\u0000b \u202eabc")
T = TypeVar("T")


async def steps_of(stream: AsyncGenerator[Any, None]) -> list[Any]:
    """All steps of a stream."""
    async with aclosing(stream) as steps:
        return [step async for step in steps]


def _result(steps: list[Any], kind: type[T]) -> T:
    """The last step, which is the only one of its kind."""
    assert [type(step) for step in steps].count(kind) == 1
    assert isinstance(steps[-1], kind)
    return steps[-1]


async def check_judge(engine: JudgeEngine) -> None:
    """A plain question passes; any text is judged; a refusal has a reason."""
    assert not (await engine.judge(QUESTION)).question_rejection.is_reject
    for question in ODD_QUESTIONS:
        rejection = (await engine.judge(question)).question_rejection
        assert not rejection.is_reject or rejection.reject_reason


async def check_condense(engine: CondenseEngine) -> None:
    """The raw turn is kept; a first turn stays as it is; a follow-up names what it asks again."""
    first = (await engine.condense(CondenseRequest(QUESTION))).record
    assert (first.raw, first.standalone, first.decision) == (QUESTION, QUESTION, Decision.PASS)
    follow_up = (await engine.condense(CondenseRequest("And in 1905?", VIEW))).record
    assert follow_up.raw == "And in 1905?"
    assert "mill" in follow_up.standalone
    for question in ODD_QUESTIONS:
        record = (await engine.condense(CondenseRequest(question, VIEW))).record
        assert record.raw == question
        assert record.standalone
        assert 0 <= record.confidence <= 1


async def check_plan(engine: PlanEngine) -> None:
    """The last step is a graph that is not empty, whose nodes are distinct and depend on earlier ones."""
    for question in (QUESTION, "When was the old mill built and when did the new mill open?", *ODD_QUESTIONS):
        graph = _result(await steps_of(engine.decompose(DecomposeRequest(question))), Planned).graph
        assert graph.nodes
        _check_order(graph)


def _check_order(graph: QueryGraph) -> None:
    ids: list[str] = []
    for node in graph.nodes:
        assert node.text
        assert node.id not in ids
        assert set(node.links) <= set(ids), "a node waits only for nodes before it"
        ids.append(node.id)


async def check_write(engine: WriteEngine) -> None:
    """The last step is the answer; the deltas are its text; citations name references and quote within passages."""
    steps = await steps_of(engine.write(WriteRequest(QUESTION, references=REFERENCES)))
    answer = _result(steps, WriteResult).answer
    citations = [step for step in steps if isinstance(step, Citation)]
    if all(citation.replacement is None for citation in citations):
        assert "".join(step.delta for step in steps if isinstance(step, TextDelta)).split() == answer.text.split()
    assert answer.text
    _check_spans(answer.citations)
    empty = _result(await steps_of(engine.write(WriteRequest(QUESTION))), WriteResult).answer
    assert empty.abstained
    assert not empty.citations


def _check_spans(citations: tuple[Citation, ...]) -> None:
    for citation in citations:
        for reference in citation.references:
            assert reference.passage_id == PASSAGE.passage_id
            assert 0 <= reference.span.start <= reference.span.end <= len(TEXT)


async def check_extract(engine: ExtractEngine) -> None:
    """A short answer stands in the passage that its source names; without evidence there is none."""
    response = await engine.extract(ExtractRequest(QUESTION, EVIDENCE))
    if response.answer is not None:
        assert response.source is not None
        assert response.source.span.of(TEXT)
        assert response.answer in TEXT
        assert 0 < response.confidence <= 1
    assert (await engine.extract(ExtractRequest(QUESTION))).answer is None


async def check_verify(engine: VerifyEngine) -> None:
    """Each sentence gets one citation, in order; what the passage states is not withdrawn; any text is verified."""
    sentences = ("The old mill was built in May 1849.", *ODD_QUESTIONS)
    citations = (await engine.verify(VerifyRequest(sentences, (PASSAGE,)))).citations
    assert len(citations) == len(sentences)
    assert [citation.sentence for citation in citations] == sorted({citation.sentence for citation in citations})
    assert citations[0].verdict is not Verdict.WITHDRAWN
    _check_spans(citations)


async def check_recommend(engine: RecommendEngine) -> None:
    """Questions are distinct and not empty; without evidence nothing is recommended."""
    questions = (await engine.recommend(RecommendRequest(QUESTION, EVIDENCE, VIEW))).questions
    assert all(question.strip() for question in questions)
    assert len(set(questions)) == len(questions)
    assert not (await engine.recommend(RecommendRequest(QUESTION))).questions


async def check_date(engine: DateEngine) -> None:
    """The last step is a timeline in order of time; each event names a passage and dates that the text has."""
    timeline = _result(
        await steps_of(engine.build(BuildRequest("What happened to the mill?", EVIDENCE))), Built
    ).timeline
    assert [event.start for event in timeline.events] == sorted(event.start for event in timeline.events)
    assert {event.start.year for event in timeline.events} <= {1849, 1901, 1905}
    assert all(event.sources for event in timeline.events)
    assert len({event.event_id for event in timeline.events}) == len(timeline.events)
    empty = _result(await steps_of(engine.build(BuildRequest("What happened?"))), Built).timeline
    assert not empty.events
