from collections.abc import AsyncGenerator

import pytest

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.stages.retrieve import RetrieveResult, RetrieveStep
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import InvalidInput
from services.retrieve.search.recall import recall_graph

DIAMOND = QueryGraph(
    (
        QueryNode("last", "compare", links=("left", "right")),
        QueryNode("first", "which craft"),
        QueryNode("left", "its launch", links=("first",)),
        QueryNode("right", "its landing", links=("first",)),
    )
)
DEGRADED = Degraded(Stage.RETRIEVE, "EMBEDDER_MISSING", "Only words.")


class EchoRetriever:
    """Finds the query itself."""

    async def retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> AsyncGenerator[RetrieveStep, None]:
        yield DEGRADED
        yield RetrieveResult((Evidence(Passage(query.text, query.text, query.text)),))


async def recall(graph: QueryGraph) -> tuple[list[tuple[str, int, str]], tuple[Degraded, ...]]:
    recall_result = await recall_graph(EchoRetriever(), graph, RetrieveOptions())  # type: ignore[arg-type]
    nodes = [(node.node_id, node.layer, node.evidence[0].passage.text) for node in recall_result.nodes]
    return nodes, recall_result.degraded


async def test_nodes_are_searched_after_those_they_wait_for_and_what_degraded_is_said_once() -> None:
    nodes, degraded = await recall(DIAMOND)
    assert nodes == [
        ("first", 0, "which craft"),
        ("left", 1, "its launch"),
        ("right", 1, "its landing"),
        ("last", 2, "compare"),
    ]
    assert degraded == (DEGRADED,)


async def test_a_node_searches_by_its_own_query_and_some_need_no_search() -> None:
    graph = QueryGraph(
        (
            QueryNode("1", "its crew", query=WeightedQuery("the crew of Apollo 11")),
            QueryNode("2", "counted", need_rag=False, links=("1",)),
            QueryNode("3", "days", function_call=FunctionCall("date_difference"), links=("1",)),
        )
    )
    assert (await recall(graph))[0] == [("1", 0, "the crew of Apollo 11")]


async def test_a_graph_that_cannot_be_walked_is_refused_before_anything_is_searched() -> None:
    graph = QueryGraph((QueryNode("0", "free"), QueryNode("1", "a", links=("2",)), QueryNode("2", "b", links=("1",))))
    with pytest.raises(InvalidInput, match="1, 2 wait for each other") as error:
        await recall(graph)
    assert error.value.reason == "GRAPH_INVALID"
