"""What a vector search uses, a snapshot: all rows, graphs over the first of them, the rest searched exactly. No I/O.

A row is the vector of a window, a stretch of a passage.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.engines.embedded.graph import Graph
from services.retrieve.engines.embedded.matrix import ROUGH_ERROR, Floats, Matrix
from services.retrieve.indexing.passage import MAX_WINDOWS

MAX_DEAD = 0.5  # share of a graph's passages that may be deleted before it is discarded (by hand)
_READ = 1000  # up to this many rows are scored exactly at once, without a rough pass first (taste)
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _CoveredGraph:
    """A graph, with the positions of its passages in the matrix."""

    graph: Graph
    rows: NDArray[np.int64]
    """-1 for a deleted passage."""
    there: Mask | None
    """Mask of the passages that are not deleted; None if none is deleted."""

    @classmethod
    def of(cls, graph: Graph, matrix: Matrix) -> "_CoveredGraph":
        rows = matrix.positions_of(graph.keys)
        is_present = rows >= 0
        return cls(graph, rows, None if is_present.all() else is_present)

    def nearest(self, vector: Floats, limit: int, mask: Mask | None) -> NDArray[np.int64]:
        """The graph's candidates as rows of the matrix."""
        admitted = self.there if mask is None else (self.rows >= 0) & mask[self.rows]
        return self.rows[self.graph.nearest(vector, min(limit, len(self.rows)), admitted)]

    @property
    def mostly_dead(self) -> bool:
        return self.there is not None and int(np.count_nonzero(self.there)) < (1 - MAX_DEAD) * len(self.there)


@dataclass(frozen=True, slots=True)
class VectorView:
    """A snapshot of an index. What a search needs to know of all rows is computed when they change."""

    matrix: Matrix
    covered: tuple[_CoveredGraph, ...]
    rest: int
    """The first row that no graph covers."""
    any_restricted: bool
    windows_each: float = 1.0
    """Mean number of windows per passage."""

    @classmethod
    def of(cls, matrix: Matrix, graphs: tuple[Graph, ...]) -> "VectorView":
        """A view with graphs over the first rows; a graph that is mostly dead is dropped, with all after it."""
        kept_graphs: list[_CoveredGraph] = []
        for graph in graphs:
            covered_graph = _CoveredGraph.of(graph, matrix)
            if covered_graph.mostly_dead:
                break
            kept_graphs.append(covered_graph)
        rest = _end_of(matrix, [covered_graph.graph for covered_graph in kept_graphs])
        return cls(matrix, tuple(kept_graphs), rest, _any_restricted(matrix), _windows_each(matrix))

    def following(self, batch: VectorBatch) -> "VectorView":
        """The view after a batch of changes. If nothing was deleted, the graphs' rows stay valid."""
        matrix = self.matrix.following(batch)
        if matrix.living == self.matrix.living + len(batch.keys):
            restricted, each = _any_restricted(matrix), _windows_each(matrix)
            return replace(self, matrix=matrix, any_restricted=restricted, windows_each=each)
        return VectorView.of(matrix, self.graphs)

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """The graphs, from the first row on."""
        return tuple(covered_graph.graph for covered_graph in self.covered)

    @property
    def uncovered(self) -> int:
        """Number of living rows that are searched exactly."""
        return int(np.count_nonzero(self.matrix.alive[self.rest :]))

    def candidates(
        self, vector: Floats, limit: int, mask: Mask | None, *, exact: bool
    ) -> tuple[NDArray[np.int64], Floats]:
        """Rows that may be among the `limit` nearest, with their exact scores; graphs may miss some of theirs."""
        scanned = self._promising(self.matrix.alive if mask is None else mask, vector, limit, 0 if exact else self.rest)
        graphs = () if exact else self.covered
        positions = np.concatenate([*(graph.nearest(vector, limit, mask) for graph in graphs), scanned])
        return positions, self.matrix.products(positions, vector)

    def _promising(self, mask: Mask, vector: Floats, limit: int, first: int) -> NDArray[np.int64]:
        """The rows of a mask from `first` on, without those that cannot be among the `limit` nearest of them."""
        positions: NDArray[np.int64] = np.flatnonzero(mask[first:]) + first
        if len(positions) <= max(limit, _READ):
            return positions
        rough = self.matrix.rough(vector, first)[positions - first]
        promising: NDArray[np.int64] = positions[rough >= np.partition(rough, -limit)[-limit] - 2 * ROUGH_ERROR]
        return promising


def next_graph_extent(view: VectorView, least: int) -> tuple[tuple[Graph, ...], NDArray[np.int64]]:
    """The extent of the next graph: the graphs that stay before it, and the rows that it covers.

    It covers the uncovered rows, but no more than twice those covered already or `least`, so that a large collection
    gets its first graph soon. It also absorbs the last graphs before it that are no larger. So sizes at least halve
    from one graph to the next but one, and each row is built into as many graphs as the collection has doublings.
    """
    living = np.flatnonzero(view.matrix.alive[view.rest :])[: max(least, 2 * view.rest)] + view.rest
    kept_graphs, first, last = len(view.covered), view.rest, int(living[-1]) + 1
    while kept_graphs and len(view.graphs[kept_graphs - 1].keys) <= last - first:
        kept_graphs -= 1
        first = _end_of(view.matrix, view.graphs[:kept_graphs])
    return view.graphs[:kept_graphs], np.flatnonzero(view.matrix.alive[first:last]) + first


def _end_of(matrix: Matrix, graphs: Sequence[Graph]) -> int:
    """The first row that no graph covers."""
    return int(np.searchsorted(matrix.keys, graphs[-1].keys[-1], side="right")) if graphs else 0


def _windows_each(matrix: Matrix) -> float:
    firsts = int(np.count_nonzero(matrix.keys % MAX_WINDOWS == 0))
    return len(matrix) / firsts if firsts else 1.0


def _any_restricted(matrix: Matrix) -> bool:
    return bool(np.any(matrix.restricted & matrix.alive))
