"""Vectors in memory, as immutable snapshots: readers keep the snapshot they began with while a writer makes the next.

Rows are only appended, in blocks, so a snapshot does not copy the vectors. A deleted row is marked; when too many are,
the rows are compacted. Computes in memory: no I/O, no locks. Numbers that name no source are chosen by hand.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.engines.embedded.block import (
    ApproximateScores,
    Floats,
    Halves,
    QuantizedQuery,
    VectorBlock,
    widened,
)
from services.retrieve.indexing.passage import MAX_WINDOWS, first_windows

_BLOCK = 8192  # rows; 9 MB at 384 values
_FIRST_BLOCK = 512  # rows, for small collections (taste)
_MAX_DEAD = 0.25  # share of deleted rows from which all are copied (taste)
_FEW = 1000
"""Up to this many rows are also kept as float32 (1.5 MB at 384 values): 1,000 then take 19 us, not 257 (measured)."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of unit vectors with the keys of their windows (stretches of passages), ascending."""

    width: int
    blocks: tuple[VectorBlock, ...]
    keys: NDArray[np.int64]
    owners: NDArray[np.int64]
    """The document of each row."""
    restricted: NDArray[np.bool_]
    alive: NDArray[np.bool_]
    wide: Floats | None = None
    """All rows as float32, if they are few."""

    @classmethod
    def empty(cls, width: int) -> "Matrix":
        """A matrix without rows."""
        numbers, flags = np.zeros(0, np.int64), np.zeros(0, np.bool_)
        return cls(width, (), numbers, numbers, flags, flags)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def living(self) -> int:
        """Number of rows that are not deleted."""
        return int(np.count_nonzero(self.alive))

    def following(self, batch: VectorBatch) -> "Matrix":
        """This matrix after a batch of changes. Call it once: successors share the room behind the last row."""
        alive = self.alive & ~np.isin(self.owners, batch.documents) if len(self) else self.alive
        matrix = Matrix(
            self.width,
            self._blocks_with(batch.vectors),
            np.concatenate([self.keys, batch.keys]),
            np.concatenate([self.owners, batch.owners]),
            np.concatenate([self.restricted, batch.restricted]),
            np.concatenate([alive, np.ones(len(batch.keys), np.bool_)]),
        )
        deleted_rows = np.count_nonzero(~matrix.alive)
        matrix = matrix._compacted() if deleted_rows > _MAX_DEAD * len(matrix) else matrix
        if len(matrix) > _FEW:
            return matrix
        return replace(matrix, wide=widened(matrix._take(np.arange(len(matrix)))))

    def rough(self, vector: Floats, first: int = 0) -> ApproximateScores:
        """The approximate inner product of a unit vector with every row from `first` on, deleted ones too."""
        query, room = QuantizedQuery.of(vector), max(0, len(self) - first)
        rough, start = ApproximateScores(np.empty(room, np.float32), np.empty(room, np.float32)), 0
        for block, rows in self._filled():
            if first < rows:
                target = slice(start, start + rows - max(first, 0))
                block.look(query, max(first, 0), rows, rough.scores[target], rough.errors[target])
                start = target.stop
            first -= rows
        return rough

    def rows(self, positions: NDArray[np.int64]) -> Floats:
        """A copy of the rows at these positions, in their order."""
        return widened(self._take(positions)) if self.wide is None else self.wide[positions]

    def products(self, positions: NDArray[np.int64], vector: Floats) -> Floats:
        """The inner product of each of these rows with a vector."""
        if self.wide is None:
            return self.rows(positions) @ vector
        products: Floats = (self.wide @ vector)[positions]
        return products

    def _take(self, positions: NDArray[np.int64]) -> Halves:
        if np.any(np.diff(positions) < 0):
            order = np.argsort(positions)
            inverse = np.empty_like(order)
            inverse[order] = np.arange(len(order))
            return self._take(positions[order])[inverse]
        values = np.empty((len(positions), self.width), np.float16)
        first, block_start = 0, 0
        for block, rows in self._filled():
            last = int(np.searchsorted(positions, block_start + rows))
            if first < last:
                np.take(block.values, positions[first:last] - block_start, axis=0, out=values[first:last], mode="clip")
            first, block_start = last, block_start + rows
        return values

    def positions_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of these keys; -1 for those that are missing or deleted."""
        if not len(self):
            return np.full(len(keys), -1, np.int64)
        positions = np.minimum(np.searchsorted(self.keys, keys), len(self) - 1)
        return np.where((self.keys[positions] == keys) & self.alive[positions], positions, -1)

    def windows_of(self, passages: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The living rows of the passages' windows, and the position in `passages` that each belongs to."""
        keys = first_windows(passages)
        starts = np.searchsorted(self.keys, keys)
        counts = np.searchsorted(self.keys, keys + MAX_WINDOWS) - starts
        owners = np.repeat(np.arange(len(passages)), counts)
        rows = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)
        living = self.alive[rows] if len(rows) else np.zeros(0, np.bool_)
        return owners[living], rows[living]

    def _filled(self) -> Iterator[tuple[VectorBlock, int]]:
        """Each block with the number of its rows that belong to this snapshot."""
        remaining = len(self)
        for block in self.blocks:
            yield block, min(remaining, len(block))
            remaining -= min(remaining, len(block))

    def _blocks_with(self, vectors: Halves) -> tuple[VectorBlock, ...]:
        """The blocks with more rows. Room behind this snapshot's last row is filled in place: no reader uses it yet."""
        blocks = list(self.blocks)
        rows_before = len(self) - sum(len(block) for block in blocks[:-1])
        while len(vectors):
            if not blocks or rows_before == len(blocks[-1]) >= _BLOCK:
                blocks.append(VectorBlock.with_room(_room(len(vectors)), self.width))
                rows_before = 0
            elif rows_before == len(blocks[-1]):
                blocks[-1] = blocks[-1].enlarged(_room(2 * rows_before))
            count = min(len(vectors), len(blocks[-1]) - rows_before)
            blocks[-1].fill(rows_before, vectors[:count])
            vectors, rows_before = vectors[count:], rows_before + count
        return tuple(blocks)

    def _compacted(self) -> "Matrix":
        positions = np.flatnonzero(self.alive)
        compact = replace(
            Matrix.empty(self.width),
            keys=self.keys[positions],
            owners=self.owners[positions],
            restricted=self.restricted[positions],
            alive=self.alive[positions],
        )
        return replace(compact, blocks=Matrix.empty(self.width)._blocks_with(self._take(positions)))


def _room(rows: int) -> int:
    return min(max(rows, _FIRST_BLOCK), _BLOCK)
