"""Search routing: combines the range a question asks for (news, the newest news) with the caller's own options.

The range is detected while the question is understood and planned. The caller's own sources, documents and dates take
precedence. If the range holds nothing that fits, everything is searched and the turn is marked as degraded. If the
range cannot be detected, the options stay unchanged.

Most questions are searched as they were condensed. That search is prefetched before they are understood
(`look_ahead`), with the rules' query if a language model condenses them. If a different search is needed in the end,
the prefetch is cancelled.
"""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from gateway.calling.stages import StageResult, Stages, result_of
from gateway.session.conversation import earlier_rankings
from gateway.turn.turn_run import TurnRun
from libs.contracts.evidence import Relevance
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import DecisionRecord, Filters, WeightedQuery
from libs.contracts.stages.retrieve import (
    DETECT_RANGE,
    RETRIEVE,
    DetectedRange,
    DetectRangeRequest,
    RetrieveRequest,
    RetrieveResult,
)
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError

QUICK_SECONDS: Final = 3.0
"""After a slower search the web is left out of the second one: a sub-query has 10 seconds in total (taste)."""
HEAD_START: Final = 0.001
"""Seconds for which the event loop yields to a new search: until its request is sent and, if it is served in this
process, until its embedding model computes without the interpreter lock (first text .4 ms sooner than after the request
alone; measured)."""
RANGE_DROPPED: Final = Degraded(
    Stage.RETRIEVE, "NOTHING_FOUND", "The search for news found nothing relevant, so everything was searched."
)


SearchResult: TypeAlias = StageResult[RetrieveResult]


@dataclass(frozen=True, slots=True)
class _Prefetch:
    """A prefetched search."""

    query: WeightedQuery
    options: RetrieveOptions
    result: asyncio.Future[SearchResult]


class TurnRetrieval:
    """The searches of one turn."""

    def __init__(self, stages: Stages, run: TurnRun, prefetches: bool = True) -> None:
        """`prefetches`: whether the most likely search begins before the question is understood."""
        self._stages = stages
        self._run = run
        self._prefetches = prefetches and not run.request.options.web
        self._range: asyncio.Task[DetectedRange] | None = None
        self._prefetch: _Prefetch | None = None

    def begin(self, standalone: str) -> asyncio.Task[DetectedRange]:
        """Start detecting the range of a standalone question; later calls return the same task.

        It is not detected from the grounded wording, in which "this week" is replaced by dates.
        """
        if self._range is None:
            self._range = self._run.start_task(self._detect(standalone))
        return self._range

    async def look_ahead(self, record: DecisionRecord) -> None:
        """Prefetch the search for a question before it is understood and planned, unless it is running.

        Only the collection is searched, not the web. Returns once the request is sent, since the caller may block the
        event loop next.
        """
        query = record.query
        if query is not None and self._prefetches and (self._prefetch is None or self._prefetch.query != query):
            if self._prefetch is not None:
                self._prefetch.result.cancel()
            options = self._run.retrieval(Understanding())
            self._prefetch = _Prefetch(query, options, self._run.start_task(self._timed(query, options)))
            await asyncio.sleep(HEAD_START)
        self.begin(record.question)

    async def peek(self, query: WeightedQuery, options: RetrieveOptions) -> SearchResult:
        """Search, and keep the result for the next identical search.

        Raises:
            ParleyError: the search failed.
        """
        result = await self.search(query, options)
        known: asyncio.Future[SearchResult] = asyncio.get_running_loop().create_future()
        known.set_result(result)
        self._prefetch = _Prefetch(query, apply_range(options, await self._detected()), known)
        return result

    async def _detected(self) -> DetectedRange:
        """Return the detected range; a search that is given up does not end the detection, which others wait for."""
        return await asyncio.shield(self._range) if self._range is not None else DetectedRange()

    async def search(self, query: WeightedQuery, options: RetrieveOptions) -> SearchResult:
        """Search the question's range, or everything if that range holds nothing that fits; errors as with `peek`."""
        range_options = apply_range(options, await self._detected())
        start = time.monotonic()
        first = await self._search(query, range_options)
        is_relevant = any(evidence.relevance is not Relevance.LOW for evidence in first.value.evidence)
        if range_options.filters == options.filters or is_relevant:
            return first
        is_quick = time.monotonic() - start < QUICK_SECONDS
        second = await self._search(query, replace(options, web=range_options.web and is_quick))
        degraded = dict.fromkeys((*first.degraded, RANGE_DROPPED, *second.degraded))
        result = replace(second.value, usage=(*first.value.usage, *second.value.usage))
        return StageResult(result, tuple(degraded))

    async def _search(self, query: WeightedQuery, options: RetrieveOptions) -> SearchResult:
        """Return the result of the prefetched search if it is the same, else search; a prefetch is used once."""
        prefetch = self._prefetch
        if prefetch is None or (prefetch.query, prefetch.options) != (query, options):
            return await self._timed(query, options)
        self._prefetch = None
        return await prefetch.result

    async def _timed(self, query: WeightedQuery, options: RetrieveOptions) -> SearchResult:
        """Search and record the time it takes, even if it is a prefetch."""
        with self._run.usage.timed(Stage.RETRIEVE, "retrieve"):
            earlier = earlier_rankings(self._run.view, self._run.reading) if query.recalls_passages else ()
            request = RetrieveRequest(query, options, earlier)
            return await result_of(self._stages.stream(RETRIEVE, request), RetrieveResult)

    async def _detect(self, standalone: str) -> DetectedRange:
        request = DetectRangeRequest(standalone, self._run.request.options.now)
        try:
            with self._run.usage.timed(Stage.RETRIEVE, "detect_range"):
                return await self._stages.unary(DETECT_RANGE, request)
        except ParleyError as error:
            effect = "It could not be detected whether the question asks for news, so everything was searched."
            self._run.emit(Degraded(Stage.RETRIEVE, error.reason, effect))
            return DetectedRange()


def apply_range(options: RetrieveOptions, detected_range: DetectedRange) -> RetrieveOptions:
    """Return the options with the detected range added; the caller's sources and documents, and any dates, win."""
    own = options.filters or Filters()
    if own.sources or own.metadata or own.document_ids:
        return options
    range_filters = detected_range.filters or Filters()
    dates = own.dates or (range_filters.dates if options.boost is None else None)
    filters = replace(own, sources=range_filters.sources, dates=dates)
    return replace(
        options, filters=options.filters if filters == own else filters, web=options.web or detected_range.web
    )
