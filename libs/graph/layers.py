"""The order of a graph: its nodes in layers, each of which depends only on earlier layers. Pure."""

from collections import Counter
from collections.abc import Sequence

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
