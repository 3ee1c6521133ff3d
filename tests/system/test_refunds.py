"""A conversation about refunds: what leans on it is made to stand alone, what stands alone is left byte for byte."""

import pytest

from libs.text.tokens import words
from parley.context.v1 import query_pb2
from parley.gateway.v1 import event_pb2
from tests.system.door import Door, one
from tests.system.refunds import (
    ANSWERED_BY,
    CLAUSES,
    TURNS,
    WAYS,
    converse,
    first_cited,
    ingest_clauses,
    is_answered,
)

pytestmark = pytest.mark.xdist_group("suite")

STRATEGIES = (
    query_pb2.STRATEGY_UNSPECIFIED,
    query_pb2.STRATEGY_LADDER,
    query_pb2.STRATEGY_WEIGHTED,
    query_pb2.STRATEGY_MMR,
    query_pb2.STRATEGY_MULTI_QUERY,
)
"""All but the last turn alone, and the language model's, which has a suite of its own."""
STANDALONE = (
    TURNS[0],
    "What about damaged items (refund window)?",
    "How long does that refund take to process (window, damaged)?",
)
WITHOUT_ANSWERS = (*STANDALONE[:2], "How long does that refund take to process (window)?")
"""Without the answer about damaged items, the tagger is less sure of them."""
BY_ANSWERS = (*ANSWERED_BY[:2], "window")
"""The sentences of both answers draw the last turn to the first one's clause; its own comes second."""


@pytest.fixture(scope="module")
def refunds(door: Door, tmp_path_factory: pytest.TempPathFactory) -> Door:
    """The suite, with the four clauses in a collection of their own."""
    ingest_clauses(door.port, tmp_path_factory.mktemp("refunds"))
    return door


def record(events: list[event_pb2.Event]) -> query_pb2.DecisionRecord:
    return one(events, "condensed").condensed


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_turn_is_searched_by_its_own_words_too_and_first_cites_the_clause_that_it_is_about(
    refunds: Door, strategy: query_pb2.Strategy.ValueType, way: str
) -> None:
    turns = list(converse(refunds.gateway, way, strategy=strategy))
    takes_answers = strategy == query_pb2.STRATEGY_MMR and way != "questions"
    assert tuple(map(first_cited, turns)) == (BY_ANSWERS if takes_answers else ANSWERED_BY)
    standalone = WITHOUT_ANSWERS if way == "questions" else STANDALONE
    assert tuple(record(events).standalone for events in turns) == standalone
    for turn, events in zip(TURNS, turns, strict=True):
        query = record(events).query
        texts = (query.text, *(term.term for term in query.terms))
        query_words = {word for text in texts for word in words(text, language="en")}
        assert {word for word in words(turn, language="en") if len(word) > 4} - {"about"} <= query_words


@pytest.mark.parametrize("way", WAYS)
def test_by_default_each_turn_is_answered_in_the_words_of_its_clause(refunds: Door, way: str) -> None:
    for events, clause in zip(converse(refunds.gateway, way), ANSWERED_BY, strict=True):
        assert is_answered(events)
        assert CLAUSES[clause] in one(events, "text_end").text_end.text


@pytest.mark.parametrize("way", WAYS)
def test_the_last_turn_alone_takes_damaged_items_for_the_misuse_clause(refunds: Door, way: str) -> None:
    turns = list(converse(refunds.gateway, way, strategy=query_pb2.STRATEGY_LAST_TURN))
    assert tuple(map(first_cited, turns)) == ("window", "misuse", "payment")


def test_sentences_are_chosen_with_the_suites_own_vectors(refunds: Door) -> None:
    *_, events = converse(refunds.gateway, "session", TURNS[:2], strategy=query_pb2.STRATEGY_MMR)
    texts = [text.text for text in record(events).query.texts]
    assert TURNS[0] in texts
    assert any(CLAUSES["window"] in text for text in texts)
    assert all(event.WhichOneof("event") != "degraded" for event in events)


@pytest.mark.parametrize(
    ("turns", "turn"),
    [
        (TURNS[:1], "how do I track my order?"),
        pytest.param(
            ("How do refunds get billed?", "When is my card charged?"),
            "and is there a mobile app?",
            marks=pytest.mark.xfail(reason="the tagger takes words of the same matter for it", strict=True),
        ),
    ],
)
def test_what_stands_alone_is_left_byte_for_byte(refunds: Door, turns: tuple[str, ...], turn: str) -> None:
    *_, events = converse(refunds.gateway, "session", (*turns, turn))
    decision_record = record(events)
    assert decision_record.decision in {query_pb2.DECISION_PASS, query_pb2.DECISION_SWITCH}
    assert (decision_record.standalone, decision_record.query.text) == (turn, turn)
