"""A graph of sub-queries is executed in order, with answers filled in, and what fails is said."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.events.activities import Activities
from gateway.events.events import SubQuery, SubQueryStatus, TurnEvent
from gateway.graph.executor import Execution, Executor
from gateway.turn.turn_usage import TurnUsage
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode, WeightedQuery, WeightedTerm
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from libs.contracts.stages.retrieve import RetrieveResult
from libs.contracts.usage import Degraded, Stage
from libs.graph.layers import layers
from libs.graph.placeholders import fill_in
from libs.runtime.errors import InvalidInput, NotFound, Unavailable
from tests.fakes.stages import ScriptedStages, evidence

DOWN = Unavailable("ENGINE_UNAVAILABLE", "the engine is down")
TWO_HOPS = QueryGraph(
    (QueryNode("1", "which craft first orbited Mars"), QueryNode("2", "when did #1 launch", links=("1",)))
)


async def execute(
    stages: ScriptedStages, graph: QueryGraph, node_seconds: float = 30.0
) -> tuple[Execution, list[TurnEvent]]:
    events: list[TurnEvent] = []
    usage = TurnUsage(Activities())
    executor = Executor(stages.search, stages.stages(), node_seconds)
    execution = await executor.run("?", graph, RetrieveOptions(), usage, events.append)
    return execution, events


async def test_a_parents_wording_replaces_its_missing_answer_and_is_reported() -> None:
    stages = ScriptedStages(results={"*": [evidence("a")]})
    execution, events = await execute(stages, TWO_HOPS)
    assert set(execution.results) == {"1", "2"}
    assert [argument for method, argument in stages.calls if method == "retrieve"][1] == (
        "when did the craft first orbited Mars launch"
    )
    assert [(t.stage, t.reason) for t in events if isinstance(t, Degraded)] == [(Stage.ANSWER, "NOTHING_FOUND")]


async def test_a_node_with_a_query_of_its_own_is_searched_with_its_terms_and_the_answer_filled_in() -> None:
    stages, queries = ScriptedStages(extracts={"which rover landed": "Curiosity"}), list[WeightedQuery]()

    async def retrieve(query: WeightedQuery, options: RetrieveOptions) -> RetrieveResult:
        queries.append(query)
        return RetrieveResult((evidence("a"),))

    stages.on_retrieve = retrieve  # type: ignore[method-assign]
    terms = (WeightedTerm("rover", 0.4),)
    second = QueryNode("2", "when did #1 launch", links=("1",), query=WeightedQuery("when did #1 launch", terms))
    await execute(stages, QueryGraph((QueryNode("1", "which rover landed"), second)))
    assert queries == [WeightedQuery("which rover landed"), WeightedQuery("when did Curiosity launch", terms)]


async def test_a_short_answer_has_its_source() -> None:
    stages = ScriptedStages(results={"*": [evidence("a")]}, extracts={"which craft first orbited Mars": "Mariner 9"})
    execution, _ = await execute(stages, TWO_HOPS)
    source = execution.answers["1"].source
    assert source is not None
    assert (source.passage_id, source.quote) == ("a", "About a.")


DIAMOND = QueryGraph(
    (
        QueryNode("1", "which craft first orbited Mars"),
        QueryNode("2", "when did #1 launch", links=("1",)),
        QueryNode("3", "when did #1 arrive", links=("1",)),
        QueryNode("4", "days", False, FunctionCall("date_difference", ("#2", "#3", "days")), links=("2", "3")),
    )
)
MARINER = {
    "which craft first orbited Mars": "Mariner 9",
    "when did Mariner 9 launch": "30 May 1971",
    "when did Mariner 9 arrive": "14 November 1971",
}


async def test_in_a_diamond_the_last_node_computes_from_both_sides() -> None:
    stages = ScriptedStages(results={"*": [evidence("a")]}, extracts=MARINER)
    execution, events = await execute(stages, DIAMOND)
    assert execution.answers["4"].answer == "168 days"
    started_nodes = [t.node_id for t in events if isinstance(t, SubQuery) and t.status is SubQueryStatus.STARTED]
    assert started_nodes == ["1", "2", "3", "4"]
    assert stages.count("retrieve") == 3


async def test_siblings_run_concurrently() -> None:
    stages = ScriptedStages(results={"*": [evidence("a")]}, extracts=MARINER)
    both_sides = asyncio.Barrier(2)

    async def waits_for_the_other(query: WeightedQuery, options: RetrieveOptions) -> RetrieveResult:
        if query.text.startswith("when"):
            await both_sides.wait()
        return RetrieveResult((evidence("a"),))

    stages.on_retrieve = waits_for_the_other  # type: ignore[method-assign]
    execution, _ = await execute(stages, DIAMOND)
    assert execution.answers["4"].answer == "168 days"


async def test_a_node_waits_for_its_parents_only() -> None:
    stages = ScriptedStages(extracts={"quick": "fast", "slow": "late"})
    quick_child_started = asyncio.Event()

    async def retrieve(query: WeightedQuery, options: RetrieveOptions) -> RetrieveResult:
        if query.text == "after fast":
            quick_child_started.set()
        if query.text == "slow":
            await quick_child_started.wait()
        return RetrieveResult((evidence("a"),))

    stages.on_retrieve = retrieve  # type: ignore[method-assign]
    graph = QueryGraph((QueryNode("1", "slow"), QueryNode("2", "quick"), QueryNode("3", "after #2", links=("2",))))
    execution, _ = await execute(stages, graph)
    assert not execution.failures


async def test_a_failed_node_fails_its_descendants_only() -> None:
    stages = ScriptedStages(
        results={"*": [evidence("a")]}, extracts=MARINER, failures={"retrieve when did Mariner 9 launch": DOWN}
    )
    execution, events = await execute(stages, DIAMOND)
    assert {node_id: error.reason for node_id, error in execution.failures.items()} == dict.fromkeys(
        "24", "ENGINE_UNAVAILABLE"
    )
    assert set(execution.results) == {"1", "3"}
    effects = [t.effect for t in events if isinstance(t, Degraded)]
    assert effects == [
        "“when did Mariner 9 launch” could not be searched, so the answer does not cover it.",
        "“days” could not be computed: an earlier sub-query failed.",
    ]


async def test_a_function_that_cannot_be_computed_is_reported_with_its_reason() -> None:
    stages = ScriptedStages(
        results={"*": [evidence("a")]}, extracts={**MARINER, "when did Mariner 9 arrive": "in the dust"}
    )
    execution, events = await execute(stages, DIAMOND)
    assert set(execution.failures) == {"4"}
    (degraded,) = (t for t in events if isinstance(t, Degraded))
    assert (degraded.reason, degraded.stage) == ("FUNCTION_FAILED", Stage.GATEWAY)
    assert degraded.effect == "“days” could not be computed: “in the dust” is not a date."


async def test_a_function_whose_parent_found_no_answer_is_not_computed() -> None:
    stages = ScriptedStages(results={"*": [evidence("a")]}, extracts={"which craft first orbited Mars": "Mariner 9"})
    execution, _ = await execute(stages, DIAMOND)
    assert execution.failures["4"].reason == "NOTHING_FOUND"


async def test_a_node_that_needs_no_search_is_answered_from_its_parents_evidence() -> None:
    results = {"one": [evidence("a")], "two": [evidence("b")]}
    stages = ScriptedStages(results=results, extracts={"which of them is older": "Luna 9"})
    nodes = (QueryNode("1", "one"), QueryNode("2", "two"))
    last = QueryNode("3", "which of them is older", need_rag=False, links=("1", "2"))
    execution, _ = await execute(stages, QueryGraph((*nodes, last)))
    assert stages.count("retrieve") == 2
    assert {item.passage.passage_id for item in execution.results["3"].evidence} == {"a", "b"}
    assert execution.answers["3"].answer == "Luna 9"


async def test_a_node_that_takes_too_long_is_degraded() -> None:
    stages = ScriptedStages(results={"*": [evidence("a")]}, delays={"extract": 2.0})
    graph = QueryGraph((QueryNode("0", "other"), *TWO_HOPS.nodes))
    _, events = await execute(stages, graph, node_seconds=0.5)
    reasons = [t.reason for t in events if isinstance(t, SubQuery) and t.status is SubQueryStatus.DEGRADED]
    assert reasons == ["DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"]


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


async def test_a_cyclic_graph_is_refused_before_any_call() -> None:
    stages = ScriptedStages()
    graph = QueryGraph((QueryNode("0", "free"), QueryNode("1", "a", links=("2",)), QueryNode("2", "b", links=("1",))))
    with pytest.raises(InvalidInput) as error:
        await execute(stages, graph)
    assert error.value.reason == "GRAPH_INVALID"
    assert stages.calls == []


@st.composite
def graphs(draw: st.DrawFn) -> QueryGraph:
    """Up to eight nodes in any order, each waiting for some that were made before it and naming them in its text."""
    nodes: list[QueryNode] = []
    for number in range(draw(st.integers(1, 8))):
        earlier = [node.id for node in nodes]
        links = tuple(sorted(draw(st.sets(st.sampled_from(earlier), max_size=3)))) if earlier else ()
        text = " ".join([f"q{number}", *(f"#{link}" for link in links)])
        nodes.append(QueryNode(f"n{number}", text, links=links))
    return QueryGraph(tuple(draw(st.permutations(nodes))))


class AnswersByItsOwnText(ScriptedStages):
    """Extracts the first word of a question, so that it can be told what was filled in."""

    async def extract(self, request: ExtractRequest) -> ExtractResponse:
        await self._called("extract", request.question)
        return ExtractResponse(request.question.split()[0].upper())


@given(graphs(), st.data())
async def test_any_graph_runs_each_node_once_after_its_parents(graph: QueryGraph, data: st.DataObject) -> None:
    dead_nodes = data.draw(st.sets(st.sampled_from([node.id for node in graph.nodes])))
    texts = {
        node.id: fill_in(node.text, {n.id: n.text.split()[0].upper() for n in graph.nodes}) for node in graph.nodes
    }
    stages = AnswersByItsOwnText(
        results={"*": [evidence("a")]}, failures={f"retrieve {texts[node_id]}": DOWN for node_id in dead_nodes}
    )
    failed_nodes = dead_nodes | _below(graph, dead_nodes)
    if len(failed_nodes) == len(graph.nodes):
        with pytest.raises(Unavailable):
            await execute(stages, graph)
        return
    execution, events = await execute(stages, graph)
    assert set(execution.failures) == failed_nodes
    assert set(execution.results) == {node.id for node in graph.nodes} - failed_nodes
    queries = [argument for method, argument in stages.calls if method == "retrieve"]
    assert len(queries) == len(set(queries))
    assert set(queries) == {
        texts[node_id] for node_id in {*execution.results, *(dead_nodes - _below(graph, dead_nodes))}
    }
    _check_order(graph, events)


def _below(graph: QueryGraph, node_ids: set[str]) -> set[str]:
    """The nodes that wait for one of these, directly or indirectly."""
    below: set[str] = set()
    for node in (node for layer in layers(graph.nodes) for node in layer):
        if (node_ids | below).intersection(node.links):
            below.add(node.id)
    return below


def _check_order(graph: QueryGraph, events: Sequence[TurnEvent]) -> None:
    """Each node is begun after all its parents have ended, whichever way."""
    steps = [(t.node_id, t.status) for t in events if isinstance(t, SubQuery)]
    place = {step: index for index, step in enumerate(steps)}
    for node in graph.nodes:
        start = place.get((node.id, SubQueryStatus.STARTED))
        if start is not None:
            assert all(place[(link, SubQueryStatus.DONE)] < start for link in node.links)
