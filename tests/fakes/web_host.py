"""A host of the web on this machine: pages by path, and a record of who asked for what."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host.asked.append(self.path)
            host.agents.append(self.headers["User-Agent"])
            page = host.pages.get(self.path, WebPage(b"none", 404))
            time.sleep(page.wait_seconds)
            self.send_response(page.status)
            for name, value in page.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(page.body)))
            self.end_headers()
            self.wfile.write(page.body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that went away is none of the host's business."""

    with Server(("127.0.0.1", 0), Handler) as server:
        web_pages = {path: page if isinstance(page, WebPage) else WebPage(page) for path, page in pages.items()}
        host = WebHost(server.server_port, web_pages)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield host
        finally:
            server.shutdown()
            thread.join()
