"""An answer that is written while language models still read the question: shown only when they let it pass.

The rules know in milliseconds what will most likely be searched and asked; a model needs a second to say so. So the
turn goes on with the rules' words behind a closed valve. It is opened as soon as the models' first fields agree, or
once their whole forms lead to the same search, or to one that finds nothing new that matters. Else it is cancelled: not
a word was shown, and what was spent in vain is told. A question that is split is begun anew with its sub-queries, as
soon as the model has written them down.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Self

from gateway.draft import Draft
from gateway.event_stream import Emit
from gateway.routing import RoutedRetrieve
from gateway.stages import Found
from gateway.valve import Valve
from libs.contracts.evidence import Relevance
from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Usage, UsageSource
from libs.llm.usage import Meter, TokenCount, estimate_tokens

MATTERING: Final = 3
"""Among so many first places a passage matters that the speculative answer was not written from: an answer stands on
these (95 % of 2,614 citations on MTRAG)."""


Answering = Callable[[Draft, Understanding, RoutedRetrieve, Valve], Coroutine[Any, Any, None]]
"""Plans, looks and writes into a draft, telling it through a valve."""


@dataclass(slots=True)
class _Attempt:
    """An answer on the rules' words."""

    draft: Draft
    understanding: Understanding
    graph: QueryGraph | None
    """What it is made from; None where it plans for itself."""
    valve: Valve
    work: asyncio.Task[None]

    @property
    def failed(self) -> bool:
        """Whether it ended with an error."""
        return self.work.done() and (self.work.cancelled() or self.work.exception() is not None)


