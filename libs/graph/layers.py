"""The order of a graph: its nodes in layers, each of which depends only on earlier layers."""

from collections import Counter
from collections.abc import Mapping, Sequence

from libs.contracts.query import QueryNode
from libs.runtime.errors import InvalidInput

Layer = tuple[QueryNode, ...]


def layers(nodes: Sequence[QueryNode]) -> tuple[Layer, ...]:
    """The nodes in topological layers: each node is in the first layer after all nodes that it waits for.

    Raises:
        InvalidInput: an id occurs twice, a link leads to no node, or nodes wait for each other (reason GRAPH_INVALID).
    """
    _check(nodes)
    result: list[Layer] = []
    placed_ids: set[str] = set()
    while len(placed_ids) < len(nodes):
        layer = tuple(node for node in nodes if node.id not in placed_ids and placed_ids.issuperset(node.links))
        if not layer:
            waiting = sorted({node.id for node in nodes} - placed_ids)
            raise invalid_graph(f"The nodes {', '.join(waiting)} wait for each other.")
        result.append(layer)
        placed_ids.update(node.id for node in layer)
    return tuple(result)


def descendants(nodes: Sequence[QueryNode], node_id: str) -> frozenset[str]:
    """Ids of all nodes that wait for a node, directly or indirectly, in an acyclic graph."""
    ids: set[str] = set()
    for layer in layers(nodes):
        ids.update(node.id for node in layer if node_id in node.links or ids.intersection(node.links))
    return frozenset(ids)


def critical_path(nodes: Sequence[QueryNode], cost: Mapping[str, float]) -> float:
    """The shortest time to process an acyclic graph: the cost of its most expensive path, in the unit of `cost`."""
    ends: dict[str, float] = {}
    for layer in layers(nodes):
        for node in layer:
            ends[node.id] = cost[node.id] + max((ends[link] for link in node.links), default=0.0)
    return max(ends.values(), default=0.0)


def invalid_graph(description: str) -> InvalidInput:
    """The error for a graph that can't be processed."""
    return InvalidInput("graph", description, "GRAPH_INVALID")


def _check(nodes: Sequence[QueryNode]) -> None:
    twice = [node_id for node_id, count in Counter(node.id for node in nodes).items() if count > 1]
    if twice:
        raise invalid_graph(f"The id {twice[0]!r} occurs twice.")
    ids = {node.id for node in nodes}
    for node in nodes:
        if missing := [link for link in node.links if link not in ids]:
            raise invalid_graph(f"The node {node.id!r} links to {missing[0]!r}, which does not exist.")
