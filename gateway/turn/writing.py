"""Writes a turn's answer from its evidence, emits it as it streams, and has the proposed follow-ups checked."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from gateway.calling.stages import Stages
from gateway.events.activities import CHECKING, WRITING, Activities, reading
from gateway.events.events import Recommendation, References
from gateway.graph.evidence import renumber
from gateway.request import Act
from gateway.turn.deadline_steps import Step, seconds_before_ending
from gateway.turn.turn_run import Found, TurnRun, UnderstoodTurn
from libs.contracts.answers import Answer, Citation, TextDelta
from libs.contracts.evidence import Evidence, Passage, Reference, Relevance, WholeSection
from libs.contracts.options import Budget, Depth, RetrieveOptions
from libs.contracts.query import Decision
from libs.contracts.stages.answer import (
    WRITE,
    FollowUps,
    Numbering,
    SearchAgain,
    WriteRequest,
    WriteResult,
    WriteStep,
)
from libs.contracts.stages.retrieve import (
    GAUGE_QUESTIONS,
    READ_SECTIONS,
    GaugeQuestionsRequest,
    ReadSectionsRequest,
)
from libs.contracts.structure import BlockKind
from libs.contracts.usage import Degraded, Progress, Stage, Usage
from libs.runtime import deadline
from libs.runtime.errors import ParleyError, Unavailable

CHECK_DEPTH: Final = Depth(lexical=200, vector=20, evidence=1)
"""Depth of the search that only checks whether an answer exists.

