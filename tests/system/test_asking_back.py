"""A question that leaves open what it is about is asked back, and each option that is offered leads to an answer."""

from dataclasses import dataclass

import pytest

from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2
from tests.system.door import Door, last, one

pytestmark = pytest.mark.xdist_group("suite")

UNCLEAR = (
    "When did it land?",
    "What did this rover find?",
    "Where did this lander touch down?",
    "What instruments did it carry?",
    "How did the crew of that flight survive?",
)
POSITIONS = ("the first one", "the second one", "number 3", "the fourth one please", "the fifth")


@dataclass(frozen=True)
class Picked:
    """A pick as the next turn."""

    question: str
    turn: str
    choice: str
    cited: frozenset[str]
    """Titles of the documents that the answer cites."""

    @property
    def is_answered(self) -> bool:
        return self.choice in self.cited


def choices(events: list[event_pb2.Event]) -> list[str]:
    return list(one(events, "understanding").understanding.question_supplement.supply_choices)


def outcome(events: list[event_pb2.Event]) -> str:
    return session_pb2.Outcome.Name(one(events, "completed").completed.outcome)


def cited_titles(events: list[event_pb2.Event]) -> frozenset[str]:
    if outcome(events) != "OUTCOME_ANSWERED":
        return frozenset()
    passages = [reference.evidence.passage for reference in last(events, "references").references.references]
    titles = {passage.passage_id: passage.title for passage in passages}
    citations = [event.citation for event in events if event.WhichOneof("event") == "citation"]
    return frozenset(titles[span.passage_id] for citation in citations for span in citation.references)


def picks(door: Door, question: str) -> list[Picked]:
    """Each option picked by its place and by its words, in a conversation of its own."""
    outcomes = []
    for position, choice in enumerate(choices(door.ask(question))):
        for turn in (POSITIONS[position], choice):
            session = f"asking-{UNCLEAR.index(question)}-{position}-{turn == choice}"
            door.ask(question, session)
            outcomes.append(Picked(question, turn, choice, cited_titles(door.ask(turn, session))))
    return outcomes


@pytest.mark.parametrize("question", UNCLEAR)
def test_an_unclear_question_is_asked_back_with_two_to_five_choices(door: Door, question: str) -> None:
    events = door.ask(question)
    assert outcome(events) == "OUTCOME_ASKED"
    assert 2 <= len(set(choices(events))) <= 5
    assert one(events, "understanding").understanding.question_supplement.supply_description


@pytest.mark.parametrize("question", ["When did Viking 1 land?", "What did the rover Curiosity find?"])
def test_a_clear_question_is_not_asked_back(door: Door, question: str) -> None:
    assert outcome(door.ask(question)) == "OUTCOME_ANSWERED"


@pytest.mark.slow
def test_nine_of_ten_picks_end_in_an_answer_that_cites_their_topic(door: Door) -> None:
    outcomes = [pick for question in UNCLEAR for pick in picks(door, question)]
    failed = [pick for pick in outcomes if not pick.is_answered]
    assert len(outcomes) >= 4 * len(UNCLEAR)
    assert len(failed) <= 0.1 * len(outcomes), failed


def test_a_yes_takes_the_first_choice(door: Door) -> None:
    first = choices(door.ask("When did it land?", "asking-yes"))[0]
    assert first in one(door.ask("yes", "asking-yes"), "understanding").understanding.grounded_query


def test_another_question_after_a_question_back_stands_for_itself(door: Door) -> None:
    door.ask("When did it land?", "asking-other")
    answered = door.ask("When was Venera 7 launched?", "asking-other")
    assert "Venera 7 on the ground of Venus" in cited_titles(answered)
