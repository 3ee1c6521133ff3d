"""Several search engines asked at once, their results made one list.

Each engine stands behind `WebSearch`. One that fails or is late is said as `Degraded`; the others' results still come.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import structlog

from libs.contracts.dates import TimeRange
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError
from services.retrieve.sources.urls import page_key

RRF_K: Final = 60
"""Cormack, Clarke and Büttcher 2009."""

_log = structlog.get_logger("parley.retrieve")


@dataclass(frozen=True, slots=True)
class WebResult:
    """A page that a search engine names."""

    url: str
    title: str = ""
    date: str = ""
    """When it was published, as ISO 8601 to the day; empty when the engine does not say."""


class WebSearch(Protocol):
    """A search engine of the web."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """The pages it finds, the best first; `dates` is a hint that it may take.

        Raises:
            Unavailable: it cannot be reached, refuses, or answers with something that is no answer.
        """
        ...


@dataclass(frozen=True, slots=True)
class WebResults:
    """What all engines found, the best first, each page once."""

    results: tuple[WebResult, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    """One for each engine that took no part."""


async def search_all(
    engines: Sequence[WebSearch], query: str, limit: int, dates: TimeRange | None, seconds: float
) -> WebResults:
    """Ask all engines side by side, each for at most `seconds`, and merge what they give."""
    answers = await asyncio.gather(*(_ask(engine, query, limit, dates, seconds) for engine in engines))
    lists = [answer for answer in answers if not isinstance(answer, Degraded)]
    return WebResults(merge(lists), tuple(answer for answer in answers if isinstance(answer, Degraded)))


def merge(lists: Sequence[Sequence[WebResult]]) -> tuple[WebResult, ...]:
    """One list by reciprocal rank: a page gets 1 / (60 + rank) from each engine that names it.

    The first engine's URL stands; a title or date that it lacks comes from another. What is no URL of http or https is
    left out.
    """
    scores: dict[str, float] = {}
    pages: dict[str, WebResult] = {}
    for results in lists:
        named: set[str] = set()
        for result in results:
            key = page_key(result.url)
            if key is None or key in named:
                continue
            named.add(key)
            scores[key] = scores.get(key, 0.0) + 1 / (RRF_K + len(named))
            known = pages.setdefault(key, result)
            pages[key] = replace(known, title=known.title or result.title, date=known.date or result.date)
    return tuple(pages[key] for key in sorted(pages, key=lambda key: -scores[key]))


async def _ask(
    engine: WebSearch, query: str, limit: int, dates: TimeRange | None, seconds: float
) -> Sequence[WebResult] | Degraded:
    effect = f"The web search engine {engine.name} took no part"
    try:
        async with asyncio.timeout(seconds):
            return (await engine.search(query, limit, dates))[:limit]
    except TimeoutError:
        return Degraded(Stage.RETRIEVE, "DEADLINE_EXCEEDED", f"{effect}: it was too slow.")
    except ParleyError as error:
        _log.warning("web search engine failed", engine=engine.name, reason=error.reason, why=error.message)
        return Degraded(Stage.RETRIEVE, error.reason, f"{effect}: {error.message.rstrip('.')}.")
