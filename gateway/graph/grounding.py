"""Applies the grounded times, places and names of a question to its search query and graph.

Pure functions. A phrase is grounded once its meaning is known: `last year` is a range of days, `the capital` a city.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.query import DecisionRecord, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.understanding import Grounded, GroundedKind, Understanding

_REPLACED_KINDS: Final = frozenset((GroundedKind.ENTITY, GroundedKind.PLACE))
"""Kinds whose value replaces the phrase in sub-queries; a time is searched by its range."""


def ground_query(record: DecisionRecord, understanding: Understanding, choices: Sequence[str] = ()) -> DecisionRecord:
    """Return the record with the grounded wording as its query, if it was grounded (a choice, a time, a name).

    After a choice the history is not searched: the grounded wording already contains the original question, and the
    clarifying question mentions every option.

    Args:
        record: the condensed turn.
        understanding: what was grounded in it.
        choices: the choices of the newest turn, if that turn asked back.
    """
    grounded = understanding.grounded_query
    if not grounded or record.query is None:
        return record
    whole = [grounding.value for grounding in understanding.grounded if grounding.phrase == record.raw]
    if any(choice in value for value in whole for choice in choices):
        return replace(record, query=WeightedQuery(grounded))
    if grounded == record.question and understanding.time_range is None:
        return record
    return replace(record, query=replace(record.query, text=grounded))


def ground_graph(graph: QueryGraph, understanding: Understanding, record: DecisionRecord) -> QueryGraph:
    """Return the graph of the standalone question with the grounded wording filled in.

    Args:
        graph: the graph of the standalone question.
        understanding: what was grounded in the question.
        record: the grounded record.
    """
    if len(graph.nodes) == 1:
        (only,) = graph.nodes
        question = understanding.grounded_query or record.question
        return replace(graph, nodes=(replace(only, text=question, query=record.query),))
    return replace(graph, nodes=tuple(_ground_node(node, understanding.grounded) for node in graph.nodes))


def _ground_node(node: QueryNode, groundings: Sequence[Grounded]) -> QueryNode:
    text = node.text
    for grounding in groundings:
        if grounding.kind in _REPLACED_KINDS and grounding.value and grounding.value not in text:
            text = text.replace(grounding.phrase, grounding.value)
    return replace(node, text=text, query=replace(node.query, text=text) if node.query else None)
