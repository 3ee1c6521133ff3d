"""The graph of sub-queries: built node by node, always acyclic, traversed in layers.

A node is identified by its id or, if that is unique, by its text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Self

from libs.contracts.options import Scene
from libs.contracts.query import QueryGraph, QueryNode, WeightedQuery
from libs.graph.layers import Layer, invalid_graph, layers
from libs.graph.placeholders import named_in
from libs.graph.signatures import fault_of
from libs.runtime.errors import InvalidInput

MAX_NODES: Mapping[Scene, int] = {Scene.GENERAL: 6, Scene.TIMELINE: 5}
"""The contract's maximum number of nodes."""


class PlanGraph:
    """Sub-queries and their dependencies. A change that would make the graph invalid is refused and has no effect.

    Args:
        scene: determines the maximum number of nodes.
        reason: why the question was split in this way.
    """

    def __init__(self, scene: Scene = Scene.GENERAL, reason: str = "") -> None:
        self.scene = scene
        self.reason = reason
        self._nodes: dict[str, QueryNode] = {}

    @classmethod
    def from_query_graph(cls, graph: QueryGraph, scene: Scene = Scene.GENERAL) -> Self:
        """Return a validated copy of a graph.

        Raises:
            InvalidInput: a duplicate id, a link to no node, a cycle, too many nodes, `#id` without a link, a function
                that isn't registered or takes other arguments (reason GRAPH_INVALID).
        """
        plan = cls(scene, graph.reason)
        plan._replace_nodes(graph.nodes)
        return plan

    def to_query_graph(self) -> QueryGraph:
        """Return the graph in the form that stages exchange, nodes in order of insertion."""
        return QueryGraph(tuple(self._nodes.values()), self.reason)

    def add_new_node(self, node: QueryNode) -> None:
        """Add a node; the nodes it links to must exist.

        Raises:
            InvalidInput: the graph would be invalid (reason GRAPH_INVALID); the other changes raise the same.
        """
        self._replace_nodes((*self._nodes.values(), node))

    def insert_node_front(self, new_node: QueryNode, ori_val: str) -> None:
        """Add a node that the node `ori_val` waits for."""
        original = self._find(ori_val)
        nodes = list(self._waiting(original, new_node.id))
        nodes.insert(list(self._nodes).index(original.id), new_node)
        self._replace_nodes(tuple(nodes))

    def add_arrow(self, query: str, former_val: str) -> None:
        """Make the node `query` wait for the node `former_val`; no effect if it already does."""
        waiting, former = self._find(query), self._find(former_val)
        if former.id not in waiting.links:
            self._replace_nodes(self._waiting(waiting, former.id))

    def get_turns(self) -> tuple[Layer, ...]:
        """Return the nodes in layers, breadth first: each waits only for nodes of earlier layers."""
        return layers(tuple(self._nodes.values()))

    def get_attr(self, name: str) -> tuple[QueryNode, ...]:
        """Return the nodes whose attribute of that name is set: neither None, nor false, nor empty.

        Raises:
            InvalidInput: nodes have no such attribute.
        """
        if name not in QueryNode.__slots__:
            raise InvalidInput("name", f"Nodes have no attribute {name!r}.", "GRAPH_INVALID")
        return tuple(node for node in self._nodes.values() if getattr(node, name))

    @property
    def recall_queries(self) -> Mapping[str, WeightedQuery]:
        """The queries to search, by node id, in the order of the nodes; texts may still contain `#id`."""
        nodes = [node for node in self._nodes.values() if node.need_rag]
        return {node.id: node.query or WeightedQuery(node.text) for node in nodes}

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[QueryNode]:
        return iter(self._nodes.values())

    def _waiting(self, waiting: QueryNode, former_id: str) -> tuple[QueryNode, ...]:
        """The nodes, of which `waiting` also waits for the node `former_id`."""
        linked = replace(waiting, links=(*waiting.links, former_id))
        return tuple(linked if node is waiting else node for node in self._nodes.values())

    def _find(self, value: str) -> QueryNode:
        if value in self._nodes:
            return self._nodes[value]
        matches = [node for node in self._nodes.values() if node.text == value]
        if len(matches) != 1:
            twins = f"The text {value!r} is that of {len(matches)} nodes."
            raise invalid_graph(twins if matches else f"There is no node {value!r}.")
        return matches[0]

    def _replace_nodes(self, nodes: tuple[QueryNode, ...]) -> None:
        """Replace the nodes if the new ones form a valid graph."""
        if len(nodes) > MAX_NODES[self.scene]:
            limit = f"at most {MAX_NODES[self.scene]} for {self.scene.value.lower()}"
            raise invalid_graph(f"There are {len(nodes)} nodes, {limit}.")
        layers(nodes)
        by_id = {node.id: node for node in nodes}
        for node in nodes:
            _check_stand_ins(node, by_id)
            if node.function_call and (fault := fault_of(node.function_call)):
                raise invalid_graph(f"The node {node.id!r} cannot be computed: {fault}.")
        self._nodes = by_id


def _check_stand_ins(node: QueryNode, by_id: Mapping[str, QueryNode]) -> None:
    """Check that a node waits for every node whose answer its `#id` placeholders stand for."""
    in_text = named_in(node.text) & by_id.keys()  # "the #1 song" refers to no node
    arguments = node.function_call.arguments if node.function_call else ()
    references = in_text.union(*(named_in(argument) for argument in arguments))
    unlinked = sorted(references - set(node.links) - {node.id})
    if unlinked:
        raise invalid_graph(f"The node {node.id!r} stands for the answer of {unlinked[0]!r} without a link to it.")