If the full-text search returns every match, as in a small collection, passages found only by vectors are known to score
0. At a lexical depth of 20 a second search was needed, which cost more (1.2 of 27 ms of processor time a turn over the
samples)."""
BEST: Final = 5
"""How many of the best references may have a table that is read whole (taste)."""
TABLES: Final = frozenset((BlockKind.TABLE, BlockKind.RECORDS))


class FollowUpCheck:
    """Keeps the proposed follow-ups for which a shallow search finds an answer."""

    def __init__(self, stages: Stages, run: TurnRun, limit: int) -> None:
        """`limit` is the maximum number of follow-ups."""
        self.limit = limit
        self._stages = stages
        self._run = run
        self._task: asyncio.Task[tuple[Recommendation | Degraded, ...]] | None = None

    def begin(self, questions: Sequence[str]) -> None:
        """Check these questions while the answer is completed."""
        self._task = self._run.start_task(self._check(questions))

    async def emit(self) -> None:
        """Emit the follow-ups that have an answer, if there are any; a failure does not affect the answer."""
        if self._task is not None:
            self._run.emit_all(await self._task)

    async def _check(self, questions: Sequence[str]) -> tuple[Recommendation | Degraded, ...]:
        await self._run.until_shown()
        if not questions:
            return ()
        try:
            with self._run.usage.timed(Stage.RETRIEVE, "recommend"), deadline.limited(seconds_before_ending(inf)):
                answerable = await self._select_answerable(questions)
        except ParleyError as error:
            return (Degraded(Stage.RETRIEVE, error.reason, "No follow-up questions are proposed."),)
        return (Recommendation(tuple(answerable)),) if answerable else ()

    async def _select_answerable(self, questions: Sequence[str]) -> list[str]:
        """Return the first questions for which some passage is relevant, at most as many as the limit."""
        request, answerable, candidates = self._run.request, list[str](), list(questions)
        collection, principals = request.options.collection, request.principals
        options = RetrieveOptions(collection=collection, principals=principals, depth=CHECK_DEPTH)
        while candidates and (missing := self.limit - len(answerable)) > 0:
            batch, candidates = tuple(candidates[:missing]), candidates[missing:]
            gauged = await self._stages.unary(GAUGE_QUESTIONS, GaugeQuestionsRequest(batch, options))
            pairs = zip(batch, gauged.relevance, strict=True)
            answerable += [question for question, relevance in pairs if relevance is not Relevance.LOW]
        return answerable


@dataclass(slots=True)
class Writer:
    """Drives the answer stage for one turn."""

    stages: Stages
    run: TurnRun
    follow_ups: FollowUpCheck
    search_again: Callable[[str], Awaitable[Found]]
    """Searches for something else, once, and returns all that was found."""

    async def write(self, understood: UnderstoodTurn, found: Found) -> Answer:
        """Write the answer from what was found; the run gets its sentences and the final references.

        Raises:
            ParleyError: writing failed as a whole.
        """
        run = self.run
        request = _request(run, understood, found, self.follow_ups.limit)
        if request.without_images and any(reference.evidence.passage.images for reference in found.references):
            run.emit(Step.IMAGES.degraded)
        answer = await self._follow(request, found)
        if isinstance(answer, SearchAgain):
            found = await self._search(answer.query, found)
            answer = await self._follow(replace(request, references=found.references, may_search_again=False), found)
        if not isinstance(answer, Answer):
            raise Unavailable("STAGE_FAILED", "The answer stage ended without a result; its log may say why.")
        run.update(answer=answer)
        return answer

    async def _search(self, query: str, found: Found) -> Found:
        """Return what was found with a further search; without it, if that fails."""
        try:
            return await self.search_again(query)
        except ParleyError as error:
            effect = (
                f"The language model's search for “{query}” failed, so the answer may lack what it would have found."
            )
            self.run.emit(Degraded(Stage.RETRIEVE, error.reason, effect))
            return found

    async def _read_tables(self, references: Sequence[Reference]) -> tuple[WholeSection, ...]:
        """Return the whole tables of the best references; none if they cannot be read: then single rows are quoted."""
        best = _passages(references[:BEST])
        ids = tuple(each.passage_id for each in best if any(block.kind in TABLES for block in each.blocks))
        if not ids or self.run.reading.form is not None:
            return ()
        request = self.run.request
        try:
            with self.run.usage.timed(Stage.RETRIEVE, "read_sections"):
                wanted = ReadSectionsRequest(request.options.collection, ids, request.principals)
                return (await self.stages.unary(READ_SECTIONS, wanted)).sections
        except ParleyError:
            return ()

    async def _follow(self, request: WriteRequest, found: Found) -> Answer | SearchAgain | None:
        """Emit each step, and return the last one's content.

        The references precede the first step, unless it is a numbering, which emits them.
        """
        request = replace(request, tables=await self._read_tables(found.references))
        with self.run.usage.timed(Stage.ANSWER, "write"):
            return await self._emit_steps(request, found)

    async def _emit_steps(self, request: WriteRequest, found: Found) -> Answer | SearchAgain | None:
        activities, activity = self.run.usage.activities, reading(len(request.references))
        activities.begin(Stage.ANSWER, activity)
        last: Answer | SearchAgain | None = None
        is_first = True
        async with aclosing(self.stages.stream(WRITE, request)) as steps:
            async for step in steps:
                _note_activity(activities, activity, step)
                if is_first and not isinstance(step, Numbering | Progress):
                    self.run.emit(References(found.references, found.ranking))
                is_first = is_first and isinstance(step, Progress)
                if isinstance(step, WriteResult):
                    last = step.answer
                if isinstance(step, SearchAgain):
                    last = step
                self._take(step, request, found)
        return last

    def _take(self, step: WriteStep, request: WriteRequest, found: Found) -> None:
        run = self.run
        if isinstance(step, WriteResult | SearchAgain):
            run.usage.add(step.usage)
        elif isinstance(step, Usage):
            run.usage.estimate = step
        elif isinstance(step, Numbering):
            references = renumber((*found.references, *_cited_rows(request, step)), step)
            run.update(references=references)
            run.emit(References(references, found.ranking))
        elif isinstance(step, FollowUps):
            self.follow_ups.begin(step.questions)
        elif not isinstance(step, Progress):
            if isinstance(step, TextDelta):
                run.sentences[step.sentence] = run.sentences.get(step.sentence, "") + step.delta
            run.emit(step)


def _passages(references: Sequence[Reference]) -> Iterator[Passage]:
    return (reference.evidence.passage for reference in references)


def _cited_rows(request: WriteRequest, numbering: Numbering) -> Iterator[Reference]:
    """Yield a reference to each cited passage of a table that no search found."""
    known_ids = {passage.passage_id for passage in _passages(request.references)}
    numbers = {passage.passage_id: passage.number for passage in numbering.passages}
    for passage in (passage for section in request.tables for passage in section.passages):
        if passage.passage_id in numbers and passage.passage_id not in known_ids:
            yield Reference(numbers[passage.passage_id], Evidence(passage))


def _note_activity(activities: Activities, first: str, step: WriteStep) -> None:
    """Emit what the writer does now: the `first` activity until it writes, checking from the first verdict."""
    if isinstance(step, TextDelta):
        activities.end(Stage.ANSWER, first)
        activities.begin(Stage.ANSWER, WRITING)
    elif isinstance(step, Citation):
        activities.begin(Stage.ANSWER, CHECKING)
    elif isinstance(step, WriteResult | SearchAgain):
        for activity in (first, WRITING, CHECKING):
            activities.end(Stage.ANSWER, activity)


def _request(run: TurnRun, understood: UnderstoodTurn, found: Found, follow_ups: int) -> WriteRequest:
    options = run.request.options
    return WriteRequest(
        question=understood.grounded,
        references=found.references,
        graph=found.graph,
        view=run.view,
        understanding=understood.understanding,
        language=run.reading.form_language or options.language,
        length=options.length,
        budget=run.usage.budget_left or Budget(),
        never_abstain=options.abstain is Act.RECORD_ONLY,
        model=options.answer_model,
        principals=run.request.principals,
        searches=found.searches,
        follow_ups=follow_ups,
        without_images=Step.IMAGES in run.omitted,
        follows_up=understood.record.decision is Decision.CONDENSE,
        turn=run.request.question if run.shown is not None and run.view.messages else "",
        form=run.reading.form,
        may_search_again=run.request.options.budget is None and run.reading.form is None,
    )
