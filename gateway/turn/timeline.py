"""Builds a turn's timeline concurrently with the answer, from its own plan and evidence; it cannot fail the turn.

Events that the answer and the timeline date differently are marked in both of them, without resolving the conflict.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from gateway.calling.stages import Stages, result_of
from gateway.events.events import Plan, ignore
from gateway.graph.evidence import merge_evidence
from gateway.graph.executor import Executor
from gateway.settings import GatewaySettings
from gateway.turn.deadline_steps import Step, seconds_before_ending
from gateway.turn.question_calls import QuestionCalls
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
from libs.chronology.contradictions import AnswerSentence, Contradiction, find_contradictions
from libs.contracts.answers import Answer, Citation, Verdict
from libs.contracts.options import Depth, Scene
from libs.contracts.query import QueryGraph
from libs.contracts.stages.timeline import BUILD, BuildRequest, Built
from libs.contracts.timeline import DateConflict, Timeline
from libs.contracts.usage import Degraded, Stage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.runtime.errors import DeadlineExceeded, ParleyError, Unavailable
from libs.runtime.threads import in_thread

TIMELINE_EVIDENCE: Final = 30
"""Passages per sub-query for a timeline, more than for an answer: each event needs a passage of its own; taste."""


@dataclass(frozen=True, slots=True)
class Timeliner:
    """Plans, searches and builds a timeline."""

    stages: Stages
    executor: Executor
    settings: GatewaySettings

    async def build(self, run: TurnRun, understood: UnderstoodTurn) -> None:
        """Emit the timeline, or the reason why there is none; only when the answer may be shown."""
        await run.until_shown()
        try:
            async with asyncio.timeout(seconds_before_ending(self.settings.stage_seconds)):
                await self._build(run, understood)
        except TimeoutError:
            run.emit(Degraded(Stage.TIMELINE, "DEADLINE_EXCEEDED", "There is no timeline: its stage took too long."))
        except ParleyError as error:
            run.emit(Degraded(Stage.TIMELINE, error.reason, "There is no timeline."))

    async def _build(self, run: TurnRun, understood: UnderstoodTurn) -> None:
        graph = await self._plan(run, understood)
        options = run.retrieval(understood.understanding)
        reranked = options.depth.rerank if options.depth and Step.RERANKING in run.omitted else 0
        deep = replace(options, depth=Depth(rerank=reranked, evidence=TIMELINE_EVIDENCE), ranking=0)
        execution = await self.executor.run(understood.standalone, graph, deep, run.usage, ignore)
        request = BuildRequest(
            understood.grounded,
            tuple(merge_evidence(execution.results)),
            understood.understanding.time_range,
            run.request.options.timeline_events,
        )
        with run.usage.timed(Stage.TIMELINE, "build"):
            result = await result_of(self.stages.stream(BUILD, request), Built)
        run.usage.add(result.value.usage)
        run.update(timeline=result.value.timeline)
        run.emit_all(await mark_contradictions(run) or (result.value.timeline,))
        run.emit_all(result.degraded)

    async def _plan(self, run: TurnRun, understood: UnderstoodTurn) -> QueryGraph:
        try:
            graph = (await QuestionCalls(self.stages, run).decompose(understood, Scene.TIMELINE)).value
        except (Unavailable, DeadlineExceeded) as error:
            effect = "The timeline was not planned: it was searched with the question's own words."
            run.emit(Degraded(Stage.DECOMPOSE, error.reason, effect))
            graph = understood.unsplit
        run.emit(Plan(graph, timeline=True))
        return graph


async def mark_contradictions(run: TurnRun) -> tuple[Timeline | Citation, ...]:
    """Mark what answer and timeline date differently, and return what has to be emitted again, the timeline first.

    The timeline gets a conflict between the event and the sentence. The sentence's citation names the other date and
    is no longer verified: its own source supports it, another one does not. Call this when the answer is complete and
    when the timeline is; the comparison is made by the later call.
    """
    answer, timeline = run.turn.answer, run.turn.timeline
    if answer is None or timeline is None:
        return ()
    question = run.turn.record.question if run.turn.record else ""
    language = reading_language(question or run.request.question, usual=ENGLISH)
    sentences = list(_sentences(run, answer))
    found = await in_thread(find_contradictions, sentences, timeline, language)
    if not found:
        return ()
    by_sentence = {one.sentence: one for one in found}
    conflicts = tuple(DateConflict((one.event_id,), _conflict_text(one), one.sentence) for one in found)
    marked = replace(timeline, conflicts=timeline.conflicts + conflicts)
    citations = tuple(
        _mark(citation, by_sentence[citation.sentence]) if citation.sentence in by_sentence else citation
        for citation in answer.citations
    )
    run.update(timeline=marked, answer=replace(answer, citations=citations))
    return (marked, *(citation for citation in citations if citation.sentence in by_sentence))


def _sentences(run: TurnRun, answer: Answer) -> Iterator[AnswerSentence]:
    """Yield the current text of the sentences that have citations and are not withdrawn."""
    documents = {r.evidence.passage.passage_id: r.evidence.passage.document_id for r in run.turn.references}
    for citation in answer.citations:
        streamed_text = run.sentences.get(citation.sentence, "")
        text = streamed_text if citation.replacement is None else citation.replacement
        if text and citation.references and citation.verdict is not Verdict.WITHDRAWN:
            document_ids = frozenset(documents.get(span.passage_id, span.passage_id) for span in citation.references)
            yield AnswerSentence(
                citation.sentence, text, document_ids, tuple(span.quote for span in citation.references)
            )


def _conflict_text(one: Contradiction) -> str:
    return f"The answer (sentence {one.sentence}) says {one.said!r}, the timeline {one.told!r}."


def _mark(citation: Citation, one: Contradiction) -> Citation:
    reason = f"The timeline gives another date: {one.told!r}, not {one.said!r}."
    return replace(citation, verdict=Verdict.WEAK, reason=f"{citation.reason} {reason}".strip())
