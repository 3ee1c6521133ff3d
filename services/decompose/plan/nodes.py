"""Sub-queries as a planner writes them, and the graph that they make."""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.contracts.options import Scene
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode
from libs.graph.placeholders import named_in
from libs.graph.plan_graph import PlanGraph


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """A sub-query; `#1` in its text or arguments stands for the answer of the node with that id."""

    id: str
    text: str
    search: bool = True
    function: str = ""
    arguments: tuple[str, ...] = ()


def as_one(question: str) -> QueryGraph:
    """The graph of a question that is not split."""
    return QueryGraph((QueryNode("1", question),), "it asks one thing")


def graph_of(planned_nodes: Sequence[PlannedNode], reason: str, scene: Scene) -> PlanGraph:
    """Return the graph of sub-queries.

    Raises:
        InvalidInput: it is invalid, or calls an unregistered function.
    """
    graph = PlanGraph(scene, reason)
    for node in planned_nodes:
        call = FunctionCall(node.function, node.arguments) if node.function else None
        graph.add_new_node(QueryNode(node.id, node.text.strip(), node.search and call is None, call))
    ids = frozenset(node.id for node in planned_nodes)
    for node in planned_nodes:
        in_text = named_in(node.text) & ids  # "the #1 song" refers to no node
        in_arguments = frozenset[str]().union(*map(named_in, node.arguments if node.function else ()))
        for former in sorted((in_text | in_arguments) - {node.id}):
            graph.add_arrow(node.id, former)
    return graph
