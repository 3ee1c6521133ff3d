"""Speculative answers: written while language models still process the question, shown only if these confirm it.

The rules produce a likely standalone question and search query in milliseconds; a model needs about a second. The turn
therefore continues with the rules' query, into a buffer that holds its events back. The buffer opens as soon as the
models' first output fields agree, or once their complete output leads to the same search, or to one that finds no new
passage that matters. Otherwise the answer is cancelled: none of its text was shown, and its usage is reported as
discarded. A question that is split starts again with its sub-queries, as soon as the model has written them.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Self

from gateway.events.event_buffer import EventBuffer
from gateway.events.event_stream import Emit
from gateway.turn.draft import Draft
from gateway.turn.routing import RoutedRetrieve
from libs.contracts.evidence import Relevance
from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.question import QuestionForms
from libs.contracts.stages.retrieve import RetrieveResult
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Usage, UsageSource
from libs.llm.usage import Meter, TokenCount, estimate_tokens

MATTERING: Final = 3
"""How many top results are checked for passages that the speculative answer did not use: answers cite mostly these
(95 % of 2,614 citations on MTRAG)."""


AnswerFunction = Callable[[Draft, Understanding, RoutedRetrieve, EventBuffer], Coroutine[Any, Any, None]]
"""Plans, searches and writes into a draft, emitting events through a buffer."""


@dataclass(slots=True)
class _Attempt:
    """A speculative answer based on the rules' wording."""

    draft: Draft
    understanding: Understanding
    graph: QueryGraph | None
    """The graph it answers; None if it plans its own."""
    buffer: EventBuffer
    work: asyncio.Task[None]

    @property
    def has_failed(self) -> bool:
        """Whether it ended with an error."""
        return self.work.done() and (self.work.cancelled() or self.work.exception() is not None)


