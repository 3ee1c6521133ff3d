"""Graphs of neighbours stand in for exact search where a collection is large; here that begins at 300 passages."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.corpus.filtering import Access, Admission
from services.retrieve.engines.embedded.vector import VectorIndex
from services.retrieve.indexing.passage import first_windows

WIDTH, EXACT = 16, 300
CHANCE = np.random.default_rng(7)
ROWS = CHANCE.normal(size=(1000, WIDTH))
VECTORS = (ROWS / np.linalg.norm(ROWS, axis=1, keepdims=True)).astype(np.float16)
ANYBODY = Access()
EVEN = Access(Admission((frozenset({"even"}),)))
FEW = Access(Admission((frozenset({"few"}),)))


def admitted(admission: Admission) -> NDArray[np.int64]:
    """Document n has the passage n + 1, and that one window."""
    documents = np.arange(1000, dtype=np.int64)
    return documents[:40] if "few" in admission.labels[0] else documents[documents % 2 == 0]


def added(first: int, last: int) -> VectorBatch:
    owners = np.arange(first, last, dtype=np.int64)
    return VectorBatch(
        owners, last, first_windows(owners + 1), owners, np.zeros(len(owners), np.bool_), VECTORS[first:last]
    )


def deleted(*documents: int) -> VectorBatch:
    none = np.zeros(0, np.int64)
    deleted_documents = np.array(documents, np.int64)
    return VectorBatch(deleted_documents, 10_000, none, none, np.zeros(0, np.bool_), np.zeros((0, WIDTH), np.float16))


def opened(folder: Path, identity: str = "corpus:1") -> VectorIndex:
    return VectorIndex(WIDTH, admitted, folder, identity, EXACT)


@pytest.fixture
def index(tmp_path: Path) -> VectorIndex:
    index = opened(tmp_path)
    index.follow(added(0, 900))
    index.condense()
    return index


def query(document: int) -> NDArray[np.float32]:
    vector: NDArray[np.float32] = VECTORS[document].astype(np.float32)
    return vector


def nearest(index: VectorIndex, document: int, limit: int = 10, access: Access = ANYBODY) -> list[int]:
    """Documents nearest to one of them."""
    return [int(key) - 1 for key in index.search(query(document), limit, access).keys]


def truly_nearest(document: int, limit: int, among: NDArray[np.int64]) -> set[int]:
    scores = VECTORS[among].astype(np.float32) @ query(document)
    return {int(hits) for hits in among[np.argsort(-scores)[:limit]]}


def test_a_small_collection_needs_no_graph(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.follow(added(0, EXACT))
    index.condense()
    assert index.graphs == 0


@pytest.mark.parametrize(("limit", "queries"), [(10, range(0, 900, 30)), (450, (1, 500))])
def test_graphs_find_nearly_what_exact_search_finds(index: VectorIndex, limit: int, queries: Sequence[int]) -> None:
    assert index.graphs == 1
    everything = np.arange(900)
    overlaps = [
        len(set(nearest(index, document, limit)) & truly_nearest(document, limit, everything)) for document in queries
    ]
    assert sum(overlaps) >= 0.95 * limit * len(overlaps)


def test_scores_of_graphs_are_exact(index: VectorIndex) -> None:
    hits = index.search(query(5), 10, Access())
    assert index.scores(query(5), hits.keys) == pytest.approx(hits.scores, abs=1e-6)
    assert (hits.scores[0], hits.others) == (pytest.approx(1, abs=1e-3), None)


def test_a_graph_takes_up_those_before_it_that_are_no_larger_so_there_are_few(tmp_path: Path) -> None:
    index = opened(tmp_path)
    counts = []
    for first in range(0, 1000, 20):
        index.follow(added(first, first + 20))
        index.condense()
        counts.append(index.graphs)
    assert max(counts) <= 4
    assert nearest(index, 3)[0] == 3
    assert sorted(file.name for file in tmp_path.glob("*.json")) == [f"{number}.json" for number in range(index.graphs)]


def test_what_is_newer_than_the_graphs_is_found_at_once(index: VectorIndex) -> None:
    index.follow(added(900, 1000))
    assert nearest(index, 950)[0] == 950


def test_what_was_deleted_is_not_found(index: VectorIndex) -> None:
    index.follow(deleted(5, 700, 899))
    assert all(not {5, 700, 899} & set(nearest(index, document)) for document in (5, 700, 899))


def test_filters_hold_within_graphs_and_a_narrow_one_is_searched_exactly(index: VectorIndex) -> None:
    assert all(document % 2 == 0 for document in nearest(index, 7, 50, EVEN))
    assert len(nearest(index, 7, 50, EVEN)) == 50
    assert set(nearest(index, 7, 10, FEW)) == truly_nearest(7, 10, np.arange(40))


def test_graphs_are_taken_from_disk(index: VectorIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = nearest(index, 42)
    monkeypatch.setattr("services.retrieve.engines.embedded.vector.build_graph", None)
    again = opened(tmp_path)
    again.follow(added(0, 900))
    again.condense()
    assert (again.graphs, nearest(again, 42)) == (1, before)


@pytest.mark.parametrize("damage", ["identity", "cut", "gap"])
def test_a_graph_that_does_not_fit_is_built_anew(index: VectorIndex, tmp_path: Path, damage: str) -> None:
    if damage == "cut":
        (tmp_path / "0.hnsw").write_bytes(b"cut")
    if damage == "gap":
        index.follow(added(900, 1000))
        index.condense()
        for name in ("0.hnsw", "0.npy", "0.json"):
            (tmp_path / name.replace("0", "1", 1)).replace(tmp_path / name)
    again = opened(tmp_path, "corpus:2" if damage == "identity" else "corpus:1")
    again.follow(added(0, 900))
    again.condense()
    assert again.graphs == 1
    assert nearest(again, 42)[0] == 42


def test_a_graph_that_is_mostly_dead_is_given_up_and_nothing_is_lost(index: VectorIndex) -> None:
    index.follow(deleted(*range(500)))
    assert index.graphs == 0
    index.condense()
    assert index.graphs > 0
    assert all(nearest(index, document)[0] == document for document in (500, 650, 899))


def test_rows_that_all_left_need_no_graph(index: VectorIndex) -> None:
    index.follow(added(900, 1000))
    index.follow(deleted(*range(900, 1000)))
    index.condense()
    assert index.graphs == 1
    assert nearest(index, 42)[0] == 42


def test_closing_ends_the_building(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.follow(added(0, 900))
    index.close()
    index.condense()
    assert index.graphs == 0
