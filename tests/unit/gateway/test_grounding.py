"""What is searched after grounding: the grounded words, and after a pick nothing beside them."""

from gateway.graph.grounding import ground_graph, ground_query
from libs.contracts.query import Decision, DecisionRecord, QueryGraph, QueryNode, WeightedQuery, WeightedTerm
from libs.contracts.understanding import Grounded, GroundedKind, Understanding

OFFERED = ("Apollo 11", "Luna 9")
HISTORY = (WeightedTerm("mission", 0.4),)


def record(raw: str) -> DecisionRecord:
    return DecisionRecord(Decision.PASS, "", raw=raw, standalone=raw, query=WeightedQuery(raw, HISTORY))


def grounded(kind: GroundedKind, phrase: str, value: str, query: str) -> Understanding:
    return Understanding(grounded_query=query, grounded=(Grounded(kind, phrase, value=value),))


def test_after_a_pick_the_history_is_not_searched() -> None:
    understanding = grounded(GroundedKind.ENTITY, "the second one", "Luna 9", "When did Luna 9 land?")
    grounded_record = ground_query(record("the second one"), understanding, OFFERED)
    assert grounded_record.query == WeightedQuery("When did Luna 9 land?")


def test_a_grounded_time_keeps_the_history() -> None:
    understanding = grounded(GroundedKind.TIME, "last year", "2025-01-01/2026-01-01", "launches in 2025")
    grounded_record = ground_query(record("launches last year"), understanding, OFFERED)
    assert grounded_record.query == WeightedQuery("launches in 2025", HISTORY)


def test_a_question_without_groundings_is_unchanged() -> None:
    condensed_record = record("When did Luna 9 land?")
    assert ground_query(condensed_record, Understanding(grounded_query=condensed_record.raw)) == condensed_record


def test_a_single_node_gets_the_grounded_wording() -> None:
    understanding = grounded(GroundedKind.TIME, "last year", "2025-01-01/2026-01-01", "launches in 2025")
    grounded_record = ground_query(record("launches last year"), understanding)
    (node,) = ground_graph(QueryGraph((QueryNode("1", "launches last year"),)), understanding, grounded_record).nodes
    assert (node.text, node.query) == ("launches in 2025", grounded_record.query)


def test_sub_queries_get_the_grounded_names() -> None:
    understanding = grounded(GroundedKind.ENTITY, "Viking", "Viking 1", "When did Viking 1 launch and land?")
    query = WeightedQuery("When did Viking land?", HISTORY)
    graph = QueryGraph((QueryNode("1", "When did Viking launch?"), QueryNode("2", query.text, query=query)))
    first, second = ground_graph(graph, understanding, record("When did Viking launch and land?")).nodes
    assert (first.text, first.query) == ("When did Viking 1 launch?", None)
    assert second.query == WeightedQuery("When did Viking 1 land?", HISTORY)


def test_a_sub_query_with_the_whole_name_is_unchanged() -> None:
    understanding = grounded(GroundedKind.ENTITY, "Viking", "Viking 1", "When did Viking 1 launch and land?")
    graph = QueryGraph((QueryNode("1", "When did Viking 1 launch?"), QueryNode("2", "Who built it?")))
    assert ground_graph(graph, understanding, record("x")) == graph
