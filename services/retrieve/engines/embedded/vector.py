"""Vector search over one collection by cosine: exact while it is small, over HNSW graphs beyond.

A passage has a vector for each window (stretch) of it; it is found and scored by its best window. Vectors are from the
corpus and loaded from it at startup (40,000 of 384 values take about half a second). The newest passages are always
searched exactly. Once there are many, `condense` builds a graph over them in the background, which is stored on disk. A
graph absorbs those before it that are no larger, so their number stays small as the collection grows, and query time
grows about with its logarithm. Candidates from graphs get their exact scores, and a filter that admits few passages is
searched exactly, so a graph can miss a passage but never score it wrongly. Everything blocks, on a core or the disk.
Numbers that name no source are chosen by hand.
"""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.corpus.filtering import Access, Admission
from services.retrieve.engines.embedded.graph import Graph, build_graph, delete_graph, load_graph
from services.retrieve.engines.embedded.matrix import Floats, Matrix
from services.retrieve.engines.embedded.vector_view import MAX_DEAD, VectorView, next_graph_extent
from services.retrieve.engines.protocols import EngineDefaults, Hits
from services.retrieve.indexing.passage import best_windows, passages_of, unit_means

LAYOUT = "2"
"""Change it whenever older graphs become unreadable."""
EXACT_UP_TO = 50_000
"""Windows searched exactly: a search takes 3 to 4 ms on one core (measured)."""
_EXACT_BESIDE = 0.2  # passages searched exactly in addition to graphs, as a share of EXACT_UP_TO
_FEW = 0.4  # admitted passages up to which a filtered search is exact, as a share of EXACT_UP_TO
_MAX_MEANS = 4096
"""Passages whose mean vectors are cached: 6 MB of 384 values.

Consecutive searches find many of the same ones, and a hundred take .6 ms to compute and .05 to look up.
"""
Admitted = Callable[[Admission], NDArray[np.int64]]
"""Returns the documents that meet an admission's conditions, ascending."""


