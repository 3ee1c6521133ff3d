"""Servers of models, as real HTTP servers on a free port: embeddings and reranking in each of the usual shapes."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.http_server import QuietHandler, http_server
from tests.fakes.word_encoder import WordEncoder

ENCODER = WordEncoder()


@dataclass
class ModelServer:
    """Scores a passage by the share of the query's words that it has. Keeps what it was asked."""

    address: str
    """Without a path."""
    asked: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    """Path, body, and the header Authorization, of each call."""
    answer: bytes | None = None
    """Said instead of the right answer."""
    status: int = 200
    go: threading.Event = field(default_factory=threading.Event)
    """Nothing is answered before it is set."""


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A server, stopped at the end."""

    class Handler(QuietHandler):
        def do_POST(self) -> None:
            body = json.loads(self.content())
            server.asked.append((self.path, body, self.headers.get("Authorization", "")))
            server.go.wait(10)
            self.reply(server.answer or json.dumps(_ANSWERS[self.path](body)).encode(), server.status)

    with http_server(Handler) as port:
        server = ModelServer(f"http://127.0.0.1:{port}")
        server.go.set()
        try:
            yield server
        finally:
            server.go.set()


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
