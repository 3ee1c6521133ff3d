import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from services.retrieve.grouping import group_near_duplicates

NORTH, NEARLY_NORTH, EAST = (0.0, 1.0), (0.1, 0.995), (1.0, 0.0)


def unit(*rows: tuple[float, float]) -> NDArray[np.float32]:
    vectors = np.array(rows, dtype=np.float32)
    unit_vectors: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit_vectors


def test_a_duplicate_hangs_on_the_better_ranked_passage_with_its_similarity() -> None:
    north, east = group_near_duplicates(unit(NORTH, EAST, NEARLY_NORTH), 0.95)
    assert (north.head, [member.position for member in north.duplicates]) == (0, [2])
    assert north.duplicates[0].similarity == pytest.approx(0.995, abs=1e-3)
    assert (east.head, east.duplicates) == (1, ())


def test_a_passage_without_a_vector_stands_alone() -> None:
    vectors = np.array([(0.0, 0.0), (0.0, 0.0)], np.float32)
    assert [group.head for group in group_near_duplicates(vectors, 0.95)] == [0, 1]


@given(arrays(np.float32, st.tuples(st.integers(1, 30), st.just(4)), elements=st.floats(0.125, 1, width=32)))
def test_every_passage_occurs_once_and_no_two_heads_resemble_each_other(rows: NDArray[np.float32]) -> None:
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    groups = group_near_duplicates(vectors, 0.97)
    members = [(group.head, *(member.position for member in group.duplicates)) for group in groups]
    assert sorted(position for positions in members for position in positions) == list(range(len(rows)))
    heads = vectors[[group.head for group in groups]]
    assert (heads @ heads.T - np.eye(len(heads)) < 0.9701).all()


@given(arrays(np.float32, st.tuples(st.integers(1, 20), st.just(3)), elements=st.floats(0.125, 1, width=32)))
def test_a_limit_gives_the_first_groups_of_all(rows: NDArray[np.float32]) -> None:
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert group_near_duplicates(vectors, 0.9, limit=3) == group_near_duplicates(vectors, 0.9)[:3]


@pytest.mark.parametrize("threshold", [0, -0.1, 1.5])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        group_near_duplicates(unit(NORTH), threshold)
