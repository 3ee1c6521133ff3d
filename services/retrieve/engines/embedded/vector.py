"""Vector search over one collection by cosine: every vector is compared with the query, so no passage is missed.

A passage has a vector for each window (stretch) of it; it is found and scored by its best window. Vectors are from the
corpus and loaded from it at startup (40,000 of 384 values take about half a second). A search takes
5 ms on one core over 100,000 windows of 384 values, and 41 ms over a million, which take 1 GB (measured). Everything
blocks, on a core.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.corpus.filtering import Access, Admission
from services.retrieve.engines.embedded.matrix import Floats, Matrix
from services.retrieve.engines.protocols import WINDOWS_EACH, EngineDefaults, Hits
from services.retrieve.indexing.passage import best_windows, passages_of, unit_means

Admitted = Callable[[Admission], NDArray[np.int64]]
"""Returns the documents that meet an admission's conditions, ascending."""


class VectorIndex(EngineDefaults):
    """One collection's vectors. Searches run concurrently with each other and with one writer."""

    def __init__(self, width: int, admitted: Admitted) -> None:
        """An empty index of vectors of `width` values; `admitted` returns the documents that a filter admits."""
        self._admitted = admitted
        self._matrix = Matrix.empty(width)
        self.sequence = 0

    @property
    def followed(self) -> int:
        """The same as `sequence`: changes are searchable at once."""
        return self.sequence

    def follow(self, batch: VectorBatch) -> None:
        """Apply a batch of changes; they are searchable at once."""
        self._matrix = self._matrix.following(batch)
        self.sequence = batch.through

    def destroy(self) -> None:
        """Nothing is stored."""

    def search(self, vector: Floats, limit: int, access: Access) -> Hits:
        """See SearchEngine."""
        matrix = self._matrix
        admission, mask = access.admission(bool(np.any(matrix.restricted & matrix.alive))), matrix.alive
        if not admission.everything:
            mask = mask & np.isin(matrix.owners, self._admitted(admission))
        admitted_windows = int(np.count_nonzero(mask))
        positions, scores = matrix.nearest(vector, min(admitted_windows, WINDOWS_EACH * limit), mask)
        keys = matrix.keys[positions]
        first = best_windows(keys)
        is_complete = admitted_windows <= len(keys) and len(first) <= limit
        first = first[:limit]
        return Hits(passages_of(keys[first]), scores[first].astype(np.float64), others=np.nan if is_complete else None)

    def scores(self, vector: Floats, keys: NDArray[np.int64], access: Access) -> NDArray[np.float64]:
        """See SearchEngine."""
        matrix = self._matrix
        owners, rows = matrix.windows_of(keys)
        best = np.full(len(keys), -np.inf)
        np.maximum.at(best, owners, matrix.rows(rows) @ vector)
        return np.where(np.isfinite(best), best, np.nan)

    def vectors(self, keys: NDArray[np.int64]) -> Floats:
        """See VectorEngine."""
        matrix = self._matrix
        owners, rows = matrix.windows_of(keys)
        return unit_means(matrix.rows(rows), owners, len(keys))
