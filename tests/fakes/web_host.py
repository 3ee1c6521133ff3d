"""A host of the web on this machine: pages by path, and a record of who asked for what."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.fakes.http_server import QuietHandler, http_server


@dataclass(frozen=True)
class WebPage:
    """What a path answers."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    wait_seconds: float = 0.0


@dataclass
class WebHost:
    """A running host; pages may be put in at any time. What it lacks is 404."""

    port: int
    pages: dict[str, WebPage]
    asked: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


@contextmanager
def web_host(pages: Mapping[str, WebPage | bytes]) -> Iterator[WebHost]:
    """A host on a free port of loopback."""

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            host.asked.append(self.path)
            host.agents.append(self.headers["User-Agent"])
            page = host.pages.get(self.path, WebPage(b"none", 404))
            time.sleep(page.wait_seconds)
            self.reply(page.body, page.status, page.headers)

    with http_server(Handler) as port:
        host = WebHost(
            port, {path: page if isinstance(page, WebPage) else WebPage(page) for path, page in pages.items()}
        )
        yield host
