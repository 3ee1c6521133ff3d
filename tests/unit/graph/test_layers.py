"""Graphs: their order, what can't be walked, placeholders for answers, and the functions' arguments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.query import FunctionCall, QueryNode
from libs.graph.layers import layers
from libs.graph.placeholders import fill_in, named_in
from libs.graph.signatures import SIGNATURES, fault_of
from libs.runtime.errors import InvalidInput


def node(node_id: str, *links: str) -> QueryNode:
    return QueryNode(node_id, "?", links=links)


@st.composite
def graphs(draw: st.DrawFn) -> list[QueryNode]:
    """Up to eight nodes with any links among them, cycles and dangling ones too."""
    ids = [str(n) for n in range(draw(st.integers(1, 8)))]
    return [node(each, *draw(st.sets(st.sampled_from([*ids, "nobody"]), max_size=2))) for each in ids]


def has_cycle(nodes: list[QueryNode]) -> bool:
    links = {each.id: set(each.links) for each in nodes}
    for middle in links:
        for one in links:
            if middle in links[one]:
                links[one] |= links[middle]
    return any(each in targets for each, targets in links.items())


@given(graphs())
def test_a_graph_is_walked_each_node_once_after_its_parents_or_refused_for_a_cycle_or_a_missing_node(
    nodes: list[QueryNode],
) -> None:
    dangling = any("nobody" in each.links for each in nodes)
    if dangling or has_cycle(nodes):
        with pytest.raises(InvalidInput, match="which does not exist" if dangling else "wait for each other"):
            layers(nodes)
        return
    place = {each.id: number for number, layer in enumerate(layers(nodes)) for each in layer}
    assert sorted(place) == sorted(each.id for each in nodes)
    assert all(place[each.id] == 1 + max((place[link] for link in each.links), default=-1) for each in nodes)


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ((node("1", "2"), node("2", "1")), "The nodes 1, 2 wait for each other."),
        ((node("1", "9"),), "The node '1' links to '9', which does not exist."),
        ((node("1"), node("1")), "The id '1' occurs twice."),
    ],
)
def test_what_cannot_be_walked_is_refused_with_the_reason(nodes: tuple[QueryNode, ...], why: str) -> None:
    with pytest.raises(InvalidInput, match=why) as error:
        layers(nodes)
    assert (error.value.reason, error.value.violations[0].field) == ("GRAPH_INVALID", "graph")


def test_a_placeholder_is_replaced_by_its_nodes_answer() -> None:
    assert fill_in("When did #1 orbit #2?", {"1": "Mariner 9", "2": "Mars"}) == "When did Mariner 9 orbit Mars?"


def test_a_number_sign_that_names_no_node_stays() -> None:
    assert fill_in("Who sang the #1 song of #2?", {"2": "1969"}) == "Who sang the #1 song of 1969?"


def test_all_words_after_a_number_sign_are_named() -> None:
    assert named_in("the #1 song of #year, not # 3") == {"1", "year"}


@pytest.mark.parametrize(
    ("name", "counts"),
    [("is_before", [2]), ("date_difference", [3]), ("count", [1, 2, 3, 4, 5, 6]), ("earliest", [2, 4, 6])],
)
def test_a_function_takes_its_arguments_and_a_repeating_one_whole_rounds_of_them(name: str, counts: list[int]) -> None:
    assert [count for count in range(7) if SIGNATURES[name].takes(count)] == counts


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (FunctionCall("is_before", ("1969", "1971")), None),
        (FunctionCall("is_before", ("1969",)), "is_before takes date, date, and got 1 arguments"),
        (
            FunctionCall("earliest", ("Luna 9", "1966", "Luna 2")),
            "earliest takes name, date, several times over, and got 3 arguments",
        ),
        (FunctionCall("guess"), "no function 'guess' is registered"),
    ],
)
def test_a_call_that_does_not_fit_is_described(call: FunctionCall, fault: str | None) -> None:
    assert fault_of(call) == fault
