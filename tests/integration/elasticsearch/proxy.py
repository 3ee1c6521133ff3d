"""A door before the real server that a test can hold shut, and behind which a small model weighs tokens.

The test server has no machine learning: the proxy answers what an inference endpoint of a full cluster would, with
weights that follow from the words, and passes everything else on.
"""

import http.client
import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.fakes.http_server import QuietHandler, http_server

MEANS: Mapping[str, str] = {"moon": "luna", "lunar": "luna", "luna": "luna", "rover": "vehicle", "lunokhod": "vehicle"}
"""What the small model knows: words that mean the same."""


class Proxy:
    """Only `proxy_to` makes one."""

    def __init__(self, target_port: int) -> None:
        self.target_port = target_port
        self.open = threading.Event()
        self.open.set()
        self.down = False
        """Connections are closed without an answer."""
        self.delay = 0.0
        """Seconds before each request is passed on."""
        self.held = threading.Semaphore(0)
        """Released for each request that stands before the shut door."""
        self.endpoint = ""
        """The inference endpoint that the cluster has; empty for none."""
        self.model_answers = True
        self.weighed: list[str] = []
        """Texts whose tokens were asked for."""
        self.url = ""

    def wait_before_the_door(self) -> None:
        """Called by each request."""
        time.sleep(self.delay)
        if not self.open.is_set():
            self.held.release()
            self.open.wait()


@contextmanager
def proxy_to(port: int) -> Iterator[Proxy]:
    """A proxy on a free port."""
    proxy = Proxy(port)

    class Handler(_Handler):
        pass

    Handler.proxy = proxy
    with http_server(Handler) as own_port:
        proxy.url = f"http://127.0.0.1:{own_port}"
        try:
            yield proxy
        finally:
            proxy.open.set()


def tokens(text: str) -> dict[str, float]:
    """Each word of a text by what it means."""
    weights: dict[str, float] = {}
    for word in re.findall(r"\w+", text.lower()):
        meaning = MEANS.get(word, word)
        weights[meaning] = weights.get(meaning, 0.0) + 1.0
    return weights


class _Handler(QuietHandler):
    """Every request of one connection."""

    protocol_version = "HTTP/1.1"
    proxy: Proxy

    def do_request(self) -> None:
        proxy, body = self.proxy, self.content()
        proxy.wait_before_the_door()
        if proxy.down:
            self.close_connection = True
            return
        try:
            if self.path.startswith("/_inference") and proxy.endpoint:
                self._infer(body)
            else:
                self._pass_on(body)
        except OSError:  # either side went away
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_request  # noqa: N815

    def _infer(self, body: bytes) -> None:
        proxy = self.proxy
        if not proxy.model_answers:
            self._answer(503, {"error": {"type": "status_exception", "reason": "no allocation"}, "status": 503})
        elif proxy.endpoint not in self.path:
            self._answer(404, {"error": {"type": "resource_not_found_exception"}, "status": 404})
        elif self.command == "GET":
            self._answer(200, {"endpoints": [{"inference_id": proxy.endpoint, "task_type": "sparse_embedding"}]})
        else:
            inputs = json.loads(body)["input"]
            texts = [inputs] if isinstance(inputs, str) else inputs
            proxy.weighed.extend(texts)
            weights = [{"is_truncated": False, "embedding": tokens(text)} for text in texts]
            self._answer(200, {"sparse_embedding": weights})

    def _answer(self, status: int, value: Any) -> None:
        kind = "application/vnd.elasticsearch+json;compatible-with=9"
        self.reply(json.dumps(value).encode(), status, {"X-Elastic-Product": "Elasticsearch", "Content-Type": kind})

    def _pass_on(self, body: bytes) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy.target_port, timeout=60)
        try:
            connection.request(self.command, self.path, body, dict(self.headers.items()))
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        own = ("content-length", "transfer-encoding", "connection")
        headers = {name: value for name, value in answer.getheaders() if name.lower() not in own}
        self.reply(content, answer.status, headers)
