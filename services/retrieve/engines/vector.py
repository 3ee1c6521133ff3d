"""Vector search over one collection by cosine: exact while it is small, over graphs of neighbours beyond.

Derived from the corpus and read from it at start (40,000 vectors of 384 values take less than half a second). Newest
passages are always searched exactly; once there are many, `condense` builds a graph over them in the background, which
is kept on disk. Candidates of graphs get their exact scores, and a filter that admits few passages is searched exactly,
so a graph can miss a passage but never misjudge one.
"""

import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.corpus.filtering import Access, Admission
from services.retrieve.engines.graph import Graph, build_graph, load_graph
from services.retrieve.engines.hits import Hits
from services.retrieve.engines.matrix import Floats, Matrix

EXACT_UP_TO = 50_000
"""Passages searched exactly: one look takes about 5 ms on one core."""
_FEW = 0.4
"""Admitted passages up to which a filtered search is exact, as a share of that."""
_MOST_DEAD = 0.5
"""Share of a graph's passages that may have left before it is given up."""

Admitted = Callable[[Admission], NDArray[np.int64]]
"""Gives the documents that meet an admission's conditions, ascending."""


@dataclass(frozen=True, slots=True)
class _View:
    """What a search looks at: all rows, graphs over the first of them, and where the rest begins."""

    matrix: Matrix
    graphs: tuple[Graph, ...] = ()
    places: tuple[NDArray[np.int64], ...] = ()
    """For each graph: where its passages stand in the matrix, -1 for what left."""
    rest: int = 0
    """The first row that no graph covers."""

    @classmethod
    def of(cls, matrix: Matrix, graphs: tuple[Graph, ...]) -> "_View":
        """Graphs cover the rows from the first on: one that is mostly dead is given up, with all after it."""
        kept, places = [], []
        for graph in graphs:
            place = matrix.positions_of(graph.keys)
            if np.count_nonzero(place < 0) > _MOST_DEAD * len(place):
                break
            kept.append(graph)
            places.append(place)
        rest = int(np.searchsorted(matrix.keys, kept[-1].keys[-1], side="right")) if kept else 0
        return cls(matrix, tuple(kept), tuple(places), rest)


