"""Search engines of the web on this machine: one host that answers as SearXNG, Brave and Tavily do."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.http_server import QuietHandler, http_server

Row = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A request as an engine got it."""

    method: str
    path: str
    parameters: dict[str, Any]
    headers: dict[str, str]


@dataclass
class SearchHost:
    """Running engines; what they answer may be changed at any time."""

    port: int
    rows: Sequence[Row] = ()
    """Results, in the words of SearXNG (url, title, publishedDate)."""
    status: int = 200
    body: bytes | None = None
    """Sent instead of the results."""
    wait_seconds: float = 0.0
    asked: list[Asked] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, path: str, method: str) -> bytes:
        """The results in the engine's own words."""
        if self.body is not None:
            return self.body
        if path.startswith("/res/v1/web/search"):
            rows = [{"url": r["url"], "title": r.get("title"), "page_age": r.get("publishedDate")} for r in self.rows]
            return json.dumps({"type": "search", "web": {"results": rows}}).encode()
        date = "published_date" if method == "POST" else "publishedDate"
        rows = [{"url": r["url"], "title": r.get("title"), date: r.get("publishedDate")} for r in self.rows]
        return json.dumps({"results": rows}).encode()


@contextmanager
def search_host(rows: Sequence[Row] = ()) -> Iterator[SearchHost]:
    """Engines on a free port of loopback."""

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            self._answer("GET", {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()})

        def do_POST(self) -> None:
            self._answer("POST", json.loads(self.content()))

        def _answer(self, method: str, parameters: dict[str, Any]) -> None:
            path = urlsplit(self.path).path
            host.asked.append(Asked(method, path, parameters, dict(self.headers)))
            body = host.answer(path, method)
            time.sleep(host.wait_seconds)
            self.reply(body, host.status)

    with http_server(Handler) as port:
        host = SearchHost(port, rows)
        yield host
