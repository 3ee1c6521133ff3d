"""The web as a source of passages: queries search engines, reads pages, and cuts their texts as the corpus does.

An engine or page that fails is reported as `Degraded` with the reason; it raises no error. Pages are cut in threads.
"""

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from libs.contracts.query import Filters, WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.language.detection import detect_language, reading_language
from libs.language.known import ENGLISH
from libs.runtime.deadline import budget
from libs.text.tokens import content_words
from services.retrieve.corpus.filtering import seconds_of_date, seconds_of_range
from services.retrieve.indexing.passages import cut_passages
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.search.hybrid import Candidates
from services.retrieve.sources import web_search
from services.retrieve.sources.pages import TOO_SLOW, PageReader, PageUnread
from services.retrieve.sources.web_search import WebResult, WebSearch, WebSettings, page_key, search_all

if TYPE_CHECKING:
    from libs.web.pages import WebPage

WEB: Final = "web"
"""The source of web passages, which filters refer to."""
ID_PREFIX: Final = "web:"
MAX_QUERY_CHARACTERS: Final = 400  # characters; Brave's limit
MAX_TERMS: Final = 8  # words of the history that are added to the query's own (taste)
MAX_PAGES: Final = 5
"""Pages read for a query, the best first: as many as one search reads in its time (taste)."""
RESERVE_SECONDS: Final = 1.5
"""Seconds of the call's time that are reserved for embedding and ranking web passages (taste)."""


Scores = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WebCandidates:
    """The scored web passages of one retrieval; empty if the web took no part."""

    passages: tuple[Passage, ...] = ()
    lexical: Scores = field(default_factory=lambda: np.zeros(0))
    cosines: Scores | None = None
    """None without an embedder."""
    vectors: Floats | None = None
    """Unit vectors, one row per passage."""
    degraded: tuple[Degraded, ...] = ()

    def __len__(self) -> int:
        return len(self.passages)

    @property
    def keys(self) -> NDArray[np.int64]:
        """Ascending: -n for the first passage, -1 for the last."""
        return np.arange(-len(self), 0, dtype=np.int64)

    @property
    def by_key(self) -> Mapping[int, Passage]:
        """The passages by their keys."""
        return dict(zip(self.keys.tolist(), self.passages, strict=True))


@dataclass(frozen=True, slots=True)
class WebSource:
    """Finds passages on the web. Safe for concurrent callers."""

    engines: Sequence[WebSearch]
    pages: PageReader
    settings: WebSettings
    preparation: Preparation
    """How pages are cut."""

    async def find(self, query: WeightedQuery, filters: Filters, collection: str) -> WebCandidates:
        """Search, read and cut, within the timeouts of the settings and of the call."""
        settings = self.settings
        seconds = budget(settings.seconds, RESERVE_SECONDS) or 0.0
        if not seconds:
            late = "The web was not searched: too little of the call's time was left."
            return WebCandidates(degraded=(Degraded(Stage.RETRIEVE, "DEADLINE_EXCEEDED", late),))
        deadline = time.monotonic() + seconds
        text, patience = search_text(query), min(web_search.SEARCH_SECONDS, seconds)
        search_results = await search_all(self.engines, text, web_search.RESULTS, filters.dates, patience)
        results = search_results.results[:MAX_PAGES]
        pages = await self.pages.read_all([result.url for result in results], deadline - time.monotonic())
        passages: list[Passage] = []
        for result, page in zip(results, pages, strict=True):
            if not isinstance(page, PageUnread) and _admitted(date := page.date or result.date, filters):
                passages += await asyncio.to_thread(self._cut, result, page, date, collection)
        unread = [page for page in pages if isinstance(page, PageUnread)]
        return WebCandidates(tuple(passages), degraded=(*search_results.degraded, *_unread(unread, len(results))))

    def _cut(self, result: WebResult, page: "WebPage", date: str, collection: str) -> list[Passage]:
        key = page_key(result.url) or result.url
        title = page.title or result.title
        language = detect_language(page.text) or self.preparation.language
        return [
            Passage(
                *(_id(key, cut.of(page.text)), _id(key), cut.of(page.text), collection),
                *(title, result.url, date, WEB),
                span=cut.span,
                headings=page.structure.headings(cut.section),
                language=language,
                blocks=cut.blocks,
            )
            for cut in cut_passages(page.text, page.structure, self.preparation.size, language=language)
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
    """An id that is the same for the same text at the same URL: 96 bits of a digest (taste)."""
    return ID_PREFIX + hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


def _unread(pages: Sequence[PageUnread], page_count: int) -> tuple[Degraded, ...]:
    """All unread pages in one `Degraded`, with the reasons."""
    if not pages:
        return ()
    reasons = Counter(map(str, pages))
    why = "; ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    reason = "DEADLINE_EXCEEDED" if set(reasons) == {TOO_SLOW} else "PAGE_UNUSABLE"
    return (Degraded(Stage.RETRIEVE, reason, f"{len(pages)} of {page_count} pages of the web were not read: {why}."),)


def join(corpus: Candidates, web: WebCandidates) -> Candidates:
    """All candidates, keys ascending.

    An engine's scores count only if corpus and web both have them, because a list with two scores cannot be compared
    with one that has a single score. If the corpus has no candidates, the web's scores are unchanged.
    """
    if not len(web):
        return corpus
    alone = not len(corpus.keys)
    return Candidates(
        np.concatenate([web.keys, corpus.keys]),
        _concatenate(web.lexical, corpus.lexical, alone),
        _concatenate(web.cosines, corpus.vector, alone),
        corpus.degraded,
    )


def vectors_of(keys: NDArray[np.int64], corpus: Floats | None, web: WebCandidates) -> Floats | None:
    """The vectors of candidates in the order of their keys, zeros for one without; None if no candidate has any.

    `corpus` has those of the collection's engine for `keys`, zeros in the rows of web passages.
    """
    if web.vectors is None or not len(web):
        return corpus
    width = web.vectors.shape[1]
    vectors = np.zeros((len(keys), width), np.float32) if corpus is None else corpus.copy()
    if vectors.shape[1] != width:  # vectors of different models cannot be compared
        return corpus
    is_web = keys < 0
    vectors[is_web] = web.vectors[keys[is_web] + len(web)]
    return vectors


def _concatenate(web: Scores | None, corpus: Scores | None, alone: bool) -> Scores | None:
    if alone:
        return web
    return None if web is None or corpus is None else np.concatenate([web, corpus])
