"""Vectors in memory, as immutable snapshots: readers keep the one they began with while a writer makes the next.

Rows are only ever added at the end, in blocks, so a snapshot costs no copy of the vectors; a row that is taken out is
marked, and the rows are written anew when too many are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch

Floats = NDArray[np.float32]

_BLOCK = 8192  # rows; 12 MB at 384 values
_FIRST_BLOCK = 512
_MOST_DEAD = 0.25


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of unit vectors with their passages' keys, ascending."""

    width: int
    blocks: tuple[Floats, ...]
    keys: NDArray[np.int64]
    owners: NDArray[np.int64]
    """The document of each row."""
    restricted: NDArray[np.bool_]
    alive: NDArray[np.bool_]

    @classmethod
    def empty(cls, width: int) -> "Matrix":
        """No rows."""
        numbers, flags = np.zeros(0, np.int64), np.zeros(0, np.bool_)
        return cls(width, (), numbers, numbers, flags, flags)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def living(self) -> int:
        """How many rows have not been taken out."""
        return int(np.count_nonzero(self.alive))

    def following(self, batch: VectorBatch) -> "Matrix":
        """This matrix after a batch of changes. Only one may follow each: they share the room behind the last row."""
        alive = self.alive & ~np.isin(self.owners, batch.documents) if len(self) else self.alive
        merged = Matrix(
            self.width,
            self._blocks_with(batch.vectors.astype(np.float32)),
            np.concatenate([self.keys, batch.keys]),
            np.concatenate([self.owners, batch.owners]),
            np.concatenate([self.restricted, batch.restricted]),
            np.concatenate([alive, np.ones(len(batch.keys), np.bool_)]),
        )
        return merged._compacted() if np.count_nonzero(~merged.alive) > _MOST_DEAD * len(merged) else merged

    def dot(self, vector: Floats, first: int = 0) -> Floats:
        """The inner product of every row from `first` on, dead ones too, with a vector."""
        parts: list[Floats] = []
        for block, rows in self._filled():
            if first < rows:
                parts.append(block[max(first, 0) : rows] @ vector)
            first -= rows
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def rows(self, positions: NDArray[np.int64]) -> Floats:
        """A copy of the rows at these positions, in their order."""
        if np.any(np.diff(positions) < 0):
            order = np.argsort(positions)
            back = np.empty_like(order)
            back[order] = np.arange(len(order))
            return self.rows(positions[order])[back]
        taken = np.empty((len(positions), self.width), np.float32)
        first, begun = 0, 0
        for block, rows in self._filled():
            last = int(np.searchsorted(positions, begun + rows))
            if first < last:
                np.take(block, positions[first:last] - begun, axis=0, out=taken[first:last], mode="clip")
            first, begun = last, begun + rows
        return taken

    def positions_of(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where these passages stand; -1 for those that are not here."""
        if not len(self):
            return np.full(len(keys), -1, np.int64)
        positions = np.minimum(np.searchsorted(self.keys, keys), len(self) - 1)
        return np.where((self.keys[positions] == keys) & self.alive[positions], positions, -1)

    def _filled(self) -> Iterator[tuple[Floats, int]]:
        """Each block with the number of its rows that belong to this snapshot."""
        left = len(self)
        for block in self.blocks:
            yield block, min(left, len(block))
            left -= min(left, len(block))

    def _blocks_with(self, vectors: Floats) -> tuple[Floats, ...]:
        """The blocks with more rows. Room behind this snapshot's last row is filled in place: nobody reads it yet."""
        blocks = list(self.blocks)
        filled = len(self) - sum(len(block) for block in blocks[:-1])
        while len(vectors):
            if not blocks or filled == len(blocks[-1]) >= _BLOCK:
                blocks.append(np.empty((_room(len(vectors)), self.width), np.float32))
                filled = 0
            elif filled == len(blocks[-1]):
                larger = np.empty((_room(2 * filled), self.width), np.float32)
                larger[:filled] = blocks[-1]
                blocks[-1] = larger
            taken = min(len(vectors), len(blocks[-1]) - filled)
            blocks[-1][filled : filled + taken] = vectors[:taken]
            vectors, filled = vectors[taken:], filled + taken
        return tuple(blocks)

    def _compacted(self) -> "Matrix":
        positions = np.flatnonzero(self.alive)
        kept = replace(
            Matrix.empty(self.width),
            keys=self.keys[positions],
            owners=self.owners[positions],
            restricted=self.restricted[positions],
            alive=self.alive[positions],
        )
        return replace(kept, blocks=Matrix.empty(self.width)._blocks_with(self.rows(positions)))


def _room(rows: int) -> int:
    return min(max(rows, _FIRST_BLOCK), _BLOCK)
