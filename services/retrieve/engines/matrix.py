"""Vectors in memory, as immutable snapshots: readers keep the one they began with while a writer makes the next.

Rows are only ever added at the end, in blocks, so a snapshot costs no copy of the vectors; a row that is taken out is
marked, and the rows are written anew when too many are.

Values have sixteen bits, as the corpus keeps them: half the memory, and a look at all rows takes what reading them
takes. That look is rough; whoever looks then reads the exact scores of the few rows that may count.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

import numpy as np
import simsimd
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]

_ADDITIONS = 32
"""In each lane of a sum with sixteen bits: what is wider is summed in parts. 4,096 values at once take two thirds of
that time, but might be off so far that half of 16,000 rows had to be read for the nearest 1,500."""
_ROUNDING = 2**-11
"""How far a value or a sum with sixteen bits is off, as a share of itself."""

_BLOCK = 8192  # rows; 6 MB at 384 values
_FIRST_BLOCK = 512
_MOST_DEAD = 0.25


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of unit vectors with their passages' keys, ascending."""

    width: int
    blocks: tuple[Halves, ...]
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

    @property
    def rough_error(self) -> float:
        """How far `rough` is off at most, for unit vectors: .009 at 384 values, where .0008 was seen of embeddings.

        The query is rounded, and each sum: within the lanes, then between them; one more is for what is smaller.
        """
        lanes = _lanes()
        return (min(_ADDITIONS, math.ceil(self.width / lanes)) + math.log2(lanes) + 2) * _ROUNDING

    def following(self, batch: VectorBatch) -> "Matrix":
        """This matrix after a batch of changes. Only one may follow each: they share the room behind the last row."""
        alive = self.alive & ~np.isin(self.owners, batch.documents) if len(self) else self.alive
        merged = Matrix(
            self.width,
            self._blocks_with(batch.vectors),
            np.concatenate([self.keys, batch.keys]),
            np.concatenate([self.owners, batch.owners]),
            np.concatenate([self.restricted, batch.restricted]),
            np.concatenate([alive, np.ones(len(batch.keys), np.bool_)]),
        )
        return merged._compacted() if np.count_nonzero(~merged.alive) > _MOST_DEAD * len(merged) else merged

    def rough(self, vector: Floats, first: int = 0) -> Floats:
        """About the inner product of every row from `first` on, dead ones too, with a vector; see `rough_error`."""
        query = vector.astype(np.float16)[None]
        parts: list[Floats] = []
        for block, rows in self._filled():
            if first < rows:
                parts.append(_products(query, block[max(first, 0) : rows]))
            first -= rows
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def rows(self, positions: NDArray[np.int64]) -> Floats:
        """A copy of the rows at these positions, in their order."""
        return _widened(self._taken(positions))

    def _taken(self, positions: NDArray[np.int64]) -> Halves:
        if np.any(np.diff(positions) < 0):
            order = np.argsort(positions)
            back = np.empty_like(order)
            back[order] = np.arange(len(order))
            return self._taken(positions[order])[back]
        taken = np.empty((len(positions), self.width), np.float16)
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

    def _filled(self) -> Iterator[tuple[Halves, int]]:
        """Each block with the number of its rows that belong to this snapshot."""
        left = len(self)
        for block in self.blocks:
            yield block, min(left, len(block))
            left -= min(left, len(block))

    def _blocks_with(self, vectors: Halves) -> tuple[Halves, ...]:
        """The blocks with more rows. Room behind this snapshot's last row is filled in place: nobody reads it yet."""
        blocks = list(self.blocks)
        filled = len(self) - sum(len(block) for block in blocks[:-1])
        while len(vectors):
            if not blocks or filled == len(blocks[-1]) >= _BLOCK:
                blocks.append(np.empty((_room(len(vectors)), self.width), np.float16))
                filled = 0
            elif filled == len(blocks[-1]):
                larger = np.empty((_room(2 * filled), self.width), np.float16)
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
        return replace(kept, blocks=Matrix.empty(self.width)._blocks_with(self._taken(positions)))


def _products(query: Halves, rows: Halves) -> Floats:
    part = _ADDITIONS * _lanes()
    starts = range(0, query.shape[1], part)
    found: Floats = reduce(np.add, (_summed(query[:, at : at + part], rows[:, at : at + part]) for at in starts))
    return found


def _summed(query: Halves, rows: Halves) -> Floats:
    return np.asarray(simsimd.cdist(query, rows, "dot", out_dtype="float32"), np.float32).reshape(-1)


@lru_cache(maxsize=1)
def _lanes() -> int:
    """Sums with sixteen bits that run side by side: 32 in AVX-512, 8 at least in SVE. Others have 32 bits."""
    return 8 if simsimd.get_capabilities()["sve_f16"] else 32


def _room(rows: int) -> int:
    return min(max(rows, _FIRST_BLOCK), _BLOCK)


def _widened(halves: Halves) -> Floats:
    """The same finite values with 32 bits, in a third of the time that astype takes.

    Sign, exponent and fraction are moved to where 32 bits have them; the exponent is then 112 too small.
    """
    bits = halves.view(np.int16).astype(np.int32)
    bits <<= 13
    bits &= _OWN_BITS
    wide: Floats = bits.view(np.float32)
    wide *= _EXPONENT
    return wide


_OWN_BITS = np.int32(-0x70002000)
"""The sign, and the 15 bits below it shifted by 13; not the copies of the sign between them."""
_EXPONENT = np.float32(2.0**112)
