"""The interface of picture models."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class PictureEncoder(Protocol):
    """A model: blocking. Pictures are encoded by one thread, texts by another one."""

    name: str

    def prepared(self, picture: bytes) -> Floats:
        """An encoded picture as the model's pixels, shape (3, height, width). May be called from any thread.

        Raises:
            UnusablePicture: it cannot be decoded.
        """
        ...

    def pictures(self, pixels: Sequence[Floats]) -> Floats:
        """One unit vector per picture, shape (pictures, width)."""
        ...

    def texts(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text, shape (texts, width)."""
        ...


class UnusablePicture(Exception):  # noqa: N818 - it names what is wrong
    """The data is not a picture, is damaged, or has too many pixels."""


def unit(vectors: Floats) -> Floats:
    """Scale each row to length 1."""
    unit_vectors: Floats = (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)).astype(
        np.float32
    )
    return unit_vectors
