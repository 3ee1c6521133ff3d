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
from gateway.events import Happening
from gateway.narration import Emit
from gateway.routing import RoutedRetrieve
from gateway.stages import Found
from services.llm.usage import Meter, TokenCount, estimate_tokens
from services.vocabulary.evidence import Relevance
from services.vocabulary.query import DecisionRecord, QueryGraph, QueryNode, WeightedQuery
from services.vocabulary.understanding import Understanding
from services.vocabulary.usage import Usage, UsageSource

MATTERING: Final = 3
"""Among so many first places a passage matters that the speculative answer was not written from: an answer stands on
these (95 % of 2,614 citations on MTRAG)."""


class Valve:
    """Holds what is told until it may be shown, then hands it on at once."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._held: list[Happening] = []
        self._open = asyncio.Event()

    def __call__(self, happening: Happening) -> None:
        """Tell it, or hold it."""
        if self._open.is_set():
            self._emit(happening)
        else:
            self._held.append(happening)

    @property
    def is_open(self) -> bool:
        """Whether what is told is shown."""
        return self._open.is_set()

    def open(self) -> None:
        """Show what was held, and all that comes."""
        if self.is_open:
            return
        for happening in self._held:
            self._emit(happening)
        self._held.clear()
        self._open.set()

    async def opened(self) -> None:
        """Wait until it is open."""
        await self._open.wait()


Answering = Callable[[Draft, Understanding, RoutedRetrieve, Valve], Coroutine[Any, Any, None]]
"""Plans, looks and writes into a draft, telling it through a valve."""


@dataclass(slots=True)
class _Attempt:
    """An answer on the rules' words."""

    draft: Draft
    understanding: Understanding
    graph: QueryGraph | None
    """What it is made from; None where it plans for itself."""
    work: asyncio.Task[None]

    @property
    def failed(self) -> bool:
        """Whether it ended with an error."""
        return self.work.done() and (self.work.cancelled() or self.work.exception() is not None)


class Speculation:
    """The speculative answer of one turn; as a context manager it ends what still runs when the turn is over.

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
        self._valve = Valve(emit)
        self._meter = meter
        self._allowed = allowed
        self._attempt: _Attempt | None = None
        self._supposed: Callable[[], None] | None = None
        """Begins the answer that is not begun before it may be shown."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._attempt is not None and self._valve.is_open:
            self._draft.take_over(self._attempt.draft)
        self.give_up()

    async def look_ahead(self) -> None:
        """See `LookingAhead`."""
        await self._retrieve.look_ahead()

    def suppose(
        self, record: DecisionRecord, understanding: Understanding, planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """Begin an answer on what is known; a second time this changes nothing, unless the first was given up.

        Args:
            record: how the turn stands alone, most likely; without a query nothing is begun.
            understanding: what was understood of it, most likely.
            planned: whether a language model is planning already, so that nothing has to be planned here.
            graph: the sub-queries of a question that is split, where they are known.
        """
        if self._attempt is not None or record.query is None:
            return
        if not self._allowed and not self._valve.is_open:
            self._supposed = partial(self.suppose, record, understanding, planned, graph)
            return
        draft = self._draft.tentative(record, understanding, self._valve)
        if graph is None and planned:
            graph = alone(understanding.grounded_query or record.standalone, record.query)
        draft.graph = graph
        work = asyncio.create_task(self._answering(draft, understanding, self._retrieve, self._valve))
        work.add_done_callback(_looked_at)
        self._attempt = _Attempt(draft, understanding, graph, work)

    def release(self) -> None:
        """Show the answer, begun at the latest now: what it was begun on is what is wanted."""
        if self._attempt is not None or self._supposed is not None:
            self._valve.open()
        if self._supposed is not None:
            self._supposed()

    @property
    def is_released(self) -> bool:
        """Whether the answer is shown."""
        return self._valve.is_open

    async def settle(self) -> bool:
        """Whether the speculative answer is the turn's: then it is finished, and in the draft; else nothing is left of
        it but what it cost.

        Raises:
            ParleyError: the answer that is shown failed.
        """
        attempt = self._attempt
        if attempt is None:
            return False
        if not self.is_released and not await self._fits(attempt):
            self.give_up()
            return False
        self._valve.open()
        await attempt.work
        self._draft.take_over(attempt.draft)
        self._attempt = None
        return True

    def give_up(self) -> None:
        """Cancel it, and keep what it cost."""
        attempt, self._attempt = self._attempt, None
        if attempt is None:
            return
        attempt.work.cancel()
        if not self.is_released:
            self._draft.usage += _discarded(attempt.draft, self._meter)

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