class VectorIndex:
    """One collection's vectors. Searches run side by side with each other and with one writer."""

    def __init__(
        self, width: int, admitted: Admitted, directory: Path, identity: str, exact_up_to: int = EXACT_UP_TO
    ) -> None:
        """An empty index; graphs on disk are taken up once there are passages for them.

        Args:
            width: values in a vector.
            admitted: asked for the documents that a filter admits.
            directory: where graphs are kept.
            identity: the corpus and collection that it follows.
            exact_up_to: passages that may be searched exactly; a graph covers as many.
        """
        self._exact_up_to = exact_up_to
        self._admitted = admitted
        self._directory = directory
        self._identity = identity
        self._view = _View(Matrix.empty(width))
        self._changing = threading.Lock()
        self._closing = threading.Event()
        self.sequence = 0

    @property
    def passages(self) -> int:
        """How many passages can be found."""
        return int(np.count_nonzero(self._view.matrix.alive))

    @property
    def followed(self) -> int:
        """As `sequence`: what was taken in is found at once."""
        return self.sequence

    @property
    def graphs(self) -> int:
        """How many graphs stand in for exact search."""
        return len(self._view.graphs)

    def follow(self, batch: VectorBatch) -> None:
        """Take in a batch of changes; they are found at once."""
        with self._changing:
            self._view = _View.of(self._view.matrix.following(batch), self._view.graphs)
            self.sequence = batch.through

    def condense(self) -> None:
        """Cover what is searched exactly by graphs, kept ones or new ones, while it is too much. May take long."""
        while len(self._view.matrix) - self._view.rest > self._exact_up_to and not self._closing.is_set():
            view = self._view
            graph = self._kept(view) or self._built(view)
            if graph is None:
                return
            with self._changing:
                self._view = _View.of(self._view.matrix, (*view.graphs, graph))

    def commit(self) -> None:
        """Nothing to do: what was taken in is found at once, and is read from the corpus after a restart."""

    def stop(self) -> None:
        """Stop building."""
        self._closing.set()

    def close(self) -> None:
        """Stop building; graphs stay on disk."""
        self.stop()

    def destroy(self) -> None:
        """Stop building, and delete what is on disk."""
        self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)

    def search(self, vector: Floats, limit: int, access: Access) -> Hits:
        """The passages nearest to a unit vector.

        Args:
            vector: shape (width,), of length 1.
            limit: greatest number of hits, > 0.
            access: who asks, and for what.
        """
        view = self._view
        mask = self._mask(view.matrix, access)
        found = int(np.count_nonzero(mask))
        positions, scores = _candidates(view, vector, limit, mask, exactly=found <= _FEW * self._exact_up_to)
        best = _greatest(scores, min(limit, len(scores)))
        keys = view.matrix.keys[positions[best]]
        return Hits(keys, scores[best].astype(np.float64), others=np.nan if found <= limit else None)

    def scores(self, vector: Floats, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """The exact cosine of each of these passages, nan for one that has no vector; aligned with `keys`."""
        positions, vectors = self._rows(keys)
        return np.where(positions >= 0, vectors @ vector, np.nan).astype(np.float64)

    def vectors(self, keys: NDArray[np.int64]) -> Floats:
        """The passages' vectors in the order of `keys`; zeros for one that has none."""
        return self._rows(keys)[1]

    def _rows(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
        matrix = self._view.matrix
        positions = matrix.positions_of(keys)
        vectors = np.zeros((len(keys), matrix.width), np.float32)
        vectors[positions >= 0] = matrix.rows(positions[positions >= 0])
        return positions, vectors

    def _mask(self, matrix: Matrix, access: Access) -> NDArray[np.bool_]:
        admission = access.admission(bool(np.any(matrix.restricted & matrix.alive)))
        if admission.everything:
            return matrix.alive
        return matrix.alive & np.isin(matrix.owners, self._admitted(admission))

    def _kept(self, view: _View) -> Graph | None:
        """The next graph from disk, if it covers the next rows of this view without a gap."""
        graph = load_graph(self._path(len(view.graphs)), self._identity)
        if graph is None or graph.index.d != view.matrix.width:
            return None
        end = int(np.searchsorted(view.matrix.keys, graph.keys[-1], side="right"))
        covered = view.matrix.keys[view.rest : end][view.matrix.alive[view.rest : end]]
        worth_it = len(covered) > (1 - _MOST_DEAD) * len(graph.keys)
        return graph if worth_it and bool(np.isin(covered, graph.keys).all()) else None

    def _built(self, view: _View) -> Graph | None:
        positions = np.flatnonzero(view.matrix.alive[view.rest :])[: self._exact_up_to] + view.rest
        graph = build_graph(view.matrix, positions, lambda: not self._closing.is_set())
        if graph is not None:
            graph.save(self._path(len(view.graphs)), self._identity)
        return graph

    def _path(self, number: int) -> Path:
        return self._directory / f"{number}.hnsw"


def _candidates(
    view: _View, vector: Floats, limit: int, mask: NDArray[np.bool_], exactly: bool
) -> tuple[NDArray[np.int64], Floats]:
    """Rows that may be among the nearest, with their exact scores."""
    if exactly and view.graphs:
        positions = np.flatnonzero(mask)
        return positions, view.matrix.rows(positions) @ vector
    newest = np.flatnonzero(mask[view.rest :])
    scores = view.matrix.dot(vector, view.rest)[newest]
    found = [_nearest(graph, place, vector, limit, mask) for graph, place in zip(view.graphs, view.places, strict=True)]
    older = np.concatenate(found) if found else np.zeros(0, np.int64)
    return (
        np.concatenate([older, newest + view.rest]),
        np.concatenate([view.matrix.rows(older) @ vector, scores]),
    )


def _nearest(
    graph: Graph, place: NDArray[np.int64], vector: Floats, limit: int, mask: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """A graph's candidates as rows of the matrix."""
    admitted = (place >= 0) & mask[place]
    found = graph.nearest(vector, min(limit, len(place)), None if admitted.all() else admitted)
    return place[found]


def _greatest(scores: Floats, limit: int) -> NDArray[np.int64]:
    """Positions of the `limit` greatest scores, the greatest first, the earlier one first among equals."""
    if limit <= 0:
        return np.zeros(0, np.int64)
    chosen = np.argpartition(-scores, limit - 1)[:limit] if limit < len(scores) else np.arange(len(scores))
    order: NDArray[np.int64] = chosen[np.lexsort((chosen, -scores[chosen]))]
    return order
