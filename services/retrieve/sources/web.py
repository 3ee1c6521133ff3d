"""The web as a source of passages: queries search engines, reads pages, and cuts their texts as the corpus does.

An engine or page that fails is reported as `Degraded` with the reason; it raises no error.
"""

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.evidence import Passage
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Filters, WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.language.detection import detect_language, reading_language
from libs.language.known import ENGLISH
from libs.runtime.deadline import budget
from libs.text.tokens import content_words
from services.retrieve.corpus.filtering import seconds_of_date, seconds_of_range
from services.retrieve.indexing.passages import cut_passages
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.sources import web_search
from services.retrieve.sources.pages import TOO_SLOW, PageReader, PageText, PageUnread
from services.retrieve.sources.settings import WebSettings
from services.retrieve.sources.web_search import WebResult, WebSearch, page_key, search_all

WEB: Final = "web"
"""The source of web passages, which filters refer to."""
ID_PREFIX: Final = "web:"
MAX_QUERY_CHARACTERS: Final = 400
"""Characters; Brave's limit."""
MAX_TERMS: Final = 8
"""Words of the history that are added to the query's own."""
RESERVE_SECONDS: Final = 1.5
"""Seconds of the call's time that are reserved for embedding and ranking web passages."""


@dataclass(frozen=True, slots=True)
class WebPassages:
    """Passages from the web in the order of their pages, and what failed."""

    passages: tuple[Passage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


def is_asked_for(options: RetrieveOptions) -> bool:
    """Whether the request itself asks for the web."""
    return options.web or WEB in (options.filters or Filters()).sources


def takes_part(options: RetrieveOptions, always: bool) -> bool:
    """Whether to search the web: a request or the setting asks for it, and no filter excludes it."""
    filters = options.filters or Filters()
    if filters.metadata or filters.document_ids:  # pages have neither
        return False
    return WEB in filters.sources if filters.sources else options.web or always


class WebSource:
    """Finds passages on the web. Safe for concurrent callers."""

    def __init__(
        self, engines: Sequence[WebSearch], pages: PageReader, settings: WebSettings, preparation: Preparation
    ) -> None:
        """`preparation` provides the settings for cutting pages."""
        self._engines = engines
        self._pages = pages
        self._settings = settings
        self._preparation = preparation

    @property
    def always(self) -> bool:
        """Whether the web is searched for every question."""
        return self._settings.always

    async def find(self, query: WeightedQuery, filters: Filters, collection: str) -> WebPassages:
        """Search, read and cut, within the timeouts of the settings and of the call."""
        settings = self._settings
        seconds = budget(settings.seconds, RESERVE_SECONDS) or 0.0
        if not seconds:
            late = "The web took no part: too little time was left."
            return WebPassages(degraded=(Degraded(Stage.RETRIEVE, "DEADLINE_EXCEEDED", late),))
        deadline = time.monotonic() + seconds
        text, patience = search_text(query), min(web_search.SEARCH_SECONDS, seconds)
        search_results = await search_all(self._engines, text, web_search.RESULTS, filters.dates, patience)
        results = search_results.results[: settings.pages]
        pages = await self._pages.read_all([result.url for result in results], deadline - time.monotonic())
        passages: list[Passage] = []
        for result, page in zip(results, pages, strict=True):
            if isinstance(page, PageText) and _admitted(date := page.date or result.date, filters):
                passages += await asyncio.to_thread(self._cut, result, page, date, collection)
        unread = [page for page in pages if isinstance(page, PageUnread)]
        return WebPassages(tuple(passages), (*search_results.degraded, *_unread(unread, len(results))))

    def _cut(self, result: WebResult, page: PageText, date: str, collection: str) -> list[Passage]:
        key = page_key(result.url) or result.url
        title = page.title or result.title
        language = detect_language(page.text) or self._preparation.language
        return [
            Passage(
                passage_id=_id(key, cut.of(page.text)),
                document_id=_id(key),
                text=cut.of(page.text),
                collection=collection,
                title=title,
                url=result.url,
                date=date,
                source=WEB,
                span=cut.span,
                headings=page.structure.headings(cut.section),
                language=language,
                blocks=cut.blocks,
            )
            for cut in cut_passages(page.text, page.structure, self._preparation.size, language=language)
        ]


def search_text(query: WeightedQuery) -> str:
    """The text for the search engines: the query's words, plus the most heavily weighted words from the history."""
    query_text, language = query.text.lower(), reading_language(query.text, usual=ENGLISH)
    weighty = sorted((term for term in query.terms if term.weight > 0), key=lambda term: -term.weight)
    extra_words = dict.fromkeys(
        word for term in weighty for word in content_words(term.term, language) if word not in query_text
    )
    words = " ".join([query.text, *list(extra_words)[:MAX_TERMS]])
    return words if len(words) <= MAX_QUERY_CHARACTERS else words[:MAX_QUERY_CHARACTERS].rsplit(" ", 1)[0]


def _admitted(date: str, filters: Filters) -> bool:
    if filters.dates is None:
        return True
    return seconds_of_date(date).overlaps(seconds_of_range(filters.dates)) if date else filters.undated


def is_web_id(document_id: str) -> bool:
    """Whether a document id is that of a page of the web."""
    return document_id.startswith(ID_PREFIX)


def _id(*parts: str) -> str:
    """An id that is the same for the same text at the same URL."""
    return ID_PREFIX + hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


def _unread(pages: Sequence[PageUnread], page_count: int) -> tuple[Degraded, ...]:
    """All unread pages in one `Degraded`, with the reasons."""
    if not pages:
        return ()
    reasons = Counter(map(str, pages))
    why = "; ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    reason = "DEADLINE_EXCEEDED" if set(reasons) == {TOO_SLOW} else "PAGE_UNUSABLE"
    return (Degraded(Stage.RETRIEVE, reason, f"{len(pages)} of {page_count} pages of the web were not read: {why}."),)
