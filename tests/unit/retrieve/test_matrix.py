import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.engines.embedded.matrix import ROUGH_ERROR, Matrix
from services.retrieve.indexing.passage import first_windows

WIDTH = 3
EDITS = st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=4), max_size=12)
"""Batches of (document, how many passages it has now)."""


def batch_of(changes: list[tuple[int, int]], next_key: int, through: int) -> VectorBatch:
    owners = np.array([document for document, count in dict(changes).items() for _ in range(count)], np.int64)
    keys = np.arange(next_key, next_key + len(owners), dtype=np.int64)
    vectors = np.stack([keys, owners, keys + owners], axis=1).astype(np.float16)
    documents = np.array(sorted(dict(changes)), np.int64)
    return VectorBatch(documents, through, keys, owners, owners > 3, vectors.reshape(-1, WIDTH))


@given(EDITS)
def test_it_holds_exactly_the_newest_passages_of_each_document(edits: list[list[tuple[int, int]]]) -> None:
    matrix, next_key = Matrix.empty(WIDTH), 1
    expected: dict[int, int] = {}
    for through, changes in enumerate(edits, start=1):
        batch = batch_of(changes, next_key, through)
        next_key += len(batch.keys)
        matrix = matrix.following(batch)
        changed_documents = {document for document, _ in changes}
        expected = {key: owner for key, owner in expected.items() if owner not in changed_documents}
        expected |= dict(zip(batch.keys.tolist(), batch.owners.tolist(), strict=True))
    alive = matrix.keys[matrix.alive]
    assert dict(zip(alive.tolist(), matrix.owners[matrix.alive].tolist(), strict=True)) == expected
    assert (matrix.rows(np.flatnonzero(matrix.alive))[:, 0] == alive).all()
    if len(alive):
        assert (matrix.rough(np.array([1, 0, 0], np.float32)) == matrix.keys)[matrix.alive].all()
    assert (matrix.restricted == (matrix.owners > 3)).all()


def test_a_reader_keeps_what_it_began_with_while_rows_are_added() -> None:
    before = Matrix.empty(WIDTH).following(batch_of([(1, 2)], 1, 1))
    after = before.following(batch_of([(2, 3)], 3, 2)).following(batch_of([(1, 0)], 6, 3))
    assert before.keys[before.alive].tolist() == [1, 2]
    assert before.rows(np.array([0, 1]))[:, 0].tolist() == [1, 2]
    assert after.keys[after.alive].tolist() == [3, 4, 5]


def test_it_grows_over_many_batches() -> None:
    matrix = Matrix.empty(WIDTH)
    for document in range(1, 7):
        matrix = matrix.following(batch_of([(document, 3000)], 3000 * document, document))
    assert len(matrix) == 18_000
    assert matrix.rows(np.array([0, 8191, 8192, 17_999]))[:, 1].tolist() == [1, 3, 3, 6]


@given(st.permutations(range(8)))
def test_windows_are_found_whatever_the_order_in_which_vectors_came(order: list[int]) -> None:
    matrix = Matrix.empty(WIDTH)
    for through, place in enumerate(order):
        keys = first_windows(np.array([place])) + np.arange(2)
        owners = np.full(2, 100 + place)
        vectors = np.stack([[place, window, 0] for window in range(2)]).astype(np.float16)
        free = np.zeros(2, np.bool_)
        matrix = matrix.following(VectorBatch(np.array([100 + place]), through, keys, owners, free, vectors))
    passages = np.array([5, 0, 9, 7])
    owners, rows = matrix.windows_of(passages)
    assert owners.tolist() == [0, 0, 1, 1, 3, 3]
    assert matrix.rows(rows)[:, :2].tolist() == [[5, 0], [5, 1], [0, 0], [0, 1], [7, 0], [7, 1]]
    few = matrix.following(VectorBatch(np.arange(100, 105), 9, *(np.zeros(0, np.int64),) * 2, free[:0], vectors[:0]))
    assert few.windows_of(np.array([4, 6]))[0].tolist() == [1, 1]
    assert few.keys.tolist() == sorted(few.keys.tolist())


CHANCE = np.random.default_rng(3)
ROWS = CHANCE.normal(size=(5000, 384)) + 2 * CHANCE.normal(size=384)
UNIT = (ROWS / np.linalg.norm(ROWS, axis=1, keepdims=True)).astype(np.float16)
"""They lie near to each other, as embeddings do."""


def unit_batch(vectors: NDArray[np.float16] = UNIT) -> VectorBatch:
    numbers = np.arange(len(vectors), dtype=np.int64)
    return VectorBatch(numbers, 1, numbers, numbers, np.zeros(len(vectors), np.bool_), vectors)


def test_rows_come_back_as_they_were_given() -> None:
    matrix = Matrix.empty(384).following(unit_batch())
    assert np.array_equal(matrix.rows(np.arange(len(UNIT))[::-1]), UNIT[::-1].astype(np.float32))


@pytest.mark.parametrize("width", [1, 8, 384, 1030, 8192])
def test_a_rough_product_is_near_even_of_one_great_value_and_many_small_ones(width: int) -> None:
    small = np.array([[share / width] * (width - 1) for share in (0.0, 0.1, 0.5, 1.0)])
    uneven = np.hstack([np.ones((4, 1)), small.reshape(4, width - 1)])
    unit = (uneven / np.linalg.norm(uneven, axis=1, keepdims=True)).astype(np.float16)
    matrix = Matrix.empty(width).following(unit_batch(unit))
    for vector in unit.astype(np.float32):
        assert matrix.rough(vector) == pytest.approx(unit.astype(np.float32) @ vector, abs=ROUGH_ERROR)


@pytest.mark.parametrize("limit", [1, 20, 1500, 5000])
@pytest.mark.parametrize("share", [1, 2])
def test_none_of_the_nearest_is_lost_by_looking_roughly_first(limit: int, share: int) -> None:
    matrix = Matrix.empty(384).following(unit_batch())
    mask = np.arange(len(UNIT)) % share == 0
    for vector in UNIT[:5].astype(np.float32):
        positions, products = matrix.nearest(vector, limit, mask)
        exact = np.where(mask, UNIT.astype(np.float32) @ vector, -1)
        best = np.sort(exact)[::-1][: min(limit, np.count_nonzero(mask))]
        assert products == pytest.approx(best, abs=1e-6)
        assert mask[positions].all()
