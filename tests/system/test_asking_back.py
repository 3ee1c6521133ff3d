"""A question that leaves open what it is about is asked back, and each option that is offered leads to an answer."""

import pytest

from bench.asking_back import POSITIONS, UNCLEAR, choices, cited_titles, pick
from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2
from tests.system.door import Door, one

pytestmark = pytest.mark.xdist_group("suite")


def outcome(events: list[event_pb2.Event]) -> str:
    return session_pb2.Outcome.Name(one(events, "completed").completed.outcome)


@pytest.mark.parametrize("question", UNCLEAR)
def test_an_unclear_question_is_asked_back_with_two_to_five_choices(door: Door, question: str) -> None:
    events = door.ask(question)
    assert outcome(events) == "OUTCOME_ASKED"
    assert 2 <= len(set(choices(events))) <= 5
    assert one(events, "understanding").understanding.question_supplement.supply_description


@pytest.mark.parametrize("question", ["When did Viking 1 land?", "What did the rover Curiosity find?"])
def test_a_clear_question_is_not_asked_back(door: Door, question: str) -> None:
    assert outcome(door.ask(question)) == "OUTCOME_ANSWERED"


@pytest.mark.parametrize("position", [0, 1])
def test_a_pick_by_its_place_or_its_words_ends_in_an_answer_that_cites_it(door: Door, position: int) -> None:
    words = choices(door.ask(UNCLEAR[0]))[position]
    assert pick(door.gateway, UNCLEAR[0], POSITIONS[position], position).is_answered
    assert pick(door.gateway, UNCLEAR[0], words, position).is_answered


def test_a_yes_takes_the_first_choice(door: Door) -> None:
    first = choices(door.ask("When did it land?", "asking-yes"))[0]
    assert first in one(door.ask("yes", "asking-yes"), "understanding").understanding.grounded_query


def test_a_new_question_after_a_question_back_is_no_pick(door: Door) -> None:
    door.ask("When did it land?", "asking-other")
    next_turn = door.ask("When was Venera 7 launched?", "asking-other")
    assert "Venera 7 on the ground of Venus" in cited_titles(next_turn)
