"""Servers of models, as real HTTP servers on a free port: embeddings and reranking in each of the usual shapes."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.word_encoder import WordEncoder

ENCODER = WordEncoder()


class ModelServer(ThreadingHTTPServer):
    """Scores a passage by the share of the query's words that it has. Keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, dict[str, Any], str]] = []
        """Path, body, and the header Authorization, of each call."""
        self.answer: bytes | None = None
        """Said instead of the right answer."""
        self.status = 200
        self.go = threading.Event()
        """Nothing is answered before it is set."""
        self.go.set()

    @property
    def address(self) -> str:
        """Without a path."""
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A server, stopped at the end."""
    with ModelServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.go.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body, self.headers.get("Authorization", "")))
        self.server.go.wait(10)
        content = self.server.answer or json.dumps(_ANSWERS[self.path](body)).encode()
        try:
            self.send_response(self.server.status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _embed(body: dict[str, Any]) -> Any:
    return ENCODER.encode(body["inputs"]).tolist()


def _embeddings(body: dict[str, Any]) -> Any:
    rows = [{"index": at, "embedding": row} for at, row in enumerate(ENCODER.encode(body["input"]).tolist())]
    return {"data": rows[::-1], "model": body["model"]}


def _rerank(body: dict[str, Any]) -> Any:
    return [{"index": at, "score": score} for at, score in _best_first(body["query"], body["texts"])]


def _rerank_by_documents(body: dict[str, Any]) -> Any:
    scores = _best_first(body["query"], body["documents"])[: body["top_n"]]
    return {"results": [{"index": at, "relevance_score": score} for at, score in scores]}


def _best_first(query: str, passages: list[str]) -> list[tuple[int, float]]:
    words = set(query.lower().split())
    scores = [len(words & set(passage.lower().split())) / len(words) for passage in passages]
    return sorted(enumerate(scores), key=lambda place: -place[1])


_ANSWERS = {
    "/embed": _embed,
    "/v1/embeddings": _embeddings,
    "/openai/deployments/words/embeddings?api-version=2024-10-21": _embeddings,
    "/rerank": _rerank,
    "/v1/rerank": _rerank_by_documents,
    "/v2/rerank": _rerank_by_documents,
}
