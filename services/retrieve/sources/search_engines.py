"""The supported web search engines, SearXNG, Brave and Tavily, and the web search over them as configured.

Their addresses come from the settings and are trusted more than a page's: they may be on a private network. Their
responses are not trusted: the size is limited, and every field is checked. What blocks when opening runs in threads.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from libs.contracts.dates import TimeRange
from libs.runtime.errors import engine_unavailable
from libs.runtime.serving.server_info import Capability
from libs.web.iso_dates import iso_stamp
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.sources import pages, web_search
from services.retrieve.sources.web import WebSource
from services.retrieve.sources.web_candidates import WebRetriever
from services.retrieve.sources.web_search import WebResult, WebSearch, WebSettings
from services.retrieve.sources.web_store import KeptPassages

if TYPE_CHECKING:
    import httpx2


BRAVE: Final = "https://api.search.brave.com"
TAVILY: Final = "https://api.tavily.com"
MAX_BYTES: Final = 2 * 1024 * 1024
"""Limit of an engine's response, uncompressed; twenty results take some 50 KB (taste)."""
SPANS: Final = ((1, "day"), (7, "week"), (31, "month"), (366, "year"))
"""SearXNG's time ranges, by days."""
_NO_KEY: Final = SecretStr("")


@dataclass(frozen=True)
class _Engine:
    client: "httpx2.AsyncClient"
    base_url: str
    key: SecretStr = _NO_KEY

    async def _answer(self, method: str, path: str, **options: Any) -> Mapping[str, Any]:
        return await _json(self.client, method, f"{self.base_url.rstrip('/')}/{path}", **options)


class Searxng(_Engine):
    """GET /search?format=json; https://docs.searxng.org/dev/search_api.html."""

    name = "SearXNG"

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """See WebSearch."""
        parameters = {"q": query, "format": "json"}
        if span := _span(dates):
            parameters["time_range"] = span
        answer = await self._answer("GET", "search", params=parameters)
        return _results(answer.get("results"), "publishedDate")


class Brave(_Engine):
    """GET /res/v1/web/search; https://api-dashboard.search.brave.com/documentation."""

    name = "Brave"

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """See WebSearch."""
        parameters = {"q": query, "count": str(limit)}
        if dates is not None and dates.start is not None:
            parameters["freshness"] = f"{dates.start:%Y-%m-%d}to{dates.end or datetime.now(UTC):%Y-%m-%d}"
        headers = {"X-Subscription-Token": self.key.get_secret_value()}
        answer = await self._answer("GET", "res/v1/web/search", params=parameters, headers=headers)
        web = answer.get("web")
        return _results(web.get("results"), "page_age") if isinstance(web, dict) else ()


class Tavily(_Engine):
    """POST /search; https://docs.tavily.com/documentation/api-reference/endpoint/search."""

    name = "Tavily"

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """See WebSearch."""
        parameters: dict[str, Any] = {"query": query, "max_results": limit}
        if dates is not None and dates.start is not None:
            parameters["start_date"] = f"{dates.start:%Y-%m-%d}"
        if dates is not None and dates.end is not None:
            parameters["end_date"] = f"{dates.end:%Y-%m-%d}"
        headers = {"Authorization": f"Bearer {self.key.get_secret_value()}"}
        answer = await self._answer("POST", "search", json=parameters, headers=headers)
        return _results(answer.get("results"), "published_date")


def configured_names(settings: WebSettings) -> list[str]:
    """The names of the engines that the settings configure."""
    access = {
        "SearXNG": settings.searxng_url,
        "Brave": settings.brave_key.get_secret_value(),
        "Tavily": settings.tavily_key.get_secret_value(),
    }
    return [name for name, value in access.items() if value]


def configured_engines(settings: WebSettings, client: "httpx2.AsyncClient") -> tuple[WebSearch, ...]:
    """The engines that the settings configure."""
    engines: list[WebSearch] = [
        Searxng(client, settings.searxng_url),
        Brave(client, BRAVE, settings.brave_key),
        Tavily(client, TAVILY, settings.tavily_key),
    ]
    names = configured_names(settings)
    return tuple(engine for engine in engines if engine.name in names)


async def _json(client: "httpx2.AsyncClient", method: str, url: str, **options: Any) -> Mapping[str, Any]:
    """An engine's response; raises Unavailable if it does not answer, or not with a JSON object."""
    import httpx2

    try:
        async with client.stream(method, url, **options) as response:
            if response.status_code != 200:
                raise engine_unavailable(f"it answers {response.status_code}")
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > MAX_BYTES:
                    raise engine_unavailable("its answer is too large")
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise engine_unavailable("it cannot be reached") from error
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise engine_unavailable("its answer is no JSON") from error
    if not isinstance(answer, dict):
        raise engine_unavailable("its answer is no JSON object")
    return answer


def _results(rows: object, date: str) -> list[WebResult]:
    """The rows that have a URL; `date` is the field of the publication date."""
    valid_rows = [row for row in rows if isinstance(row, dict) and row.get("url")] if isinstance(rows, list) else []
    return [
        WebResult(_text(row["url"]), _text(row.get("title")), iso_stamp(_text(row.get(date)))[:10])
        for row in valid_rows
    ]


def _text(value: object) -> str:
    """A stripped string; unpaired surrogates, which JSON allows but UTF-8 does not, are replaced."""
    return value.strip().encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _span(dates: TimeRange | None) -> str:
    """The shortest of SearXNG's time ranges with the start of `dates`, within an hour (taste); empty if none has it."""
    if dates is None or dates.start is None:
        return ""
    back = datetime.now(UTC) - dates.start
    return next((name for days, name in SPANS if back <= timedelta(days=days, hours=1)), "")


MAX_PAGE_BYTES: Final = 1024 * 1024
"""Size of a page, uncompressed; a larger one is left out (taste). On one core, 66 KB of paragraphs take .12 seconds,
1 MB of nothing but links took 7."""


async def open_web(
    settings: WebSettings,
    preparation: Preparation,
    embedder: BatchingEmbedder | None,
    store: KeptPassages,
    stack: AsyncExitStack,
) -> WebRetriever | None:
    """The web retriever, closed with the stack; None if no search engine is configured."""
    if not configured_names(settings):
        return None
    import httpx2  # an HTTP client that only the web needs

    from libs.web.fetching import Fetcher
    from libs.web.limits import FetchLimits, user_agent

    context = await asyncio.to_thread(ssl.create_default_context)
    headers = {"User-Agent": user_agent()}
    client = await stack.enter_async_context(
        httpx2.AsyncClient(verify=context, headers=headers, timeout=web_search.SEARCH_SECONDS)
    )
    limits = FetchLimits(seconds=pages.PAGE_SECONDS, max_bytes=MAX_PAGE_BYTES, allow_loopback=settings.allow_loopback)
    fetcher = await stack.enter_async_context(Fetcher(limits))
    reader = pages.PageReader(fetcher)
    stack.callback(reader.close)
    source = WebSource(configured_engines(settings, client), reader, settings, preparation)
    return WebRetriever(source, embedder, store)


def web_capability(settings: WebSettings) -> Capability:
    """The configured search engines."""
    names = configured_names(settings)
    if not names:
        return Capability("search the web", "none", "no search engine for it is configured")
    return Capability("search the web", ", ".join(names), "for every question" if settings.always else "for news")
