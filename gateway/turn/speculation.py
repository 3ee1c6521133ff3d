"""Speculative answers: written while language models still process the question, shown only if these confirm it.

The rules produce a likely standalone question and search query in milliseconds; a model needs about a second. The turn
therefore continues with the rules' query, into a buffer that holds its events back. The buffer opens as soon as the
models' first output fields agree, or once their complete output leads to the same search, or to one that finds no new
passage that matters. Otherwise the answer is cancelled: none of its text was shown, and its usage is reported as
discarded. A question that is split starts again with its sub-queries, as soon as the model has written them.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any, Final, Self

from gateway.events.events import TurnEvent
from gateway.turn.retrieval import TurnRetrieval
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
from libs.contracts.evidence import Relevance
from libs.contracts.query import QueryGraph, WeightedQuery
from libs.contracts.stages.retrieve import RetrieveResult
from libs.contracts.usage import Usage, UsageSource
from libs.llm.usage import Meter, TokenCount, estimate_tokens

CHECKED_RESULTS: Final = 3
"""How many top results are checked for passages that the speculative answer did not use: answers cite mostly these
(95 % of 2,614 citations on MTRAG)."""


AnswerFunction = Callable[[TurnRun, UnderstoodTurn, TurnRetrieval], Coroutine[Any, Any, None]]
"""Plans, searches and writes the answer of a run."""


class _Attempt:
    """A speculative answer based on the rules' wording. Its events are held back until it is shown."""

    def __init__(self, run: TurnRun, understood: UnderstoodTurn) -> None:
        """Create it.

        Args:
            run: the turn's own run.
            understood: the likely understanding; its graph is the one that is answered, None if the answer plans its
                own.
        """
        self.understood = understood
        self._emit = run.emit
        self._held_back: list[TurnEvent] = []
        self._shown = asyncio.Event()
        self.run = run.attempt(self._take, self._shown)
        self.run.note(understood)
        self.work: asyncio.Task[None]

    def _take(self, event: TurnEvent) -> None:
        if self._shown.is_set():
            self._emit(event)
        else:
            self._held_back.append(event)

    def show(self) -> None:
        """Emit the events that were held back, and all later ones at once."""
        for event in self._held_back:
            self._emit(event)
        self._held_back.clear()
        self._shown.set()

    @property
    def is_split(self) -> bool:
        """Whether it answers sub-queries that are known."""
        return _is_split(self.understood.graph)


