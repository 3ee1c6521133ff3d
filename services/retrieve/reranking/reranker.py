"""The interfaces of rerankers. By default none is configured, and the fused order is final."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

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
