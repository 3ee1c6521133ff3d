"""The graph of sub-queries: planners build it node by node, the executor walks it in layers; it is always acyclic."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Self

from libs.contracts.options import Scene
from libs.contracts.query import QueryGraph, QueryNode, WeightedQuery
from libs.graph.layers import Layer, invalid_graph, layers
from libs.graph.placeholders import fill_in
from libs.graph.signatures import fault_of
from libs.runtime.errors import InvalidInput

MAX_NODES: Mapping[Scene, int] = {Scene.GENERAL: 6, Scene.TIMELINE: 5}
"""The contract's maximum number of nodes."""


class PlanGraph:
    """Sub-queries and their dependencies. A change that would make the graph invalid is refused and has no effect.

    Args:
        scene: determines the maximum number of nodes; None for a graph that another has planned, of which only the
            order is checked.
        reason: why the question was split in this way.
    """

    def __init__(self, scene: Scene | None = Scene.GENERAL, reason: str = "") -> None:
        self.scene = scene
        self.reason = reason
        self._nodes: dict[str, QueryNode] = {}

    @classmethod
    def from_query_graph(cls, graph: QueryGraph) -> Self:
        """Return a copy of a graph that another has planned.

        Raises:
            InvalidInput: a duplicate id, a link to no node, a cycle (reason GRAPH_INVALID).
        """
        plan = cls(None, graph.reason)
        plan._replace_nodes(graph.nodes)
        return plan

    def to_query_graph(self) -> QueryGraph:
        """Return the graph in the form that stages exchange, nodes in order."""
        return QueryGraph(tuple(self._nodes.values()), self.reason)

    def numbered(self) -> Self:
        """Return a copy whose ids are the numbers of the nodes from 1, in order."""
        numbers = {node_id: str(number) for number, node_id in enumerate(self._nodes, start=1)}
        copy = type(self)(self.scene, self.reason)
        copy._replace_nodes(tuple(_renamed(node, numbers) for node in self._nodes.values()))
        return copy

    def add_new_node(self, node: QueryNode) -> None:
        """Add a node; the nodes it links to must exist.

        Raises:
            InvalidInput: the graph would be invalid (reason GRAPH_INVALID); the other changes raise the same.
        """
        self._replace_nodes((*self._nodes.values(), node))

    def insert_node_front(self, new_node: QueryNode, ori_val: str, words: str = "") -> None:
        """Add a node that the node `ori_val` waits for.

        Args:
            new_node: the node.
            ori_val: the node that it is put in front of.
            words: what its answer replaces in that node and in all others, which then wait for it, too.
        """
        original = self[ori_val]
        placeholder = f"#{new_node.id}"
        nodes = [
            _linked(_replaced(node, words, placeholder), new_node.id) if node is original or _has(node, words) else node
            for node in self._nodes.values()
        ]
        nodes.insert(list(self._nodes).index(original.id), new_node)
        self._replace_nodes(tuple(nodes))

    def add_arrow(self, query: str, former_val: str) -> None:
        """Make the node `query` wait for the node `former_val`; no effect if it already does."""
        waiting, former = self[query], self[former_val]
        if former.id not in waiting.links:
            linked = _linked(waiting, former.id)
            self._replace_nodes(tuple(linked if node is waiting else node for node in self._nodes.values()))

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

    def __getitem__(self, node_id: str) -> QueryNode:
        if node_id not in self._nodes:
            raise invalid_graph(f"There is no node {node_id!r}.")
        return self._nodes[node_id]

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[QueryNode]:
        return iter(self._nodes.values())

    def _replace_nodes(self, nodes: tuple[QueryNode, ...]) -> None:
        """Replace the nodes if the new ones form a valid graph."""
        layers(nodes)
        if self.scene is not None:
            _check_plan(nodes, self.scene)
        self._nodes = {node.id: node for node in nodes}


def _check_plan(nodes: Sequence[QueryNode], scene: Scene) -> None:
    """Check what a planner has to keep: the number of nodes, and the functions that they call."""
    if len(nodes) > MAX_NODES[scene]:
        limit = f"at most {MAX_NODES[scene]} for {scene.value.lower()}"
        raise invalid_graph(f"There are {len(nodes)} nodes, {limit}.")
    for node in nodes:
        if node.function_call and (fault := fault_of(node.function_call)):
            raise invalid_graph(f"The node {node.id!r} cannot be computed: {fault}.")


def _linked(node: QueryNode, former_id: str) -> QueryNode:
    return replace(node, links=(*node.links, former_id))


def _has(node: QueryNode, words: str) -> bool:
    """Whether words stand in a node's text or arguments."""
    arguments = node.function_call.arguments if node.function_call else ()
    return bool(words) and (words in node.text or words in arguments)


def _replaced(node: QueryNode, words: str, stand_in: str) -> QueryNode:
    """A node with its words replaced, in arguments only where they are the whole of one."""
    if not words:
        return node
    call = node.function_call
    if call:
        arguments = tuple(stand_in if argument == words else argument for argument in call.arguments)
        call = replace(call, arguments=arguments)
    return replace(node, text=node.text.replace(words, stand_in), function_call=call)


def _renamed(node: QueryNode, names: Mapping[str, str]) -> QueryNode:
    """A node with new ids: its own, those of its links and those of its placeholders."""
    placeholders = {old: f"#{new}" for old, new in names.items()}
    call = node.function_call
    if call:
        call = replace(call, arguments=tuple(fill_in(argument, placeholders) for argument in call.arguments))
    links = tuple(names[link] for link in node.links)
    return replace(node, id=names[node.id], text=fill_in(node.text, placeholders), function_call=call, links=links)
