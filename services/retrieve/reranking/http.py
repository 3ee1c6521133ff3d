"""A reranker that another server hosts.

Two APIs are supported, chosen by the path: `/rerank` of Text Embeddings Inference, and `/v1/rerank` (or `/v2/…`) of
Cohere, Jina and many compatible servers. Such servers batch across callers themselves.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from libs.runtime.errors import Unavailable
from services.retrieve.embedding.embedder import UnusableModel
from services.retrieve.embedding.endpoint import Endpoint, content_of
from services.retrieve.reranking.reranker import Scores

MAX_PASSAGES = 32
"""Passages per call; the default limit of Text Embeddings Inference."""
MAX_CALLS = 8
"""Concurrent calls."""


class HttpReranker:
    """Calls an endpoint. Close it when no caller is left."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Nothing is called yet.

        Raises:
            UnusableModel: the address ends neither with /rerank nor with /v1/rerank.
        """
        import httpx2

        if not endpoint.path.endswith("/rerank"):
            raise UnusableModel("the address of a reranker ends with /rerank or /v1/rerank")
        self.name = endpoint.name
        self._endpoint = endpoint
        self._cohere = endpoint.path.endswith(("/v1/rerank", "/v2/rerank"))
        self._client = httpx2.AsyncClient(headers=endpoint.headers, timeout=endpoint.seconds)
        self._free = asyncio.Semaphore(MAX_CALLS)

    async def rerank(self, query: str, passages: Sequence[str]) -> Scores:
        """See `Reranker`; each call scores as many passages as servers commonly accept."""
        parts = [passages[first : first + MAX_PASSAGES] for first in range(0, len(passages), MAX_PASSAGES)]
        scores = await asyncio.gather(*(self._part(query, part) for part in parts))
        return np.concatenate([np.zeros(0), *scores])

    async def close(self) -> None:
        """Close connections."""
        await self._client.aclose()

    async def _part(self, query: str, passages: Sequence[str]) -> Scores:
        import httpx2

        async with self._free:
            try:
                response = await self._client.post(self._endpoint.url, json=self._request(query, passages))
            except httpx2.HTTPError as error:
                raise Unavailable("ENGINE_UNAVAILABLE", "The reranking server does not answer.") from error
        return self._scores(content_of(response), len(passages))

    def _request(self, query: str, passages: Sequence[str]) -> Mapping[str, Any]:
        if not self._cohere:
            return {"query": query, "texts": list(passages), "raw_scores": False, "truncate": True}
        model = {"model": self._endpoint.model} if self._endpoint.model else {}
        return {**model, "query": query, "documents": list(passages), "top_n": len(passages), "return_documents": False}

    def _scores(self, content: Any, count: int) -> Scores:
        scores = np.full(count, np.nan)
        try:
            places = content["results"] if self._cohere else content
            for place in places:
                scores[int(place["index"])] = float(place["relevance_score" if self._cohere else "score"])
        except (TypeError, KeyError, ValueError, IndexError) as error:
            raise Unavailable("ENGINE_UNAVAILABLE", "The reranking server answered in another shape.") from error
        if not np.isfinite(scores).all():
            raise Unavailable("ENGINE_UNAVAILABLE", "The reranking server did not score every passage.")
        return scores.clip(0.0, 1.0)
