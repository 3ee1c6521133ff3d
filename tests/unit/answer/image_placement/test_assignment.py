"""Pairing paragraphs with pictures: no other pairing is worth more."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.answer.image_placement.assignment import assign

WORTH = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, 0.5, 1.0]))


def tables(rows: int, columns: int) -> st.SearchStrategy[list[list[float]]]:
    return st.lists(st.lists(WORTH, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def worth(values: Sequence[Sequence[float]], pairs: Sequence[int | None]) -> float:
    return sum(values[row][column] for row, column in enumerate(pairs) if column is not None)


def best_of_all(values: Sequence[Sequence[float]]) -> float:
    """The worth of the best pairing, by trying every one; a pair of negative worth is not made."""
    rows, columns = len(values), len(values[0])
    if rows > columns:
        return best_of_all([[values[row][column] for row in range(rows)] for column in range(columns)])
    return max(
        sum(max(0.0, values[row][column]) for row, column in enumerate(assignment))
        for assignment in permutations(range(columns), rows)
    )


def test_two_good_pairs_are_better_than_the_best_one() -> None:
    assert assign([[0.9, 0.8], [0.8, 0.1]]) == [1, 0]


def test_a_row_without_a_worthy_column_stays_alone() -> None:
    assert assign([[0.5, 0.0], [0.4, -0.2]]) == [0, None]


@given(st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(lambda size: tables(*size)))
def test_no_pairing_of_up_to_seven_is_worth_more(values: list[list[float]]) -> None:
    assert worth(values, assign(values)) == pytest.approx(best_of_all(values))


@given(st.tuples(st.integers(0, 12), st.integers(0, 12)).flatmap(lambda size: tables(*size)))
def test_each_column_is_given_once_and_each_pair_is_worth_something(values: list[list[float]]) -> None:
    pairs = assign(values)
    assert len(pairs) == len(values)
    given_away = [column for column in pairs if column is not None]
    assert len(given_away) == len(set(given_away))
    assert all(values[row][column] > 0 for row, column in enumerate(pairs) if column is not None)


def test_rows_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="length"):
        assign([[1.0], [1.0, 2.0]])
