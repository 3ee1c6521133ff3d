"""The supported web search engines: SearXNG, Brave and Tavily.

Their addresses come from the settings and are trusted more than a page's: they may be on a private network. Their
responses are not trusted: the size is limited, and every field is checked.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from libs.contracts.dates import TimeRange
from libs.runtime.errors import Unavailable
from services.retrieve.sources.settings import WebSettings
from services.retrieve.sources.web_search import WebResult, WebSearch

if TYPE_CHECKING:
    import httpx2

BRAVE: Final = "https://api.search.brave.com"
TAVILY: Final = "https://api.tavily.com"
MAX_BYTES: Final = 2 * 1024 * 1024
"""Limit of an engine's response, uncompressed; twenty results take some 50 KB."""
SPANS: Final = ((1, "day"), (7, "week"), (31, "month"), (366, "year"))
"""SearXNG's time ranges, by days."""


@dataclass(frozen=True, slots=True)
class Searxng:
    """GET /search?format=json; https://docs.searxng.org/dev/search_api.html."""

    client: "httpx2.AsyncClient"
    base_url: str
    name: str = "SearXNG"

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """See WebSearch."""
        parameters = {"q": query, "format": "json"}
        if span := _span(dates):
            parameters["time_range"] = span
        answer = await _json(self.client, "GET", f"{self.base_url.rstrip('/')}/search", params=parameters)
        return _results(answer.get("results"), "publishedDate")


@dataclass(frozen=True, slots=True)
class Brave:
    """GET /res/v1/web/search; https://api-dashboard.search.brave.com/documentation."""

    client: "httpx2.AsyncClient"
    base_url: str
    key: SecretStr
    name: str = "Brave"

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """See WebSearch."""
        parameters = {"q": query, "count": str(limit)}
        if dates is not None and dates.start is not None:
            parameters["freshness"] = f"{dates.start:%Y-%m-%d}to{dates.end or datetime.now(UTC):%Y-%m-%d}"
        headers = {"X-Subscription-Token": self.key.get_secret_value()}
        url = f"{self.base_url.rstrip('/')}/res/v1/web/search"
        answer = await _json(self.client, "GET", url, params=parameters, headers=headers)
        web = answer.get("web")
        return _results(web.get("results"), "page_age") if isinstance(web, dict) else ()


@dataclass(frozen=True, slots=True)
class Tavily:
    """POST /search; https://docs.tavily.com/documentation/api-reference/endpoint/search."""

    client: "httpx2.AsyncClient"
    base_url: str
    key: SecretStr
    name: str = "Tavily"

    async def search(self, query: str, limit: int, dates: TimeRange | None) -> Sequence[WebResult]:
        """See WebSearch."""
        parameters: dict[str, Any] = {"query": query, "max_results": limit}
        if dates is not None and dates.start is not None:
            parameters["start_date"] = f"{dates.start:%Y-%m-%d}"
        if dates is not None and dates.end is not None:
            parameters["end_date"] = f"{dates.end:%Y-%m-%d}"
        headers = {"Authorization": f"Bearer {self.key.get_secret_value()}"}
        answer = await _json(
            self.client, "POST", f"{self.base_url.rstrip('/')}/search", json=parameters, headers=headers
        )
        return _results(answer.get("results"), "published_date")


def configured_engines(settings: WebSettings, client: "httpx2.AsyncClient") -> tuple[WebSearch, ...]:
    """The engines that the settings configure."""
    engines: list[WebSearch] = []
    if settings.searxng_url:
        engines.append(Searxng(client, settings.searxng_url))
    if settings.brave_key.get_secret_value():
        engines.append(Brave(client, BRAVE, settings.brave_key))
    if settings.tavily_key.get_secret_value():
        engines.append(Tavily(client, TAVILY, settings.tavily_key))
    return tuple(engines)


def any_configured(settings: WebSettings) -> bool:
    """Whether the settings configure an engine."""
    keys = (settings.brave_key, settings.tavily_key)
    return bool(settings.searxng_url) or any(key.get_secret_value() for key in keys)


async def _json(client: "httpx2.AsyncClient", method: str, url: str, **options: Any) -> Mapping[str, Any]:
    """An engine's response.

    Raises:
        Unavailable: the engine does not answer, or not with a JSON object.
    """
    import httpx2

    try:
        async with client.stream(method, url, **options) as response:
            if response.status_code != 200:
                raise _failure(f"it answers {response.status_code}")
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > MAX_BYTES:
                    raise _failure("its answer is too large")
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise _failure("it cannot be reached") from error
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _failure("its answer is no JSON") from error
    if not isinstance(answer, dict):
        raise _failure("its answer is no JSON object")
    return answer


def _failure(why: str) -> Unavailable:
    return Unavailable("ENGINE_UNAVAILABLE", why)


def _results(rows: object, date: str) -> list[WebResult]:
    """The rows that have a URL; `date` is the field of the publication date."""
    valid_rows = [row for row in rows if isinstance(row, dict) and row.get("url")] if isinstance(rows, list) else []
    return [WebResult(_text(row["url"]), _text(row.get("title")), _day(_text(row.get(date)))) for row in valid_rows]


def _text(value: object) -> str:
    """A stripped string; unpaired surrogates, which JSON allows but UTF-8 does not, are replaced."""
    return value.strip().encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _day(text: str) -> str:
    """The day of an ISO 8601 or RFC 2822 date; empty for anything else."""
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return parse(text).date().isoformat()
        except (ValueError, TypeError):
            continue
    return ""


def _span(dates: TimeRange | None) -> str:
    """The shortest of SearXNG's time ranges that includes the start of `dates`; empty if none does."""
    if dates is None or dates.start is None:
        return ""
    back = datetime.now(UTC) - dates.start
    return next((name for days, name in SPANS if back <= timedelta(days=days, hours=1)), "")
