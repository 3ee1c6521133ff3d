"""Vectors in memory, as immutable snapshots: readers keep the snapshot they began with while a writer makes the next.

Rows are only appended, so a snapshot does not copy the vectors. A deleted row is marked; when too many are, the rows
are compacted. Computes in memory: no I/O, no locks. Numbers that name no source are chosen by hand.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import simsimd
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.indexing.passage import MAX_WINDOWS, first_windows

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Mask = NDArray[np.bool_]
_GROWTH = 1.25  # by how much the room grows when it is full (taste)
_MAX_DEAD = 0.25  # share of deleted rows from which all are copied (taste)
_READ = 1000  # up to this many rows are scored exactly at once, without a rough pass first (taste)
ROUGH_ERROR: Final = 0.01
"""Greatest error of a product of unit vectors in half precision: .0005 for the vector, the rest for processors that
add up in half precision, too."""
_OWN_BITS: Final = np.int32(-0x70002000)
"""The sign, and the 15 bits below it shifted by 13, without the copies of the sign between them."""
_EXPONENT: Final = np.float32(2.0**112)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of unit vectors with the keys of their windows (stretches of passages)."""

    room: Halves
    """The rows in the precision of the corpus, and room for more."""
    keys: NDArray[np.int64]
    owners: NDArray[np.int64]
    """The document of each row."""
    restricted: Mask
    alive: Mask
    by_key: NDArray[np.int64] | None = None
    """The rows in the order of their keys; None if they are in it, as long as no vectors came late."""

    @classmethod
    def empty(cls, width: int) -> "Matrix":
        """A matrix without rows."""
        numbers, flags = np.zeros(0, np.int64), np.zeros(0, np.bool_)
        return cls(np.empty((0, width), np.float16), numbers, numbers, flags, flags)

    def __len__(self) -> int:
        return len(self.keys)

    def following(self, batch: VectorBatch) -> "Matrix":
        """This matrix after a batch of changes. Call it once: successors share the room behind the last row."""
        alive = self.alive & ~np.isin(self.owners, batch.documents) if len(self) else self.alive
        keys = np.concatenate([self.keys, batch.keys])
        matrix = Matrix(
            self._room_with(batch.vectors),
            keys,
            np.concatenate([self.owners, batch.owners]),
            np.concatenate([self.restricted, batch.restricted]),
            np.concatenate([alive, np.ones(len(batch.keys), np.bool_)]),
            _order(keys),
        )
        return matrix._compacted() if np.count_nonzero(~matrix.alive) > _MAX_DEAD * len(matrix) else matrix

    def nearest(self, vector: Floats, limit: int, mask: Mask) -> tuple[NDArray[np.int64], Floats]:
        """The `limit` rows of a mask that are nearest to a unit vector, and their products with it, the greatest first.

        Many rows are compared roughly first; those that cannot be among the nearest are not compared exactly.
        """
        if np.count_nonzero(mask) > max(limit, _READ):
            rough = np.where(mask, self.rough(vector), -np.inf)
            mask = rough >= np.partition(rough, -limit)[-limit] - 2 * ROUGH_ERROR
        positions = np.flatnonzero(mask)
        products: Floats = self.rows(positions) @ vector
        best = np.argsort(-products, kind="stable")[:limit]
        return positions[best], products[best]

    def rough(self, vector: Floats) -> Floats:
        """The product of a unit vector with every row, deleted ones too, at most ROUGH_ERROR off."""
        products = simsimd.cdist(vector.astype(np.float16), self.room[: len(self)], "dot", out_dtype="float32")
        return np.asarray(products).reshape(-1)

    def rows(self, positions: NDArray[np.int64]) -> Floats:
        """A copy of the rows at these positions, in their order."""
        return widened(self.room[positions])

    def windows_of(self, passages: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The living rows of the passages' windows, and the position in `passages` that each belongs to."""
        keys = first_windows(passages)
        starts = np.searchsorted(self.keys, keys, sorter=self.by_key)
        counts = np.searchsorted(self.keys, keys + MAX_WINDOWS, sorter=self.by_key) - starts
        owners = np.repeat(np.arange(len(passages)), counts)
        rows = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)
        rows = rows if self.by_key is None else self.by_key[rows]
        living = self.alive[rows] if len(rows) else np.zeros(0, np.bool_)
        return owners[living], rows[living]

    def _room_with(self, vectors: Halves) -> Halves:
        """The room with more rows. Behind this snapshot's last row it is filled in place: no reader uses that yet."""
        room, count = self.room, len(self) + len(vectors)
        if count > len(room):
            room = np.empty((int(_GROWTH * count), self.room.shape[1]), np.float16)
            room[: len(self)] = self.room[: len(self)]
        room[len(self) : count] = vectors
        return room

    def _compacted(self) -> "Matrix":
        living = np.flatnonzero(self.alive)
        living = living[np.argsort(self.keys[living], kind="stable")]
        return replace(
            self,
            room=self.room[living],
            keys=self.keys[living],
            owners=self.owners[living],
            restricted=self.restricted[living],
            alive=self.alive[living],
            by_key=None,
        )


def _order(keys: NDArray[np.int64]) -> NDArray[np.int64] | None:
    return None if (np.diff(keys) >= 0).all() else np.argsort(keys, kind="stable")


def widened(halves: Halves) -> Floats:
    """The same finite values as float32, in a sixth of the time that astype takes.

    Sign, exponent and fraction are moved to their float32 positions, 13 bits up (a fraction of 23 bits, not 10); the
    exponent is then 112 too small (a bias of 127, not 15).
    """
    bits = halves.view(np.int16).astype(np.int32)
    bits <<= 13
    bits &= _OWN_BITS
    wide: Floats = bits.view(np.float32)
    wide *= _EXPONENT
    return wide
