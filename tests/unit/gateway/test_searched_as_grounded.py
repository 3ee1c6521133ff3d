"""What is searched after grounding: the grounded words, and after a pick nothing beside them."""

from gateway.grounding import ground_graph, ground_query
from libs.contracts.query import Decision, DecisionRecord, QueryGraph, QueryNode, WeightedQuery, WeightedTerm
from libs.contracts.understanding import Grounded, GroundedKind, Understanding

OFFERED = ("Apollo 11", "Luna 9")
HISTORY = (WeightedTerm("mission", 0.4),)


def record(raw: str) -> DecisionRecord:
    return DecisionRecord(Decision.PASS, "", raw=raw, standalone=raw, query=WeightedQuery(raw, HISTORY))


def grounded(kind: GroundedKind, phrase: str, value: str, query: str) -> Understanding:
    return Understanding(grounded_query=query, grounded=(Grounded(kind, phrase, value=value),))


def test_after_a_pick_the_merged_question_is_searched_alone() -> None:
    understood = grounded(GroundedKind.ENTITY, "the second one", "Luna 9", "When did Luna 9 land?")
    searched = ground_query(record("the second one"), understood, OFFERED)
    assert searched.query == WeightedQuery("When did Luna 9 land?")


def test_a_grounded_time_keeps_the_history_beside_it() -> None:
    understood = grounded(GroundedKind.TIME, "last year", "2025-01-01/2026-01-01", "launches in 2025")
    searched = ground_query(record("launches last year"), understood, OFFERED)
    assert searched.query == WeightedQuery("launches in 2025", HISTORY)


def test_what_was_not_grounded_is_searched_as_it_is() -> None:
    asked = record("When did Luna 9 land?")
    assert ground_query(asked, Understanding(grounded_query=asked.raw)) == asked


def test_a_plan_of_one_is_asked_and_searched_in_the_grounded_words() -> None:
    understood = grounded(GroundedKind.TIME, "last year", "2025-01-01/2026-01-01", "launches in 2025")
    searched = ground_query(record("launches last year"), understood)
    (node,) = ground_graph(QueryGraph((QueryNode("1", "launches last year"),)), understood, searched).nodes
    assert (node.text, node.query) == ("launches in 2025", searched.query)


def test_the_parts_of_a_plan_get_the_names_that_stand_for_their_phrases() -> None:
    understood = grounded(GroundedKind.ENTITY, "Viking", "Viking 1", "When did Viking 1 launch and land?")
    query = WeightedQuery("When did Viking land?", HISTORY)
    graph = QueryGraph((QueryNode("1", "When did Viking launch?"), QueryNode("2", query.text, query=query)))
    first, second = ground_graph(graph, understood, record("When did Viking launch and land?")).nodes
    assert (first.text, first.query) == ("When did Viking 1 launch?", None)
    assert second.query == WeightedQuery("When did Viking 1 land?", HISTORY)


def test_a_part_that_has_the_whole_name_already_keeps_its_words() -> None:
    understood = grounded(GroundedKind.ENTITY, "Viking", "Viking 1", "When did Viking 1 launch and land?")
    graph = QueryGraph((QueryNode("1", "When did Viking 1 launch?"), QueryNode("2", "Who built it?")))
    assert ground_graph(graph, understood, record("x")) == graph
