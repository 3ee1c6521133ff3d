"""Rerankers of the `neural` extra: sentence-transformers' CrossEncoder, FlagEmbedding's FlagReranker.

Imported only when one is opened: torch alone takes seconds and hundreds of megabytes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from services.retrieve.embedding.neural import model_errors, short_name
from services.retrieve.reranking.reranker import Pair, Scores


class SentenceTransformersCrossEncoder:
    """A model of the Hugging Face hub or a folder. Blocking and not thread-safe."""

    def __init__(self, model: str) -> None:
        """Load the model; downloads it if it is a hub name that was not fetched before.

        Raises:
            UnusableModel: the extra is not installed, or the model cannot be loaded.
        """
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
