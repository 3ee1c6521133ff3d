"""What `--verbose` tells of a follow-up: the question that was searched and answered."""

from cli.ask.details import condensed, searched_by
from parley.context.v1 import query_pb2

SURE, ALL = "How long does the card take?", "How long does the card take (office)?"


def test_a_follow_up_is_understood_as_what_is_searched() -> None:
    query = query_pb2.WeightedQuery(text=SURE, turn="How long does it take?")
    record = query_pb2.DecisionRecord(raw="How long does it take?", standalone=ALL, sure_standalone=SURE, query=query)
    assert condensed(record).startswith(f"“{SURE}”")
    assert searched_by(record) == f"“{SURE}” beside “How long does it take?”"


def test_a_follow_up_without_sure_words_alone_is_understood_as_its_standalone_question() -> None:
    assert condensed(query_pb2.DecisionRecord(raw="And him?", standalone=ALL)).startswith(f"“{ALL}”")
    assert condensed(query_pb2.DecisionRecord(raw=SURE, standalone=ALL, sure_standalone=SURE)).startswith("unchanged")
