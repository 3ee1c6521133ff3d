"""Where a turn looks: the range that its question asks for (news, the newest news), laid over what the caller said.

The range is detected while the question is planned. A caller who says where to look is not overruled; a range that
leaves nothing that fits is given up, openly. A range that cannot be detected changes nothing.
"""

import asyncio
import time
from dataclasses import replace
from datetime import datetime
from typing import Final

from gateway.draft import Draft
from gateway.narration import Emit
from gateway.stages import DetectedRange, Found, RetrieveStage
from services.runtime.errors import ParleyError
from services.vocabulary.evidence import Relevance
from services.vocabulary.options import RetrieveOptions
from services.vocabulary.query import Filters, WeightedQuery
from services.vocabulary.usage import Degraded, Stage

QUICK_SECONDS: Final = 3.0
"""A search that took longer is not asked again with the web: a sub-query has 10 seconds in all."""
WIDENED: Final = Degraded(
    Stage.RETRIEVE, "NOTHING_FOUND", "Nothing that fits was found where news is looked for; everything was searched."
)


class RoutedRetrieve:
    """The RetrieveStage of one turn; `close` it when the turn is over."""

    def __init__(self, stage: RetrieveStage, draft: Draft, emit: Emit) -> None:
        """Begins to detect the range at once."""
        self._stage = stage
        self._draft = draft
        self._emit = emit
        self._route = asyncio.create_task(self._detect())

    async def retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> Found:
        """Look in the question's range, and everywhere when it holds nothing that fits."""
        routed = laid_over(options, await asyncio.shield(self._route))
        started = time.monotonic()
        found = await self._stage.retrieve(query, routed)
        if routed.filters == options.filters or _fits(found):
            return found
        quick = time.monotonic() - started < QUICK_SECONDS
        again = await self._stage.retrieve(query, replace(options, web=routed.web and quick))
        degraded = dict.fromkeys((*found.degraded, WIDENED, *again.degraded))
        return replace(again, degraded=tuple(degraded), usage=(*found.usage, *again.usage))

    async def detect_range(self, question: str, now: datetime | None) -> DetectedRange:
        """See RetrieveStage."""
        return await self._stage.detect_range(question, now)

    def close(self) -> None:
        """Detect no more."""
        self._route.cancel()

    async def _detect(self) -> DetectedRange:
        """By the standalone question as it was said: grounding puts dates where "this week" stood."""
        request, record = self._draft.request, self._draft.record
        question = record.standalone if record else request.question
        try:
            with self._draft.timed(Stage.RETRIEVE, "detect_range"):
                return await self.detect_range(question or request.question, request.options.now)
        except ParleyError as error:
            effect = "Everything was searched: whether the question asks for news was not found out."
            self._emit(Degraded(Stage.RETRIEVE, error.reason, effect))
            return DetectedRange()


def laid_over(options: RetrieveOptions, route: DetectedRange) -> RetrieveOptions:
    """The caller's options with the range where they leave room for it: their sources, documents and dates stand."""
    own = options.filters or Filters()
    if own.sources or own.metadata or own.document_ids:
        return options
    wanted = route.filters or Filters()
    filters = replace(own, sources=wanted.sources, dates=own.dates or wanted.dates)
    return replace(options, filters=options.filters if filters == own else filters, web=options.web or route.web)


def _fits(found: Found) -> bool:
    return any(evidence.relevance is not Relevance.LOW for evidence in found.evidence)
