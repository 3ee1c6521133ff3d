"""Second turns as people write them: corrections, other forms, places in a list, through the whole suite."""

from pathlib import Path

import pytest

from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2
from tests.system.door import Door, one, parley

pytestmark = pytest.mark.xdist_group("suite")

KETTLES = """# Kettles

The kettle T-9 weighs 900 grams. The kettle T-9 holds 1.7 litres.

The kettle T-12 weighs 1,250 grams. The kettle T-12 holds 2.5 litres.
"""
HOUSES = """# Guest houses

There are three guest houses:

- Haus Linde
- Haus Ahorn
- Haus Erle

A room in Haus Linde costs 45 euros a night. A room in Haus Ahorn costs 52 euros a night. A room in Haus Erle costs 61
euros a night.
"""
WEIGHT = "How much does the kettle T-9 weigh?"


@pytest.fixture(scope="module")
def kettles(door: Door, tmp_path_factory: pytest.TempPathFactory) -> Door:
    """The suite, with two kettles and three guest houses in a collection of their own."""
    folder = tmp_path_factory.mktemp("kettles")
    Path(folder / "kettles.md").write_text(KETTLES, encoding="utf-8")
    Path(folder / "houses.md").write_text(HOUSES, encoding="utf-8")
    parley(door.port, "ingest", str(folder), "--collection", "kettles")
    return door


def ask(kettles: Door, turn: str, session: str) -> list[event_pb2.Event]:
    return kettles.ask(turn, session, collection="kettles")


def text(events: list[event_pb2.Event]) -> str:
    return one(events, "text_end").text_end.text


def outcome(events: list[event_pb2.Event]) -> "session_pb2.Outcome.ValueType":
    return one(events, "completed").completed.outcome


def test_a_correction_is_searched_and_names_what_was_meant(kettles: Door) -> None:
    ask(kettles, WEIGHT, "correction")
    events = ask(kettles, "No, I meant the T-12.", "correction")
    assert one(events, "condensed").condensed.standalone == "How much does the kettle T-12 weigh?"
    assert "1,250 grams" in text(events)


def test_a_complaint_that_names_nothing_asks_what_was_meant(kettles: Door) -> None:
    ask(kettles, WEIGHT, "complaint")
    events = ask(kettles, "No, that is not what I asked.", "complaint")
    assert outcome(events) == session_pb2.OUTCOME_ASKED
    assert text(events) == "I'm sorry. What did you mean instead?"
    assert "1.7 litres" in text(ask(kettles, "how much does the T-9 hold", "complaint"))


def test_thanks_and_a_request_are_answered_and_thanks_alone_are_met(kettles: Door) -> None:
    ask(kettles, WEIGHT, "thanks")
    assert "2.5 litres" in text(ask(kettles, "Thanks. Now tell me what the T-12 holds.", "thanks"))
    assert text(ask(kettles, "Great, thank you!", "thanks")) == "You're welcome."


def test_the_latest_answer_comes_in_another_form_and_is_no_topic(kettles: Door) -> None:
    before = text(ask(kettles, WEIGHT, "form"))
    assert text(ask(kettles, "Repeat your last answer.", "form")) == before
    listed = text(ask(kettles, "as a list please", "form"))
    assert [line for line in listed.splitlines() if line.startswith("- ")]
    assert "can't be translated" in text(ask(kettles, "In German?", "form"))
    events = ask(kettles, "And the T-12?", "form")
    assert one(events, "condensed").condensed.standalone == "How much does the kettle T-12 weigh?"


def test_a_place_counts_in_what_the_answer_listed(kettles: Door) -> None:
    ask(kettles, "Which guest houses are there?", "place")
    events = ask(kettles, "How much does a room in the second one cost?", "place")
    assert one(events, "condensed").condensed.standalone == "How much does a room in Haus Ahorn cost?"
    assert "52 euros" in text(events)
