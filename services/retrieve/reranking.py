"""Rerankers: in this process (ONNX Runtime, sentence-transformers, FlagEmbedding), or behind HTTP.

By default none is configured, and the fused order is final. The libraries of the extra `neural` are imported when a
model is opened: torch takes seconds and hundreds of megabytes. Local models run in a thread of their own; `rerank`
awaits them or the server.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from libs.runtime.errors import engine_unavailable
from services.retrieve.embedding.batches import Batches
from services.retrieve.embedding.embedder import UnusableModel, read_max_tokens
from services.retrieve.embedding.http import Endpoint, content_of
from services.retrieve.embedding.neural import model_errors, short_name
from services.retrieve.embedding.onnx_model import open_session, open_tokenizer, run_graph, token_arrays
from services.retrieve.embedding.opening import NONE, backend_of, folder_of, graph_in

Scores = NDArray[np.float64]
Pair = tuple[str, str]
"""A query and a passage."""


class PairScorer(Protocol):
    """A model: blocking, one call at a time."""

    name: str

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """How well each passage answers its query, in [0, 1], shape (pairs,), in their order."""


class Reranker(Protocol):
    """A model that many callers share."""

    @property
    def name(self) -> str:
        """The model's name."""

    async def rerank(self, query: str, passages: Sequence[str]) -> Scores:
        """How well each passage answers, in [0, 1], in order. Cancelling the call drops its pending work.

        Raises:
            Unavailable: the model failed.
        """


class BatchingReranker:
    """Shares a model among coroutines. Close it when no caller is left."""

    def __init__(self, scorer: PairScorer) -> None:
        """Take ownership of the model: nothing else may run it."""
        self.name = scorer.name
        self._batches: Batches[Pair, float] = Batches("reranker", lambda pairs: [float(s) for s in scorer.score(pairs)])

    async def rerank(self, query: str, passages: Sequence[str]) -> Scores:
        """See `Reranker`. Pairs of similar length share batches; pairs of a cancelled caller are skipped."""
        ascending = sorted(range(len(passages)), key=lambda at: len(passages[at]))
        pairs = [((query, passages[at]), len(query) + len(passages[at])) for at in ascending]
        scores = np.zeros(len(passages))
        scores[ascending] = await self._batches.results(pairs)
        return scores

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._batches.close()


def open_scorer(model: str, models: Path, threads: int) -> PairScorer | None:
    """The local model that the setting `reranker` names, None for `none`; raises UnusableModel. Blocking."""
    if model == NONE:
        return None
    backend, name = backend_of(model)
    if backend == "cross-encoder":
        return SentenceTransformersCrossEncoder(name)
    if backend == "flag":
        return FlagEmbeddingReranker(name)
    folder = folder_of(name, models)
    return OnnxCrossEncoder(graph_in(folder), folder, folder.name, threads)


class OnnxCrossEncoder:
    """A folder with `model.onnx` and `tokenizer.json`, as Hugging Face exports them. Blocking and not thread-safe."""

    def __init__(self, graph: Path, folder: Path, name: str, threads: int) -> None:
        """Load a model; see `OnnxEncoder`. The graph's first output is logits, shape (batch, 1) or (batch, 2)."""
        self.name = name
        self._session = open_session(graph, threads)
        labels = self._session.get_outputs()[0].shape[-1]
        if labels not in (1, 2):
            raise UnusableModel(f"a reranker gives one logit or two, this graph gives {labels}")
        self._tokenizer = open_tokenizer(folder / "tokenizer.json", read_max_tokens(folder))

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """See `PairScorer`: the logistic function of the logit, or of the second logit minus the first."""
        logits = run_graph(self._session, token_arrays(self._tokenizer, pairs)).astype(np.float64)
        return logistic(logits[:, -1] - (logits[:, 0] if logits.shape[1] == 2 else 0.0))


def logistic(logits: Scores) -> Scores:
    """1 / (1 + exp(-x)), without overflow."""
    scores: Scores = np.exp(-np.logaddexp(0.0, -logits))
    return scores


class SentenceTransformersCrossEncoder:
    """A model of the Hugging Face hub or a folder. Blocking and not thread-safe."""

    def __init__(self, model: str) -> None:
        """Load the model, which is downloaded if it is a hub name that was not fetched before; raises UnusableModel."""
        self.name = short_name(model)
        with model_errors("sentence-transformers", model):
            from sentence_transformers import CrossEncoder
            from torch.nn import Sigmoid

            self._model: Any = CrossEncoder(model)
            self._probability = Sigmoid()

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """See `PairScorer`."""
        scores = self._model.predict(list(pairs), activation_fn=self._probability, show_progress_bar=False)
        return np.asarray(scores, np.float64).reshape(len(pairs))


class FlagEmbeddingReranker:
    """A bge encoder reranker, such as BAAI/bge-reranker-v2-m3: a name of the hub or a folder."""

    def __init__(self, model: str) -> None:
        """See `SentenceTransformersCrossEncoder`."""
        self.name = short_name(model)
        with model_errors("FlagEmbedding", model):
            from FlagEmbedding import FlagReranker

            self._model: Any = FlagReranker(model, normalize=True)

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """See `PairScorer`."""
        return np.asarray(self._model.compute_score(list(pairs)), np.float64).reshape(len(pairs))


MAX_PASSAGES = 32  # passages per call; the default limit of Text Embeddings Inference


class HttpReranker:
    """Calls an endpoint. Close it when no caller is left."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Nothing is called yet. Raises UnusableModel: the address ends neither with /rerank nor with /v1/rerank."""
        import httpx2

        if not endpoint.path.endswith("/rerank"):
            raise UnusableModel("the address of a reranker ends with /rerank or /v1/rerank")
        self.name = endpoint.name
        self._endpoint = endpoint
        self._cohere = endpoint.path.endswith(("/v1/rerank", "/v2/rerank"))
        self._client = httpx2.AsyncClient(headers=endpoint.headers, timeout=endpoint.seconds)

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

        try:
            response = await self._client.post(self._endpoint.url, json=self._request(query, passages))
        except httpx2.HTTPError as error:
            raise engine_unavailable("The reranking server does not answer: check PARLEY_RETRIEVE_RERANKER.") from error
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
            raise engine_unavailable("The reranking server's answer has an unknown form: check its address.") from error
        if not np.isfinite(scores).all():
            raise engine_unavailable("The reranking server did not score every passage: check its model.")
        return scores.clip(0.0, 1.0)
