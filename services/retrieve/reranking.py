"""What a reranker is. None is configured by default; then the fused order stands."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Reranker(Protocol):
    """A model that reads a query and a passage together."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    async def rerank(self, query: str, passages: Sequence[str]) -> NDArray[np.float64]:
        """How well each passage answers, in [0, 1], in their order.

        Raises:
            Unavailable: the model failed.
        """
        ...
