"""What the stage asks of an embedder, whichever model is behind it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.profile import ModelProfile


class TextKind(StrEnum):
    """What a text is for: some models want a prefix."""

    QUERY = "QUERY"
    PASSAGE = "PASSAGE"


class Encoder(Protocol):
    """A model: blocking, one call at a time."""

    profile: ModelProfile

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, shape (texts, width), in their order."""
        ...


class Embedder(Protocol):
    """A model that many callers share."""

    @property
    def profile(self) -> ModelProfile:
        """The model's name and habits."""
        ...

    async def embed(self, texts: Sequence[str], kind: TextKind) -> NDArray[np.float32]:
        """One unit vector a text, shape (texts, width), in their order.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        ...
