"""Vectors in memory, as immutable snapshots: readers keep the snapshot they began with while a writer makes the next.

Rows are only appended, in blocks, so a snapshot does not copy the vectors. A deleted row is marked; when too many are,
the rows are compacted. Computes in memory: no I/O, no locks. Numbers that name no source are chosen by hand.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import simsimd
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.indexing.passage import MAX_WINDOWS, first_windows

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
_BLOCK = 8192  # rows; 9 MB at 384 values
_FIRST_BLOCK = 512  # rows, for small collections (taste)
_MAX_DEAD = 0.25  # share of deleted rows from which all are copied (taste)
_FEW = 1000
"""Up to this many rows are also kept as float32 (1.5 MB at 384 values): 1,000 then take 19 us, not 257 (measured)."""
ROUGH_ERROR: Final = 0.01
"""Greatest error of a product of unit vectors in half precision: .0005 for the vector, the rest for processors that
add up in half precision, too."""
_OWN_BITS: Final = np.int32(-0x70002000)
"""The sign, and the 15 bits below it shifted by 13, without the copies of the sign between them."""
_EXPONENT: Final = np.float32(2.0**112)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of unit vectors with the keys of their windows (stretches of passages), ascending."""

    width: int
    blocks: tuple[Halves, ...]
    """In the precision of the corpus, the last one with room for more rows."""
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

    def rough(self, vector: Floats, first: int) -> Floats:
        """The product of a unit vector with every row from `first` on, deleted ones too, at most ROUGH_ERROR off."""
        query, products = vector.astype(np.float16), np.empty(len(self), np.float32)
        for start, rows in self._filled():
            if (begin := max(first - start, 0)) < len(rows):
                found = simsimd.cdist(query, rows[begin:], "dot", out_dtype="float32")
                products[start + begin : start + len(rows)] = np.asarray(found).reshape(-1)
        return products[first:]

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
        first = 0
        for start, rows in self._filled():
            last = int(np.searchsorted(positions, start + len(rows)))
            if first < last:
                np.take(rows, positions[first:last] - start, axis=0, out=values[first:last], mode="clip")
            first = last
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

    def _filled(self) -> Iterator[tuple[int, Halves]]:
        """The first row of each block, and those of its rows that belong to this snapshot."""
        start = 0
        for block in self.blocks:
            yield start, block[: len(self) - start]
            start += len(block)

    def _blocks_with(self, vectors: Halves) -> tuple[Halves, ...]:
        """The blocks with more rows. Room behind this snapshot's last row is filled in place: no reader uses it yet."""
        blocks, rows = list(self.blocks), len(self)
        room = sum(map(len, blocks)) - rows
        while len(vectors):
            if not room:
                room = min(max(len(vectors), rows, _FIRST_BLOCK), _BLOCK)  # small collections have small blocks
                blocks.append(np.empty((room, self.width), np.float16))
            count = min(len(vectors), room)
            filled = len(blocks[-1]) - room
            blocks[-1][filled : filled + count] = vectors[:count]
            vectors, rows, room = vectors[count:], rows + count, room - count
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


def widened(halves: Halves) -> Floats:
    """The same finite values as float32, in a third of the time that astype takes.

    Sign, exponent and fraction are moved to their float32 positions, 13 bits up (a fraction of 23 bits, not 10); the
    exponent is then 112 too small (a bias of 127, not 15).
    """
    bits = halves.view(np.int16).astype(np.int32)
    bits <<= 13
    bits &= _OWN_BITS
    wide: Floats = bits.view(np.float32)
    wide *= _EXPONENT
    return wide
