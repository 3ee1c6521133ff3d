"""The graph of sub-queries, and how a language model writes them: a text each; `=` begins one that is computed."""

import re
from collections.abc import Sequence
from typing import Final

from libs.contracts.options import Scene
from libs.contracts.query import FunctionCall, QueryGraph, QueryNode
from libs.graph.placeholders import PLACEHOLDER, named_in
from libs.graph.plan_graph import PlanGraph
from libs.graph.signatures import SIGNATURES
from libs.runtime.errors import InvalidInput
from libs.text.tokens import content_stems
from services.decompose.words.phrases import find_named

_CALL: Final = re.compile(r"(?P<function>\w+)\((?P<arguments>[^()]*)\)")


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


def nodes_of(parts: Sequence[str]) -> tuple[QueryNode, ...]:
    """The nodes of the parts, with ids numbered from 1."""
    return tuple(_node(str(number), part.strip()) for number, part in enumerate(parts, start=1))


def _node(name: str, part: str) -> QueryNode:
    if not part.startswith("="):
        return QueryNode(name, part)
    text = part[1:].strip()
    call = _CALL.fullmatch(text)
    if call is None:
        return QueryNode(name, text, need_rag=False)
    arguments = tuple(argument.strip() for argument in call["arguments"].split(",")) if call["arguments"] else ()
    return QueryNode(name, text, False, FunctionCall(call["function"], arguments))


def graph_fault(nodes: Sequence[QueryNode], question: str, scene: Scene, language: str) -> str | None:
    """Return why nodes are refused; None if they make a valid graph and name nothing that the question doesn't."""
    if reason := shape_fault(nodes, scene):
        return reason
    stems = set(content_stems(question, language))
    named = (name for node in nodes for name in find_named(PLACEHOLDER.sub(" ", node.text), language))
    new = next((name for name in named if not stems.issuperset(content_stems(name, language))), None)
    return f"the question doesn't name {new!r}" if new else None


def shape_fault(nodes: Sequence[QueryNode], scene: Scene) -> str | None:
    """Return why nodes make no graph, whatever the question is; None if they make one."""
    if empty := [node.id for node in nodes if not node.text]:
        return f"part {empty[0]} has no text"
    if not any(node.need_rag for node in nodes):
        return "nothing is searched"
    try:
        graph_of(nodes, "", scene)
    except InvalidInput as error:
        return error.violations[0].description
    return None


def shown_functions() -> str:
    """Return the registered functions for the prompt, one per line."""
    lines = []
    for name, signature in SIGNATURES.items():
        kinds = ", ".join(kind.value.lower() for kind in signature.arguments)
        lines.append(f"- {name}({kinds}{', …' if signature.repeats else ''}): {signature.meaning}")
    return "\n".join(lines)
