"""The interfaces of rerankers. By default none is configured, and the fused order is final."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.batching import Batches

Scores = NDArray[np.float64]
Pair = tuple[str, str]
"""A query and a passage."""


class PairScorer(Protocol):
    """A model: blocking, one call at a time."""

    name: str

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """How well each passage answers its query, in [0, 1], shape (pairs,), in their order."""
        ...


class Reranker(Protocol):
    """A model that many callers share."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    async def rerank(self, query: str, passages: Sequence[str]) -> Scores:
        """How well each passage answers, in [0, 1], in order. Cancelling the call drops its pending work.

        Raises:
            Unavailable: the model failed.
        """
        ...


class BatchingReranker:
    """Shares a model among coroutines. Close it when no caller is left."""

    def __init__(self, scorer: PairScorer) -> None:
        """Take ownership of the model: nothing else may run it."""
        self.name = scorer.name
        self._batches: Batches[Pair, float] = Batches("reranker", lambda pairs: [float(s) for s in scorer.score(pairs)])

    async def rerank(self, query: str, passages: Sequence[str]) -> Scores:
        """See `Reranker`. Pairs of similar length share batches; pairs of a cancelled caller are skipped."""
        scores = np.zeros(len(passages))
        ascending = sorted(range(len(passages)), key=lambda at: len(passages[at]))
        futures = [self._batches.submit((query, passages[at]), len(query) + len(passages[at])) for at in ascending]
        try:
            for at, future in zip(ascending, futures, strict=True):
                score: float = await asyncio.wrap_future(future)
                scores[at] = score
        finally:
            for future in futures:
                future.cancel()
        return scores

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._batches.close()
