"""Vector search over one collection: cosine, exact, in memory.

Derived from the corpus and read from it at start (40,000 vectors of 384 values take about half a second).
"""

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.corpus.filtering import Access, Admission
from services.retrieve.engines.hits import Hits
from services.retrieve.engines.matrix import Floats, Matrix

Admitted = Callable[[Admission], NDArray[np.int64]]
"""Gives the documents that meet an admission's conditions, ascending."""


class VectorIndex:
    """One collection's vectors. Searches run side by side with each other and with one writer."""

    def __init__(self, width: int, admitted: Admitted) -> None:
        """An empty index.

        Args:
            width: values in a vector.
            admitted: asked for the documents that a filter admits.
        """
        self._admitted = admitted
        self._matrix = Matrix.empty(width)
        self._following = threading.Lock()
        self.sequence = 0

    @property
    def width(self) -> int:
        """Values in a vector."""
        return self._matrix.width

    @property
    def passages(self) -> int:
        """How many passages can be found."""
        return int(np.count_nonzero(self._matrix.alive))

    def follow(self, batch: VectorBatch) -> None:
        """Take in a batch of changes; they are found at once."""
        with self._following:
            self._matrix = self._matrix.following(batch)
            self.sequence = batch.through

    def search(self, vector: Floats, limit: int, access: Access) -> Hits:
        """The passages nearest to a unit vector.

        Args:
            vector: shape (width,), of length 1.
            limit: greatest number of hits, > 0.
            access: who asks, and for what.
        """
        matrix = self._matrix
        may_be_found = self._mask(matrix, access)
        scores = np.where(may_be_found, matrix.dot(vector), -np.inf)
        found = int(np.count_nonzero(may_be_found))
        best = _greatest(scores, min(limit, found))
        return Hits(matrix.keys[best], scores[best].astype(np.float64), others=np.nan if found <= limit else None)

    def scores(self, vector: Floats, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """The exact cosine of each of these passages, nan for one that has no vector; aligned with `keys`."""
        positions, vectors = self._rows(keys)
        return np.where(positions >= 0, vectors @ vector, np.nan).astype(np.float64)

    def vectors(self, keys: NDArray[np.int64]) -> Floats:
        """The passages' vectors in the order of `keys`; zeros for one that has none."""
        return self._rows(keys)[1]

    def _rows(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
        matrix = self._matrix
        positions = matrix.positions_of(keys)
        vectors = np.zeros((len(keys), matrix.width), np.float32)
        vectors[positions >= 0] = matrix.rows(positions[positions >= 0])
        return positions, vectors

    def _mask(self, matrix: Matrix, access: Access) -> NDArray[np.bool_]:
        admission = access.admission(bool(np.any(matrix.restricted & matrix.alive)))
        if admission.everything:
            return matrix.alive
        return matrix.alive & np.isin(matrix.owners, self._admitted(admission))


def _greatest(scores: NDArray[np.floating], limit: int) -> NDArray[np.int64]:
    """Positions of the `limit` greatest scores, the greatest first, the earlier one first among equals."""
    if limit <= 0:
        return np.zeros(0, np.int64)
    chosen = np.argpartition(-scores, limit - 1)[:limit] if limit < len(scores) else np.arange(len(scores))
    return chosen[np.lexsort((chosen, -scores[chosen]))][:limit]
