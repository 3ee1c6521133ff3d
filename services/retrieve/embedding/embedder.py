"""The interfaces of embedders, whatever model they use."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.profile import ModelProfile


class TextKind(StrEnum):
    """The purpose of a text: some models need a prefix for it."""

    QUERY = "QUERY"
    PASSAGE = "PASSAGE"


class Encoder(Protocol):
    """A model: blocking, one call at a time."""

    profile: ModelProfile

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, shape (texts, width), in order."""
        ...


class SharedEmbedder(Protocol):
    """A model that many callers share."""

    @property
    def profile(self) -> ModelProfile:
        """The model's profile."""
        ...

    async def embed(self, texts: Sequence[str], kind: TextKind) -> NDArray[np.float32]:
        """One unit vector per text, shape (texts, width), in order.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        ...
