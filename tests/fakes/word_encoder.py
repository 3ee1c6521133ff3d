"""An embedding model for tests: texts with the same words get near vectors, at once and always the same."""

import re
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import ModelProfile


class WordEncoder:
    """Counts words in hashed slots; counts its calls too."""

    def __init__(self, name: str = "words", width: int = 64) -> None:
        self.profile = ModelProfile(name, width)
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (texts, width)."""
        self.encoded += texts
        vectors = np.full((len(texts), self.profile.width), 1e-3, np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row, zlib.crc32(word.encode()) % self.profile.width] += 1
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit
