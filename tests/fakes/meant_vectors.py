"""An embedding model for tests that compare by meaning: texts are as near to each other as a test says."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import ModelProfile

_WIDTH = 128


class MeantEncoder:
    """Two texts that hold the phrase have the cosine `near`, two without it the cosine `floor`; keeps what it read."""

    def __init__(self, phrase: str, near: float = 1.0, floor: float = 0.0) -> None:
        self.profile = ModelProfile("meant", _WIDTH)
        self.encoded: list[list[str]] = []
        """The texts of each call."""
        self._phrase = phrase
        self._near, self._floor = near, floor
        self._places: dict[str, int] = {}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, width)."""
        self.encoded.append(list(texts))
        return np.stack([self._vector(text) for text in texts])

    async def embed(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """As a client gives them."""
        return list(self.encode(texts))

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(_WIDTH, np.float32)
        holds = self._phrase in text
        similarity = self._near if holds else self._floor
        vector[int(holds)] = similarity**0.5
        vector[2 + self._places.setdefault(text, len(self._places))] = (1 - similarity) ** 0.5
        return vector
