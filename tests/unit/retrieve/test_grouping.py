from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from services.retrieve.search.grouping import GroupMember, group_near_duplicates, say_the_same

NORTH, NEARLY_NORTH, EAST = (0.0, 1.0), (0.1, 0.995), (1.0, 0.0)


def unit(*rows: tuple[float, float]) -> NDArray[np.float32]:
    vectors = np.array(rows, dtype=np.float32)
    unit_vectors: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit_vectors


def all_the_same(_: int, similar: Sequence[GroupMember]) -> Sequence[GroupMember]:
    return similar


def test_a_duplicate_hangs_on_the_better_ranked_passage_with_its_similarity() -> None:
    north, east = group_near_duplicates(unit(NORTH, EAST, NEARLY_NORTH), 0.95, 9, all_the_same)
    assert (north.head, [member.position for member in north.duplicates]) == (0, [2])
    assert north.duplicates[0].similarity == pytest.approx(0.995, abs=1e-3)
    assert (east.head, east.duplicates) == (1, ())


def test_what_reads_alike_and_says_something_else_stands_alone() -> None:
    asked: list[tuple[int, list[int]]] = []

    def none_the_same(head: int, similar: Sequence[GroupMember]) -> Sequence[GroupMember]:
        asked.append((head, [member.position for member in similar]))
        return ()

    groups = group_near_duplicates(unit(NORTH, EAST, NEARLY_NORTH), 0.95, 9, none_the_same)
    assert [(group.head, group.duplicates) for group in groups] == [(0, ()), (1, ()), (2, ())]
    assert asked == [(0, [2])], "only similar passages are compared"


def test_passages_of_one_document_or_under_other_names_do_not_say_the_same() -> None:
    def passage(document: str, title: str = "Pumps") -> Passage:
        return Passage(f"{document}#0", document, "The pressure is 3.2 bar.", title=title, language="en")

    assert say_the_same(passage("a"), passage("b"))
    assert not say_the_same(passage("a"), passage("a"))
    assert not say_the_same(passage("a", "Pump AX-200"), passage("b", "Pump AX-220"))
    assert not say_the_same(passage("a", "Prices 2024"), passage("b", "Prices 2025"))


def test_a_passage_without_a_vector_stands_alone() -> None:
    vectors = np.array([(0.0, 0.0), (0.0, 0.0)], np.float32)
    assert [group.head for group in group_near_duplicates(vectors, 0.95, 9, all_the_same)] == [0, 1]


def plainly_grouped(vectors: NDArray[np.float32], threshold: float) -> list[tuple[int, list[int]]]:
    """The definition, pair by pair: each passage that no head before it resembles heads a group."""
    groups: list[tuple[int, list[int]]] = []
    members: set[int] = set()
    for head in range(len(vectors)):
        if head in members:
            continue
        alike = [at for at in range(head + 1, len(vectors)) if at not in members]
        alike = [at for at in alike if float(vectors[head] @ vectors[at]) >= threshold]
        members.update(alike)
        groups.append((head, alike))
    return groups


# Sixteen values of a quarter each, of either sign: unit vectors whose products are exact, so that no rounding decides.
EXACT_UNITS = arrays(np.float32, st.tuples(st.integers(0, 70), st.just(16)), elements=st.sampled_from([-0.25, 0.25]))


@given(EXACT_UNITS, st.sampled_from([0.125, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 100))
def test_groups_are_those_of_the_plain_definition(vectors: NDArray[np.float32], threshold: float, limit: int) -> None:
    expected = plainly_grouped(vectors, threshold)
    groups = group_near_duplicates(vectors, threshold, limit, all_the_same)
    members = [(group.head, [member.position for member in group.duplicates]) for group in groups]
    assert members == expected[:limit]


def test_a_long_list_is_grouped_like_the_plain_definition() -> None:
    chance = np.random.default_rng(3)
    centres = chance.standard_normal((60, 24))
    rows = centres[chance.integers(60, size=400)] + 0.3 * chance.standard_normal((400, 24))
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    groups = group_near_duplicates(vectors, 0.9, 400, all_the_same)
    members = [(group.head, [member.position for member in group.duplicates]) for group in groups]
    assert members == plainly_grouped(vectors, 0.9)
    assert 60 <= len(groups) < 400
