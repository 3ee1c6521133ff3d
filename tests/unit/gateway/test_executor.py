"""A graph of sub-queries is executed in order, with answers filled in, and what fails is said."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.draft import Draft
from gateway.events import Happening, SubQuery, SubQueryStatus
from gateway.executor import Execution, Executor, layers
from gateway.request import TurnRequest
from services.runtime.errors import InvalidInput, NotFound, Unavailable
from services.vocabulary.conversation import ConversationView
from services.vocabulary.options import RetrieveOptions
from services.vocabulary.query import FunctionCall, QueryGraph, QueryNode, WeightedQuery, WeightedTerm
from services.vocabulary.usage import Degraded
from tests.fakes.stages import ScriptedStages, evidence

DOWN = Unavailable("ENGINE_UNAVAILABLE", "the engine is down")
TWO_HOPS = QueryGraph(
    (QueryNode("1", "which craft first orbited Mars"), QueryNode("2", "when did #1 launch", links=("1",)))
)


async def execute(stages: ScriptedStages, graph: QueryGraph) -> tuple[Execution, list[Happening]]:
    told: list[Happening] = []
    draft = Draft("q-1", TurnRequest("?"), ConversationView())
    done = await Executor(stages, stages, node_seconds=0.5).run(draft, graph, RetrieveOptions(), told.append)
    return done, told


async def test_a_parents_answer_is_filled_into_its_child() -> None:
    stages = ScriptedStages(found={"*": [evidence("a")]}, extracts={"which craft first orbited Mars": "Mariner 9"})
    await execute(stages, TWO_HOPS)
    assert [said for method, said in stages.calls if method == "retrieve"] == [
        "which craft first orbited Mars",
        "when did Mariner 9 launch",
    ]


async def test_a_child_is_told_done_after_its_parent() -> None:
    stages = ScriptedStages(found={"*": [evidence("a")]}, extracts={"which craft first orbited Mars": "Mariner 9"})
    _, told = await execute(stages, TWO_HOPS)
    assert [(t.node_id, t.status, t.answer) for t in told if isinstance(t, SubQuery)] == [
        ("1", SubQueryStatus.STARTED, None),
        ("1", SubQueryStatus.DONE, "Mariner 9"),
        ("2", SubQueryStatus.STARTED, None),
        ("2", SubQueryStatus.DONE, None),
    ]


async def test_a_child_whose_parent_gave_no_answer_is_degraded_and_the_turn_goes_on() -> None:
    done, told = await execute(ScriptedStages(found={"*": [evidence("a")]}), TWO_HOPS)
    assert set(done.found) == {"1"}
    assert [t.reason for t in told if isinstance(t, SubQuery) and t.status is SubQueryStatus.DEGRADED] == [
        "NOTHING_FOUND"
    ]
    assert any(isinstance(t, Degraded) and "when did #1 launch" in t.effect for t in told)


async def test_siblings_run_side_by_side() -> None:
    stages = ScriptedStages(found={"*": []}, delays={"retrieve": 0.3})
    graph = QueryGraph(tuple(QueryNode(str(n), f"question {n}") for n in range(5)))
    async with asyncio.timeout(1.0):
        done, _ = await execute(stages, graph)
    assert len(done.found) == 5


async def test_a_failed_sibling_does_not_stop_the_others() -> None:
    stages = ScriptedStages(found={"*": [evidence("a")]}, failures={"retrieve bad": DOWN})
    done, told = await execute(stages, QueryGraph((QueryNode("1", "good"), QueryNode("2", "bad"))))
    assert set(done.found) == {"1"}
    assert [t.reason for t in told if isinstance(t, Degraded)] == ["ENGINE_UNAVAILABLE"]


async def test_a_node_that_takes_too_long_is_degraded() -> None:
    stages = ScriptedStages(found={"*": [evidence("a")]}, delays={"extract": 2.0})
    graph = QueryGraph((QueryNode("0", "other"), *TWO_HOPS.nodes))
    _, told = await execute(stages, graph)
    reasons = [t.reason for t in told if isinstance(t, SubQuery) and t.status is SubQueryStatus.DEGRADED]
    assert reasons == ["DEADLINE_EXCEEDED", "NOTHING_FOUND"]


async def test_when_all_fail_the_first_failure_is_the_turns() -> None:
    with pytest.raises(Unavailable):
        await execute(ScriptedStages(failures={"retrieve": DOWN}), QueryGraph((QueryNode("1", "a"),)))


async def test_an_unknown_collection_ends_the_turn() -> None:
    missing = NotFound("collection", "nowhere")
    graph = QueryGraph((QueryNode("1", "good"), QueryNode("2", "bad")))
    with pytest.raises(NotFound):
        await execute(ScriptedStages(failures={"retrieve bad": missing}), graph)


async def test_a_node_searches_by_its_weighted_query() -> None:
    stages = ScriptedStages()
    query = WeightedQuery("what about its cameras?", (WeightedTerm("Viking", 0.4),))
    await execute(stages, QueryGraph((QueryNode("1", "Viking 1 cameras", query=query),)))
    assert stages.calls == [("retrieve", "what about its cameras?")]


async def test_a_node_that_needs_no_search_is_not_searched() -> None:
    stages = ScriptedStages()
    await execute(stages, QueryGraph((QueryNode("1", "compare them", need_rag=False),)))
    assert stages.count("retrieve") == 0


async def test_an_unregistered_function_is_said() -> None:
    graph = QueryGraph((QueryNode("1", "a"), QueryNode("2", "b", function_call=FunctionCall("rm"))))
    _, told = await execute(ScriptedStages(), graph)
    assert [t.reason for t in told if isinstance(t, Degraded)] == ["NOT_IMPLEMENTED"]


@given(st.data())
def test_in_any_acyclic_graph_every_node_comes_after_what_it_waits_for(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 8))
    links = [data.draw(st.sets(st.integers(0, n - 1), max_size=3)) if n else set() for n in range(size)]
    nodes = [QueryNode(str(n), "?", links=tuple(map(str, sorted(waits)))) for n, waits in enumerate(links)]
    place = {node.id: layer for layer, members in enumerate(layers(nodes)) for node in members}
    assert len(place) == size
    assert all(place[link] < place[node.id] for node in nodes for link in node.links)


@pytest.mark.parametrize("links", [("2",), ("1",), ("9",)], ids=["cycle", "itself", "dangling"])
def test_a_graph_that_cannot_be_ordered_is_refused(links: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as refused:
        layers([QueryNode("1", "a", links=links), QueryNode("2", "b", links=("1",))])
    assert refused.value.reason == "GRAPH_INVALID"