class VectorIndex(EngineDefaults):
    """One collection's vectors. Searches run concurrently with each other and with one writer."""

    def __init__(
        self, width: int, admitted: Admitted, directory: Path, identity: str, exact_up_to: int = EXACT_UP_TO
    ) -> None:
        """An empty index; graphs on disk are loaded once their passages are present.

        Args:
            width: values in a vector.
            admitted: returns the documents that a filter admits.
            directory: where graphs are stored.
            identity: the corpus and collection that it follows.
            exact_up_to: passages searched exactly without graphs; with graphs, a fifth of that.
        """
        self._exact_up_to = exact_up_to
        self._admitted = admitted
        self._directory = directory
        self._identity = f"{LAYOUT}:{identity}"
        self._view = VectorView.of(Matrix.empty(width), ())
        self._means: dict[int, Floats] = {}
        self._changing = threading.Lock()
        self._closing = threading.Event()
        self.sequence = 0

    @property
    def followed(self) -> int:
        """The same as `sequence`: changes are searchable at once."""
        return self.sequence

    @property
    def graphs(self) -> int:
        """Number of graphs in use."""
        return len(self._view.graphs)

    def follow(self, batch: VectorBatch) -> None:
        """Apply a batch of changes; they are searchable at once."""
        with self._changing:
            self._view = self._view.following(batch)
            self._means = {}
            self.sequence = batch.through

    def condense(self) -> None:
        """Cover rows that are searched exactly by stored or new graphs, while they are too many. May take long."""
        while not self._closing.is_set():
            view = self._view
            if view.uncovered <= self._exact_up_to * (_EXACT_BESIDE if view.graphs else 1):
                return
            graphs = self._with_stored(view) or self._with_built(view)
            if graphs is None:
                return
            with self._changing:
                self._view = VectorView.of(self._view.matrix, graphs)

    def stop(self) -> None:
        """Stop building."""
        self._closing.set()

    def close(self) -> None:
        """Stop building; graphs stay on disk."""
        self.stop()

    def destroy(self) -> None:
        """Stop building, and delete the files on disk."""
        self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)

    def search(self, vector: Floats, limit: int, access: Access) -> Hits:
        """See SearchEngine."""
        view = self._view
        admission = access.admission(view.any_restricted)
        mask = (
            None if admission.everything else view.matrix.alive & np.isin(view.matrix.owners, self._admitted(admission))
        )
        admitted_windows = view.matrix.living if mask is None else int(np.count_nonzero(mask))
        windows = min(admitted_windows, int(np.ceil(limit * view.windows_each)))
        are_few = mask is not None and admitted_windows <= _FEW * self._exact_up_to
        positions, scores = view.candidates(vector, windows, mask, exact=are_few)
        best = _greatest(scores, min(windows, len(scores)))
        keys, scores = view.matrix.keys[positions[best]], scores[best]
        first = best_windows(keys)
        is_complete = admitted_windows <= len(best) and len(first) <= limit
        first = first[:limit]
        return Hits(passages_of(keys[first]), scores[first].astype(np.float64), others=np.nan if is_complete else None)

    def scores(self, vector: Floats, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """See SearchEngine."""
        owners, rows = self._view.matrix.windows_of(keys)
        best = np.full(len(keys), -np.inf)
        np.maximum.at(best, owners, self._view.matrix.products(rows, vector))
        return np.where(np.isfinite(best), best, np.nan)

    def vectors(self, keys: NDArray[np.int64]) -> Floats:
        """See VectorEngine."""
        means, key_list = self._means, keys.tolist()  # read before the view: cached means are never of an older one
        mean_by_key = {key: means.get(key) for key in key_list}
        if missing := [key for key, mean in mean_by_key.items() if mean is None]:
            matrix = self._view.matrix
            owners, rows = matrix.windows_of(np.array(missing, np.int64))
            new_means = dict(zip(missing, unit_means(matrix.rows(rows), owners, len(missing)), strict=True))
            if len(means) + len(new_means) > _MAX_MEANS:
                means.clear()
            means.update(new_means)
            mean_by_key |= new_means
        return np.array([mean_by_key[key] for key in key_list], np.float32).reshape(
            len(key_list), self._view.matrix.width
        )

    def _with_stored(self, view: VectorView) -> tuple[Graph, ...] | None:
        """The graphs with the next one from disk, if it covers the next rows of this view without a gap."""
        graph = load_graph(self._path(len(view.graphs)), self._identity)
        if graph is None or graph.index.d != view.matrix.width:
            return None
        end = int(np.searchsorted(view.matrix.keys, graph.keys[-1], side="right"))
        living_keys = view.matrix.keys[view.rest : end][view.matrix.alive[view.rest : end]]
        is_useful = len(living_keys) > (1 - MAX_DEAD) * len(graph.keys)
        return (*view.graphs, graph) if is_useful and bool(np.isin(living_keys, graph.keys).all()) else None

    def _with_built(self, view: VectorView) -> tuple[Graph, ...] | None:
        """The graphs with a new one, which absorbs those before it that are no larger; None if stopped."""
        before, positions = next_graph_extent(view, self._exact_up_to)
        graph = build_graph(view.matrix, positions, lambda: not self._closing.is_set())
        if graph is None:
            return None
        graph.save(self._path(len(before)), self._identity)
        for number in range(len(before) + 1, len(view.graphs)):
            delete_graph(self._path(number))
        return (*before, graph)

    def _path(self, number: int) -> Path:
        return self._directory / f"{number}.hnsw"


def _greatest(scores: Floats, limit: int) -> NDArray[np.int64]:
    """Positions of the `limit` greatest scores, the greatest first; equal scores in order of position."""
    if limit <= 0:
        return np.zeros(0, np.int64)
    positions = np.argpartition(-scores, limit - 1)[:limit] if limit < len(scores) else np.arange(len(scores))
    order: NDArray[np.int64] = positions[np.lexsort((positions, -scores[positions]))]
    return order
