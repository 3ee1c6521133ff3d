"""Queries several web search engines concurrently and merges their results into one list.

Each engine implements `WebSearch`. One that fails or is too slow is reported as `Degraded`; the others' results are
still used. Nothing blocks.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit

import structlog
from pydantic import Field, SecretStr

from libs.contracts.dates import TimeRange
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError
from libs.runtime.settings import AreaSettings, HeaderKey

RESULTS: Final = 10
"""Results requested from each engine; 20 is the limit of Brave and Tavily (10: taste)."""
SEARCH_SECONDS: Final = 3.0
"""Timeout of a search engine; a slower one is left out (taste: three of the five seconds of a web search)."""
RRF_K: Final = 60  # Cormack, Clarke and Büttcher 2009
_log = structlog.get_logger("parley.retrieve")


@dataclass(frozen=True, slots=True)
class WebResult:
    """A page that a search engine found."""

    url: str
    title: str = ""
    date: str = ""
    """Publication date, as ISO 8601 to the day; empty if unknown."""


class WebSearch(Protocol):
    """A search engine of the web."""

    @property
    def name(self) -> str:
        """The engine's name for users."""

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """The pages it finds, the best first; `dates` is a hint that it may use.

        Raises:
            Unavailable: it cannot be reached, refuses, or returns an invalid response.
        """


@dataclass(frozen=True, slots=True)
class WebResults:
    """The results of all engines, the best first, each page once."""

    results: tuple[WebResult, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    """One for each engine that failed."""


async def search_all(
    engines: Sequence[WebSearch], query: str, limit: int, dates: TimeRange | None, seconds: float
) -> WebResults:
    """Query all engines concurrently, each for at most `seconds`, and merge their results."""
    answers = await asyncio.gather(*(_ask(engine, query, limit, dates, seconds) for engine in engines))
    lists = [answer for answer in answers if not isinstance(answer, Degraded)]
    return WebResults(merge(lists), tuple(answer for answer in answers if isinstance(answer, Degraded)))


def merge(lists: Sequence[Sequence[WebResult]]) -> tuple[WebResult, ...]:
    """Merge by reciprocal rank: a page gets 1 / (60 + rank) from each engine that found it.

    The URL of the first engine is kept; a missing title or date comes from another one. URLs other than http or https
    are left out.
    """
    scores: dict[str, float] = {}
    pages: dict[str, WebResult] = {}
    for results in lists:
        keys: set[str] = set()
        for result in results:
            key = page_key(result.url)
            if key is None or key in keys:
                continue
            keys.add(key)
            scores[key] = scores.get(key, 0.0) + 1 / (RRF_K + len(keys))
            page = pages.setdefault(key, result)
            pages[key] = replace(page, title=page.title or result.title, date=page.date or result.date)
    return tuple(pages[key] for key in sorted(pages, key=lambda key: -scores[key]))


async def _ask(
    engine: WebSearch, query: str, limit: int, dates: TimeRange | None, seconds: float
) -> Sequence[WebResult] | Degraded:
    effect = f"The web search engine {engine.name} is left out"
    try:
        async with asyncio.timeout(seconds):
            return (await engine.search(query, limit, dates))[:limit]
    except TimeoutError:
        return Degraded(Stage.RETRIEVE, "DEADLINE_EXCEEDED", f"{effect}: it was too slow.")
    except ParleyError as error:
        _log.warning("web search engine failed", engine=engine.name, reason=error.reason, why=error.message)
        return Degraded(Stage.RETRIEVE, error.reason, f"{effect}: {error.message.rstrip('.')}.")


_TRACKING: Final = re.compile(r"utm_\w+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|ref_src", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}


def page_key(url: str) -> str | None:
    """A key that is equal for URLs of the same page.

    URLs count as equal if they differ only in scheme, `www.`, default port, case of the host, fragment, order of
    parameters, tracking parameters, or a trailing slash.

    Returns:
        The key; None if it is not an http or https URL.
    """
    try:
        parts = urlsplit(url.strip())
        host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme.lower(), ":"))
    except ValueError:
        return None
    if parts.scheme.lower() not in _DEFAULT_PORTS or not host:
        return None
    parameters = sorted((k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(k))
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{host.removeprefix('www.')}{parts.path.rstrip('/')}{query}"


class WebSettings(AreaSettings, area="retrieve_web"):
    """Which search engines are used, and for how long."""

    searxng_url: str = Field(default="", pattern="^(https?://.*)?$")
    """Base URL of a SearXNG instance whose `search.formats` include json; empty: not used."""
    brave_key: HeaderKey = SecretStr("")
    """Subscription token of the Brave Search API; empty: not used."""
    tavily_key: HeaderKey = SecretStr("")
    """Key of the Tavily API; empty: not used."""
    always: bool = False
    """Search the web for every question, not only for those that ask for it or for news."""
    seconds: float = Field(default=5.0, gt=0, le=120)  # taste
    """Timeout of the web search before its passages are embedded; half of the gateway's timeout for a sub-query."""
    keep_days: float = Field(default=30.0, gt=0)  # taste
    """Days that a passage of the web can be opened by its id after it last served as evidence."""
    allow_loopback: bool = False
    """Also read pages of this machine: for tests, and for a site that runs on the same host."""
