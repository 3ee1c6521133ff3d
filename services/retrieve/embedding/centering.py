"""Moves the vectors of any model to the scale that weights and thresholds are fitted on. Blocks on the model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import Encoder, unit

UNRELATED: Final = Path(__file__).parent / "unrelated.txt"
"""Sentences of 32 subjects, one a line."""


class CenteredEncoder:
    """An encoder whose vectors are taken from the mean of unrelated sentences.

    The vectors of most models point one way: those of two unrelated sentences have a mean cosine of .42 with
    bge-small-en-v1.5 and .04 with all-MiniLM-L6-v2, which all weights and thresholds are fitted on. Without their mean
    they spread (Mu and Viswanath 2018, "All-but-the-top"): `docs/how-to/embedding-model.md` has what that gives.
    """

    def __init__(self, encoder: Encoder) -> None:
        """Embed the unrelated sentences. Raises as the encoder does."""
        profile = encoder.profile
        sentences = UNRELATED.read_text(encoding="utf-8").splitlines()
        self._encoder = encoder
        self._mean = encoder.encode([profile.passage_prefix + sentence for sentence in sentences]).mean(axis=0)
        self.profile = replace(profile, name=f"{profile.name} (centered)")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, shape (texts, width), in order."""
        return unit(self._encoder.encode(texts) - self._mean)
