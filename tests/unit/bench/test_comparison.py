"""The comparison of two commits: which differences of a turn's events count."""

from collections.abc import Mapping
from typing import Any

import pytest

from bench.comparison.events import comparable, differences

STARTED, DONE = {"sub_query": {"node_id": "1"}}, {"sub_query": {"node_id": "2"}}


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (
            [{"turn_id": "a", "seq": 1, "text": {"delta": "Yes."}}],
            [{"turn_id": "b", "seq": 4, "text": {"delta": "Yes."}}],
        ),
        ([{"state": {"activity": "search"}}], []),
        ([STARTED, DONE], [DONE, STARTED]),
        ([{"completed": {"abstain_score": 0.12345671}}], [{"completed": {"abstain_score": 0.12345674}}]),
        ([{"references": {"nodes": ["1", "2"]}}], [{"references": {"nodes": ["2", "1"]}}]),
    ],
    ids=["ids and numbers of one run", "progress", "the order of sub-queries", "rounding", "which found it first"],
)
def test_differences_between_two_runs_of_the_same_code_do_not_count(
    before: list[Mapping[str, Any]], now: list[Mapping[str, Any]]
) -> None:
    assert list(differences(comparable(before), comparable(now))) == []


@pytest.mark.parametrize(
    ("before", "now", "places"),
    [
        ([{"text": {"delta": "Yes."}}], [{"text": {"delta": "No."}}], [("text[0].delta", "Yes.", "No.")]),
        ([{"completed": {}}], [{"completed": {"abstains": True}}], [("completed[0].abstains", None, True)]),
        ([{"restarted": {}}], [], [("restarted", [{}], None)]),
        ([{"plan": {"ids": ["a", "b"]}}], [{"plan": {"ids": ["b"]}}], [("plan[0].ids", ["a", "b"], ["b"])]),
    ],
    ids=["value", "field", "event", "length"],
)
def test_any_other_difference_is_found_with_its_place(
    before: list[Mapping[str, Any]], now: list[Mapping[str, Any]], places: list[tuple[str, Any, Any]]
) -> None:
    assert list(differences(comparable(before), comparable(now))) == places
