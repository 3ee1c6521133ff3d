"""The graph of the sub-queries that a planner writes."""

from collections.abc import Sequence

from libs.contracts.options import Scene
from libs.contracts.query import QueryGraph, QueryNode
from libs.graph.placeholders import named_in
from libs.graph.plan_graph import PlanGraph


def as_one(question: str) -> QueryGraph:
    """The graph of a question that is not split."""
    return QueryGraph((QueryNode("1", question),), "it asks one thing")


def graph_of(nodes: Sequence[QueryNode], reason: str, scene: Scene) -> PlanGraph:
    """Return the graph of nodes without links; `#1` in a text or argument links to the node with that id.

    Raises:
        InvalidInput: it is invalid, or calls an unregistered function.
    """
    graph = PlanGraph(scene, reason)
    for node in nodes:
        graph.add_new_node(node)
    ids = frozenset(node.id for node in nodes)
    for node in nodes:
        arguments = node.function_call.arguments if node.function_call else ()
        named = frozenset[str]().union(*map(named_in, (node.text, *arguments)))  # "the #1 song" refers to no node
        for former in sorted(named & ids - {node.id}):
            graph.add_arrow(node.id, former)
    return graph
