"""Shares one reranking model among many callers."""

import asyncio
from collections.abc import Sequence

import numpy as np

from services.retrieve.indexing.batches import Batches
from services.retrieve.reranking.reranker import Pair, PairScorer, Scores


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