class Speculation:
    """The speculative answers of one turn: one to the whole question, one to its sub-queries if it is split.

    As a context manager it cancels what still runs when the turn ends.

    Args:
        answer: produces an answer.
        draft: the turn's own draft.
        retrieve: the turn's retrieval.
        emit: receives the events that are shown.
        meter: prices the discarded usage.
        is_allowed: if False, the answer starts only when it may be shown; only the search starts earlier.
    """

    def __init__(
        self,
        answer: AnswerFunction,
        draft: Draft,
        retrieve: RoutedRetrieve,
        emit: Emit,
        meter: Meter,
        is_allowed: bool,
    ) -> None:
        self._answer = answer
        self._draft = draft
        self._retrieve = retrieve
        self._emit = emit
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
            self._draft.copy_answer(self._shown_attempt.draft)
        self.give_up()

    async def look_ahead(self) -> None:
        """See `EarlyWork`."""
        await self._retrieve.look_ahead()

    def speculate(
        self, record: DecisionRecord, understanding: Understanding, is_planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """Start an answer from what is known; a second call has no effect unless sub-queries are now known.

        Args:
            record: the likely standalone form of the turn; without a query nothing is started.
            understanding: the likely understanding of the turn.
            is_planned: whether a language model is already planning, so that no planning is needed here.
            graph: the sub-queries of a split question, if they are known.
        """
        exists = any(_is_split(attempt.graph) == _is_split(graph) for attempt in self._attempts)
        if record.query is None or exists or self.is_released:
            return
        if graph is None and is_planned:
            graph = single_node_graph(QuestionForms.of(record.raw, record, understanding).grounded, record.query)
        start = partial(self._start, record, understanding, graph)
        if self._is_allowed:
            start()
        elif not _is_split(graph):
            self._deferred_start = start

    def _start(self, record: DecisionRecord, understanding: Understanding, graph: QueryGraph | None) -> None:
        buffer = EventBuffer(self._emit)
        draft = self._draft.tentative(record, understanding, buffer)
        draft.graph = graph
        work = asyncio.create_task(self._answer(draft, understanding, self._retrieve, buffer))
        work.add_done_callback(_retrieve_exception)
        self._attempts.append(_Attempt(draft, understanding, graph, buffer, work))

    def release(self) -> None:
        """Show the answer to the whole question, starting it if necessary: the wording it is based on is confirmed."""
        if self._deferred_start is not None and not self._attempts:
            self._deferred_start()
        for attempt in self._attempts:
            if not _is_split(attempt.graph):
                self._show(attempt)

    def _show(self, attempt: _Attempt) -> None:
        self._shown_attempt = attempt
        attempt.buffer.open()

    @property
    def is_released(self) -> bool:
        """Whether an answer is shown."""
        return self._shown_attempt is not None

    async def settle(self) -> bool:
        """Return whether a speculative answer becomes the turn's answer.

        If so, wait for it and copy it to the draft; if not, discard the attempts and keep only their usage.

        Raises:
            ParleyError: the answer that is shown failed.
        """
        for attempt in reversed(self._attempts):
            if not self.is_released and await self._fits(attempt):
                self._show(attempt)
        shown_attempt = self._shown_attempt
        self.give_up(but=shown_attempt)
        if shown_attempt is None:
            return False
        await shown_attempt.work
        self._draft.copy_answer(shown_attempt.draft)
        self._attempts.clear()
        self._shown_attempt = None
        return True

    def give_up(self, but: _Attempt | None = None) -> None:
        """Cancel all attempts except `but`, and record the usage of those that were not shown."""
        for attempt in self._attempts:
            if attempt is not but:
                attempt.work.cancel()
            if attempt is not self._shown_attempt:
                self._draft.usage += _discarded_usage(attempt.draft, self._meter)
        self._attempts = [attempt for attempt in self._attempts if attempt is but]

    async def _fits(self, attempt: _Attempt) -> bool:
        """Whether the final question leads to the same evidence as the attempt."""
        draft, understanding = self._draft, self._draft.understanding
        if draft.record is None or understanding is None or (draft.graph is None and attempt.graph is not None):
            return False
        options = draft.request.options
        retrieve_options = options.retrieval(understanding, draft.request.principals)
        same_options = retrieve_options == options.retrieval(attempt.understanding, draft.request.principals)
        if attempt.graph is not None and (_is_split(draft.graph) or _is_split(attempt.graph)):
            return same_options and _has_same_queries(attempt.graph, draft.graph)
        if same_options and draft.record.query == _query_of(attempt):
            return True
        if _is_split(attempt.draft.graph):
            return False
        query = draft.record.query or WeightedQuery(draft.record.standalone)
        result = await self._retrieve.peek(query, retrieve_options)
        return not attempt.has_failed and not _finds_new_passage(result.value, attempt.draft)


def single_node_graph(question: str, query: WeightedQuery | None) -> QueryGraph:
    """Return the single-node graph of a question that is not split."""
    return QueryGraph((QueryNode("1", question, query=query),), "not planned")


def _discarded_usage(draft: Draft, meter: Meter) -> list[Usage]:
    """Return the language model usage of an answer that was not shown; estimated if it is unfinished."""
    usages = [usage for usage in draft.usage if usage.input_tokens or usage.output_tokens]
    if draft.answer is None and draft.estimated_usage is not None:
        estimate, text = draft.estimated_usage, "".join(draft.sentences.values())
        tokens = TokenCount(estimate.input_tokens, estimate_tokens(text))
        usages.append(meter.measure(estimate.task, estimate.model, 0.0, tokens, UsageSource.ESTIMATED))
    return [replace(usage, discarded=True) for usage in usages]


def _query_of(attempt: _Attempt) -> WeightedQuery | None:
    return attempt.draft.record.query if attempt.draft.record else None


def _is_split(graph: QueryGraph | None) -> bool:
    return graph is not None and len(graph.nodes) > 1


def _has_same_queries(graph: QueryGraph, other: QueryGraph | None) -> bool:
    """Whether two graphs have the same sub-queries, ignoring the history that is searched with them."""
    if other is None:
        return False
    return [replace(node, query=None) for node in graph.nodes] == [replace(node, query=None) for node in other.nodes]


def _finds_new_passage(result: RetrieveResult, draft: Draft) -> bool:
    """Whether a top result that fits is missing from the answer's references; True if it has none yet."""
    if not draft.references:
        return True
    passage_ids = {reference.evidence.passage.passage_id for reference in draft.references}
    top = (evidence for evidence in result.evidence[:MATTERING] if evidence.relevance is not Relevance.LOW)
    return any(evidence.passage.passage_id not in passage_ids for evidence in top)


def _retrieve_exception(task: asyncio.Task[None]) -> None:
    """Retrieve the exception of a discarded answer, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()
