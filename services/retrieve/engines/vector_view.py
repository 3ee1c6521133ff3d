"""What a vector search looks at: an immutable snapshot of all rows, graphs over the first of them, the rest exactly."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.corpus.windows import MOST_WINDOWS
from services.retrieve.engines.block import Floats
from services.retrieve.engines.graph import Graph
from services.retrieve.engines.matrix import Matrix

MOST_DEAD = 0.5
"""Share of a graph's passages that may have left before it is given up."""

_READ = 1000
"""Rows that are read at once instead of being looked at roughly before."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Covered:
    """A graph, and where its passages stand in the matrix."""

    graph: Graph
    rows: NDArray[np.int64]
    """-1 for a passage that left."""
    there: Mask | None
    """Those that have not left; None when none has."""

    @classmethod
    def of(cls, graph: Graph, matrix: Matrix) -> "_Covered":
        rows = matrix.positions_of(graph.keys)
        there = rows >= 0
        return cls(graph, rows, None if there.all() else there)

    def nearest(self, vector: Floats, limit: int, mask: Mask | None) -> NDArray[np.int64]:
        """The graph's candidates as rows of the matrix."""
        admitted = self.there if mask is None else (self.rows >= 0) & mask[self.rows]
        return self.rows[self.graph.nearest(vector, min(limit, len(self.rows)), admitted)]

    @property
    def mostly_dead(self) -> bool:
        return self.there is not None and int(np.count_nonzero(self.there)) < (1 - MOST_DEAD) * len(self.there)


@dataclass(frozen=True, slots=True)
class VectorView:
    """One moment of an index. Everything that a search needs of all rows is worked out when they change."""

    matrix: Matrix
    covered: tuple[_Covered, ...]
    rest: int
    """The first row that no graph covers."""
    any_restricted: bool
    windows_each: float = 1.0
    """Windows of a passage in the mean."""

    @classmethod
    def of(cls, matrix: Matrix, graphs: tuple[Graph, ...]) -> "VectorView":
        """Graphs cover the rows from the first on: one that is mostly dead is given up, with all after it."""
        covered: list[_Covered] = []
        for graph in graphs:
            here = _Covered.of(graph, matrix)
            if here.mostly_dead:
                break
            covered.append(here)
        rest = int(np.searchsorted(matrix.keys, covered[-1].graph.keys[-1], side="right")) if covered else 0
        return cls(matrix, tuple(covered), rest, _any_restricted(matrix), _windows_each(matrix))

    def following(self, batch: VectorBatch) -> "VectorView":
        """The view after a batch of changes. Where nothing left, the graphs' rows stay where they are."""
        matrix = self.matrix.following(batch)
        if matrix.living == self.matrix.living + len(batch.keys):
            restricted, each = _any_restricted(matrix), _windows_each(matrix)
            return replace(self, matrix=matrix, any_restricted=restricted, windows_each=each)
        return VectorView.of(matrix, self.graphs)

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """From the first row on."""
        return tuple(covered.graph for covered in self.covered)

    @property
    def uncovered(self) -> int:
        """How many living rows are searched exactly."""
        return int(np.count_nonzero(self.matrix.alive[self.rest :]))

    def best_of(self, mask: Mask, vector: Floats, limit: int) -> tuple[NDArray[np.int64], Floats]:
        """The rows of a mask that may be among its `limit` nearest, with their exact scores."""
        positions = self._promising(mask, vector, limit, 0)
        return positions, self.matrix.products(positions, vector)

    def candidates(self, vector: Floats, limit: int, mask: Mask | None) -> tuple[NDArray[np.int64], Floats]:
        """Rows that may be among the `limit` nearest, with their exact scores; graphs may miss one of theirs."""
        newest = self._promising(self.matrix.alive if mask is None else mask, vector, limit, self.rest)
        older = [covered.nearest(vector, limit, mask) for covered in self.covered]
        positions = np.concatenate([*older, newest])
        return positions, self.matrix.products(positions, vector)

    def _promising(self, mask: Mask, vector: Floats, limit: int, first: int) -> NDArray[np.int64]:
        """The rows of a mask from `first` on, without those that cannot be among the `limit` nearest of them."""
        positions: NDArray[np.int64] = np.flatnonzero(mask[first:]) + first
        if len(positions) <= max(limit, _READ):
            return positions
        rough = self.matrix.rough(vector, first).of(positions - first)
        promising: NDArray[np.int64] = positions[rough.may_be_among(limit)]
        return promising


def covered_again(view: VectorView, least: int) -> tuple[tuple[Graph, ...], NDArray[np.int64]]:
    """What the next graph covers, where rows are uncovered: the graphs that stay before it, and the rows that it takes.

    It takes the rest, but no more than twice what is covered already or `least`, so that a large collection gets its
    first graph soon; and it takes up the last graphs before it that are no larger. So sizes fall at least by half from
    one graph to the next but one, and each row is built into as many graphs as the collection has doublings.
    """
    living = np.flatnonzero(view.matrix.alive[view.rest :])[: max(least, 2 * view.rest)] + view.rest
    stays, first, last = len(view.covered), view.rest, int(living[-1]) + 1
    while stays and len(view.graphs[stays - 1].keys) <= last - first:
        stays -= 1
        first = _end_of(view, stays)
    return view.graphs[:stays], np.flatnonzero(view.matrix.alive[first:last]) + first


def _end_of(view: VectorView, graphs: int) -> int:
    """The first row that the first `graphs` graphs do not cover."""
    if not graphs:
        return 0
    return int(np.searchsorted(view.matrix.keys, view.graphs[graphs - 1].keys[-1], side="right"))


def _windows_each(matrix: Matrix) -> float:
    firsts = int(np.count_nonzero(matrix.keys % MOST_WINDOWS == 0))
    return len(matrix) / firsts if firsts else 1.0


def _any_restricted(matrix: Matrix) -> bool:
    return bool(np.any(matrix.restricted & matrix.alive))