class Speculation:
    """The speculative answers of one turn: on the question as one, and on its sub-queries where it is split.

    As a context manager it ends what still runs when the turn is over.

    Args:
        answering: how an answer is made.
        draft: the turn's own.
        retrieve: where the turn looks.
        emit: takes what is shown.
        meter: prices what is spent in vain.
        allowed: False: the answer is begun when it may be shown; only the search begins before.
    """

    def __init__(
        self,
        answering: Answering,
        draft: Draft,
        retrieve: RoutedRetrieve,
        emit: Emit,
        meter: Meter,
        allowed: bool,
    ) -> None:
        self._answering = answering
        self._draft = draft
        self._retrieve = retrieve
        self._emit = emit
        self._meter = meter
        self._allowed = allowed
        self._attempts: list[_Attempt] = []
        """At most one of a kind; each is shown alone, or not at all."""
        self._shown: _Attempt | None = None
        self._supposed: Callable[[], None] | None = None
        """Begins the answer that is not begun before it may be shown."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown is not None:
            self._draft.take_over(self._shown.draft)
        self.give_up()

    async def look_ahead(self) -> None:
        """See `LookingAhead`."""
        await self._retrieve.look_ahead()

    def suppose(
        self, record: DecisionRecord, understanding: Understanding, planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """Begin an answer on what is known; a second time this changes nothing, unless sub-queries are known now.

        Args:
            record: how the turn stands alone, most likely; without a query nothing is begun.
            understanding: what was understood of it, most likely.
            planned: whether a language model is planning already, so that nothing has to be planned here.
            graph: the sub-queries of a question that is split, where they are known.
        """
        begun = any(_is_split(attempt.graph) == _is_split(graph) for attempt in self._attempts)
        if record.query is None or begun or self.is_released:
            return
        if graph is None and planned:
            graph = alone(understanding.grounded_query or record.standalone, record.query)
        begin = partial(self._begin, record, understanding, graph)
        if self._allowed:
            begin()
        elif not _is_split(graph):
            self._supposed = begin

    def _begin(self, record: DecisionRecord, understanding: Understanding, graph: QueryGraph | None) -> None:
        valve = Valve(self._emit)
        draft = self._draft.tentative(record, understanding, valve)
        draft.graph = graph
        work = asyncio.create_task(self._answering(draft, understanding, self._retrieve, valve))
        work.add_done_callback(_looked_at)
        self._attempts.append(_Attempt(draft, understanding, graph, valve, work))

    def release(self) -> None:
        """Show the answer to the question as one, begun at the latest now: what it was begun on is what is wanted."""
        if self._supposed is not None and not self._attempts:
            self._supposed()
        for attempt in self._attempts:
            if not _is_split(attempt.graph):
                self._show(attempt)

    def _show(self, attempt: _Attempt) -> None:
        self._shown = attempt
        attempt.valve.open()

    @property
    def is_released(self) -> bool:
        """Whether an answer is shown."""
        return self._shown is not None

    async def settle(self) -> bool:
        """Whether a speculative answer is the turn's.

        If so, it is finished and in the draft; if not, nothing of the attempts is left but their usage.

        Raises:
            ParleyError: the answer that is shown failed.
        """
        for attempt in reversed(self._attempts):
            if not self.is_released and await self._fits(attempt):
                self._show(attempt)
        shown = self._shown
        self.give_up(but=shown)
        if shown is None:
            return False
        await shown.work
        self._draft.take_over(shown.draft)
        self._attempts.clear()
        self._shown = None
        return True

    def give_up(self, but: _Attempt | None = None) -> None:
        """Cancel them, and keep what those cost that were not shown."""
        for attempt in self._attempts:
            if attempt is not but:
                attempt.work.cancel()
            if attempt is not self._shown:
                self._draft.usage += _discarded(attempt.draft, self._meter)
        self._attempts = [attempt for attempt in self._attempts if attempt is but]

    async def _fits(self, attempt: _Attempt) -> bool:
        """Whether what is known by now leads to the evidence that the answer was begun from."""
        draft, understanding = self._draft, self._draft.understanding
        if draft.record is None or understanding is None or (draft.graph is None and attempt.graph is not None):
            return False
        options = draft.request.options
        wanted = options.retrieval(understanding, draft.request.principals)
        same_options = wanted == options.retrieval(attempt.understanding, draft.request.principals)
        if attempt.graph is not None and (_is_split(draft.graph) or _is_split(attempt.graph)):
            return same_options and _asks_the_same(attempt.graph, draft.graph)
        if same_options and draft.record.query == _searched(attempt):
            return True
        if _is_split(attempt.draft.graph):
            return False
        query = draft.record.query or WeightedQuery(draft.record.standalone)
        found = await self._retrieve.peek(query, wanted)
        return not attempt.failed and not _brings_news(found, attempt.draft)


def alone(question: str, query: WeightedQuery | None) -> QueryGraph:
    """The graph of a question that is searched as one."""
    return QueryGraph((QueryNode("1", question, query=query),), "not planned")


def _discarded(draft: Draft, meter: Meter) -> list[Usage]:
    """What language models took for an answer that nobody saw, of an unfinished one about."""
    spent = [usage for usage in draft.usage if usage.input_tokens or usage.output_tokens]
    if draft.answer is None and draft.asked is not None:
        asked, text = draft.asked, "".join(draft.sentences.values())
        tokens = TokenCount(asked.input_tokens, estimate_tokens(text))
        spent.append(meter.measure(asked.task, asked.model, 0.0, tokens, UsageSource.ESTIMATED))
    return [replace(usage, discarded=True) for usage in spent]


def _searched(attempt: _Attempt) -> WeightedQuery | None:
    return attempt.draft.record.query if attempt.draft.record else None


def _is_split(graph: QueryGraph | None) -> bool:
    return graph is not None and len(graph.nodes) > 1


def _asks_the_same(begun: QueryGraph, wanted: QueryGraph | None) -> bool:
    """Whether two graphs have the same sub-queries, whatever of the history is searched beside them."""
    if wanted is None:
        return False
    return [replace(node, query=None) for node in begun.nodes] == [replace(node, query=None) for node in wanted.nodes]


def _brings_news(found: Found, draft: Draft) -> bool:
    """Whether a passage that matters is not among those that an answer was begun from; so it is before it has begun."""
    if not draft.references:
        return True
    known = {reference.evidence.passage.passage_id for reference in draft.references}
    first = (evidence for evidence in found.evidence[:MATTERING] if evidence.relevance is not Relevance.LOW)
    return any(evidence.passage.passage_id not in known for evidence in first)


def _looked_at(ended: asyncio.Task[None]) -> None:
    """The failure of an answer that nobody wanted after all is no news."""
    if not ended.cancelled():
        ended.exception()
