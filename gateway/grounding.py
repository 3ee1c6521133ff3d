"""What goes to retrieval once times, places and names of a question are known."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.understanding import Grounded, GroundedKind, Understanding

_PUT_IN: Final = frozenset((GroundedKind.ENTITY, GroundedKind.PLACE))
"""What stands for a phrase word by word; a time is searched by its range."""


def searched_as_grounded(
    record: DecisionRecord, understanding: Understanding, offered: Sequence[str] = ()
) -> DecisionRecord:
    """The record with the grounded words as what is searched, where grounding changed them (a pick, a time, a name).

    After a pick the history says nothing more: the question that was asked back is in the grounded words, and the
    question back itself is about every option.

    Args:
        record: how the turn was made to stand alone.
        understanding: what was grounded in it.
        offered: the options of the newest turn, when that turn asked back.
    """
    grounded = understanding.grounded_query
    if not grounded or record.query is None:
        return record
    if _is_pick(record, understanding, offered):
        return replace(record, query=WeightedQuery(grounded))
    if grounded == record.standalone:
        return record
    return replace(record, query=replace(record.query, text=grounded))


def _is_pick(record: DecisionRecord, understanding: Understanding, offered: Sequence[str]) -> bool:
    """Whether the whole turn stands for something that was offered before."""
    return any(grounded.phrase == record.raw and grounded.value in offered for grounded in understanding.grounded)


def grounded_graph(graph: QueryGraph, understanding: Understanding, record: DecisionRecord) -> QueryGraph:
    """A graph that was planned from the standalone question, with the grounded words in it.

    Args:
        graph: of the standalone question.
        understanding: what was grounded in that.
        record: how it is searched, grounded.
    """
    if len(graph.nodes) == 1:
        (only,) = graph.nodes
        question = understanding.grounded_query or record.standalone
        return replace(graph, nodes=(replace(only, text=question, query=record.query),))
    return replace(graph, nodes=tuple(_grounded(node, understanding.grounded) for node in graph.nodes))


def _grounded(node: QueryNode, groundings: Sequence[Grounded]) -> QueryNode:
    text = node.text
    for grounded in groundings:
        if grounded.kind in _PUT_IN and grounded.value and grounded.value not in text:
            text = text.replace(grounded.phrase, grounded.value)
    return replace(node, text=text, query=replace(node.query, text=text) if node.query else None)