class Speculation:
    """The speculative answers of one turn: one to the whole question, one to its sub-queries if it is split.

    As a context manager it takes over the answer that is shown, and discards the others, when the turn ends.
    """

    def __init__(
        self, answer: AnswerFunction, run: TurnRun, retrieval: TurnRetrieval, meter: Meter, is_allowed: bool
    ) -> None:
        """Create it.

        Args:
            answer: produces an answer.
            run: the turn's own run.
            retrieval: the turn's retrieval.
            meter: prices the discarded usage.
            is_allowed: if False, the answer starts only when it may be shown; only the search starts earlier.
        """
        self._answer = answer
        self._run = run
        self.retrieval = retrieval
        self._meter = meter
        self._is_allowed = is_allowed
        self._attempts: list[_Attempt] = []
        """At most one for the whole question and one for its sub-queries; at most one of them is shown."""
        self._shown_attempt: _Attempt | None = None
        self._deferred_start: Callable[[], None] | None = None
        """Starts the answer if `is_allowed` is False, when it may be shown."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown_attempt is not None:
            self._run.adopt(self._shown_attempt.run)
        self.give_up()

    def begin(self, understood: UnderstoodTurn, is_planned: bool) -> None:
        """Start an answer from what is known; a second call has no effect unless sub-queries are now known.

        Args:
            understood: the likely standalone form, understanding and, if known, sub-queries of the turn; without a
                query nothing is started.
            is_planned: whether a language model is already planning, so that no planning is needed here.
        """
        exists = any(attempt.is_split == _is_split(understood.graph) for attempt in self._attempts)
        if understood.record.query is None or exists or self.is_released:
            return
        if understood.graph is None and is_planned:
            understood = replace(understood, graph=understood.unsplit)
        start = partial(self._start, understood)
        if self._is_allowed:
            start()
        elif not _is_split(understood.graph):
            self._deferred_start = start

    def _start(self, understood: UnderstoodTurn) -> None:
        attempt = _Attempt(self._run, understood)
        attempt.work = self._run.start_task(self._do(attempt))
        self._attempts.append(attempt)

    async def _do(self, attempt: _Attempt) -> None:
        async with attempt.run.tasks_cancelled():
            await self._answer(attempt.run, attempt.understood, self.retrieval)

    def release(self) -> None:
        """Show the answer to the whole question, starting it if necessary: the wording it is based on is confirmed."""
        if self._deferred_start is not None and not self._attempts:
            self._deferred_start()
        for attempt in self._attempts:
            if not attempt.is_split:
                self._show(attempt)

    def _show(self, attempt: _Attempt) -> None:
        self._shown_attempt = attempt
        attempt.show()

    @property
    def is_released(self) -> bool:
        """Whether an answer is shown."""
        return self._shown_attempt is not None

    async def settle(self, understood: UnderstoodTurn) -> bool:
        """Return whether a speculative answer becomes the turn's answer.

        If so, wait for it and take it over; if not, discard the attempts and keep only their usage.

        Raises:
            ParleyError: the answer that is shown failed.
        """
        for attempt in reversed(self._attempts):
            if not self.is_released and await self._fits(attempt, understood):
                self._show(attempt)
        shown_attempt = self._shown_attempt
        self.give_up(but=shown_attempt)
        if shown_attempt is None:
            return False
        await shown_attempt.work
        self._run.adopt(shown_attempt.run)
        self._attempts.clear()
        self._shown_attempt = None
        return True

    def give_up(self, but: _Attempt | None = None) -> None:
        """Cancel all attempts except `but`, and record the usage of those that were not shown."""
        for attempt in self._attempts:
            if attempt is not but:
                attempt.work.cancel()
            if attempt is not self._shown_attempt:
                self._run.usage.tasks += _discarded_usage(attempt.run, self._meter)
        self._attempts = [attempt for attempt in self._attempts if attempt is but]

    async def _fits(self, attempt: _Attempt, understood: UnderstoodTurn) -> bool:
        """Whether the final question leads to the same evidence as the attempt."""
        graph, record = attempt.understood.graph, understood.record
        if understood.graph is None and graph is not None:
            return False
        options = self._run.retrieval(understood.understanding)
        has_same_options = options == self._run.retrieval(attempt.understood.understanding)
        if graph is not None and (_is_split(understood.graph) or attempt.is_split):
            others = understood.graph.nodes if understood.graph else ()
            queries = [replace(node, query=None) for node in graph.nodes]
            return has_same_options and queries == [replace(node, query=None) for node in others]
        if has_same_options and record.query == attempt.understood.record.query:
            return True
        if _is_split(attempt.run.turn.graph):
            return False
        result = await self.retrieval.peek(record.query or WeightedQuery(record.question), options)
        work = attempt.work
        has_failed = work.done() and (work.cancelled() or work.exception() is not None)
        return not has_failed and not _finds_new_passage(result.value, attempt.run)


def _discarded_usage(run: TurnRun, meter: Meter) -> list[Usage]:
    """Return the language model usage of an answer that was not shown; estimated if it is unfinished."""
    usages = [usage for usage in run.usage.tasks if usage.input_tokens or usage.output_tokens]
    if run.turn.answer is None and (estimate := run.usage.estimate) is not None:
        tokens = TokenCount(estimate.input_tokens, estimate_tokens("".join(run.sentences.values())))
        usages.append(meter.measure(estimate.task, estimate.model, 0.0, tokens, UsageSource.ESTIMATED))
    return [replace(usage, discarded=True) for usage in usages]


def _is_split(graph: QueryGraph | None) -> bool:
    return graph is not None and len(graph.nodes) > 1


def _finds_new_passage(result: RetrieveResult, run: TurnRun) -> bool:
    """Whether a top result that fits is missing from the answer's references; True if it has none yet."""
    if not run.turn.references:
        return True
    passage_ids = {reference.evidence.passage.passage_id for reference in run.turn.references}
    top = (evidence for evidence in result.evidence[:CHECKED_RESULTS] if evidence.relevance is not Relevance.LOW)
    return any(evidence.passage.passage_id not in passage_ids for evidence in top)
