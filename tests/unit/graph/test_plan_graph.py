"""The graph of sub-queries: what may be built, in which order it is walked, and what is refused."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.options import Scene
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode, WeightedQuery
from libs.graph.plan_graph import PlanGraph
from libs.runtime.errors import InvalidInput


def node(node_id: str, *links: str, text: str = "") -> QueryNode:
    return QueryNode(node_id, text or f"question {node_id}", links=links)


def graph_of(*nodes: QueryNode, scene: Scene = Scene.GENERAL) -> PlanGraph:
    """A graph that a planner builds, node by node."""
    plan = PlanGraph(scene)
    for each in nodes:
        plan.add_new_node(each)
    return plan


def ids(layers: tuple[tuple[QueryNode, ...], ...]) -> list[list[str]]:
    return [[node.id for node in layer] for layer in layers]


DIAMOND = (node("1"), node("2", "1"), node("3", "1"), node("4", "2", "3"))


def test_a_graph_comes_back_as_it_went_in() -> None:
    graph = QueryGraph(DIAMOND, "a diamond")
    assert PlanGraph.from_query_graph(graph).to_query_graph() == graph


def test_a_node_put_in_front_is_waited_for() -> None:
    plan = graph_of(node("2", text="when did #1 launch"))
    plan.insert_node_front(QueryNode("1", "which craft first orbited Mars"), "2")
    assert ids(plan.get_turns()) == [["1"], ["2"]]
    assert [n.id for n in plan] == ["1", "2"]


def test_the_answer_of_a_node_put_in_front_replaces_its_words_wherever_they_stand() -> None:
    plan = graph_of(node("1", text="how heavy is the smallest rover"), node("2", text="how heavy is Spirit"))
    names = FunctionCall("greatest", ("the smallest rover", "#1", "Spirit", "#2"))
    plan.add_new_node(QueryNode("3", "is the smallest rover heavier", need_rag=False, function_call=names))
    plan.add_arrow("3", "1")
    plan.add_arrow("3", "2")
    plan.insert_node_front(QueryNode("4", "which rover is the smallest"), "1", words="the smallest rover")
    numbered = plan.numbered().to_query_graph().nodes
    assert [each.text for each in numbered] == [
        "which rover is the smallest",
        "how heavy is #1",
        "how heavy is Spirit",
        "is #1 heavier",
    ]
    assert [each.links for each in numbered] == [(), ("1",), (), ("2", "3", "1")]
    assert numbered[3].function_call == FunctionCall("greatest", ("#1", "#2", "Spirit", "#3"))


def test_of_a_graph_that_another_planned_only_the_order_is_checked() -> None:
    many = QueryGraph(tuple(node(str(i)) for i in range(9)))
    assert len(PlanGraph.from_query_graph(many)) == 9
    with pytest.raises(InvalidInput, match="wait for each other"):
        PlanGraph.from_query_graph(QueryGraph((node("1", "2"), node("2", "1"))))


def test_an_arrow_makes_one_node_wait_for_another_and_a_second_one_changes_nothing() -> None:
    plan = graph_of(node("1"), node("2"))
    plan.add_arrow("2", "1")
    plan.add_arrow("2", "1")
    assert ids(plan.get_turns()) == [["1"], ["2"]]
    assert plan.get_attr("links")[0].links == ("1",)


def test_get_attr_finds_the_nodes_whose_attribute_is_set() -> None:
    computation = QueryNode("2", "", need_rag=False, function_call=FunctionCall("year_of", ("#1",)), links=("1",))
    plan = graph_of(node("1"), computation)
    assert plan.get_attr("function_call") == (computation,)
    assert [n.id for n in plan.get_attr("need_rag")] == ["1"]
    assert plan.get_attr("answer") == ()


def test_what_is_searched_is_told_by_node() -> None:
    own_query = WeightedQuery("own words")
    plan = graph_of(QueryNode("1", "one", query=own_query), node("2"), QueryNode("3", "three", need_rag=False))
    assert plan.recall_queries == {"1": own_query, "2": WeightedQuery("question 2")}


@st.composite
def acyclic(draw: st.DrawFn) -> tuple[QueryNode, ...]:
    """Up to six nodes in any order, each waiting for some that were made before it."""
    count = draw(st.integers(1, 6))
    nodes = [
        node(str(i), *draw(st.sets(st.sampled_from([str(j) for j in range(i)])) if i else st.just(set())))
        for i in range(count)
    ]
    return tuple(draw(st.permutations(nodes)))


@given(acyclic(), st.data())
def test_an_arrow_is_taken_or_refused_and_a_refused_one_changes_nothing(
    nodes: tuple[QueryNode, ...], data: st.DataObject
) -> None:
    plan = PlanGraph.from_query_graph(QueryGraph(nodes))
    query, former = (data.draw(st.sampled_from([n.id for n in nodes])) for _ in range(2))
    before = plan.to_query_graph()
    try:
        plan.add_arrow(query, former)
    except InvalidInput:
        assert plan.to_query_graph() == before
    walked = [n.id for layer in plan.get_turns() for n in layer]
    assert sorted(walked) == sorted(n.id for n in nodes)


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ((node("1", "2"),), "links to '2'"),
        ((QueryNode("1", "", function_call=FunctionCall("eval", ("1 + 1",))),), "no function 'eval'"),
        (tuple(node(str(i)) for i in range(7)), "at most 6"),
    ],
)
def test_a_broken_graph_is_refused_with_the_reason(nodes: tuple[QueryNode, ...], why: str) -> None:
    with pytest.raises(InvalidInput, match=why) as error:
        graph_of(*nodes)
    assert error.value.reason == "GRAPH_INVALID"


def test_a_timeline_has_at_most_five_nodes() -> None:
    five = tuple(node(str(i)) for i in range(5))
    plan = graph_of(*five, scene=Scene.TIMELINE)
    with pytest.raises(InvalidInput, match="at most 5"):
        plan.add_new_node(node("5"))
    assert len(plan) == 5


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (lambda plan: plan.add_arrow("1", "nobody"), "no node"),
        (lambda plan: plan.get_attr("colour"), "no attribute"),
    ],
    ids=["an arrow to nobody", "an unknown attribute"],
)
def test_what_names_no_node_or_attribute_is_refused(use: Callable[[PlanGraph], object], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        use(graph_of(node("1")))
