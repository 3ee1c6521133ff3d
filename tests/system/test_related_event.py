"""The named event that a question is about: its date is told by the corpus, and timeline and follow-ups read it."""

import pytest

from tests.system.door import Door

pytestmark = pytest.mark.xdist_group("suite")


@pytest.mark.parametrize(
    ("question", "name", "date"),
    [
        ("What protests accompanied the Cassini launch?", "Cassini launch", (1997, 10, 15)),
        ("How many people watched the Apollo 11 landing?", "Apollo 11 landing", (1969, 7, 0)),
    ],
)
def test_the_passages_found_date_the_event(door: Door, question: str, name: str, date: tuple[int, int, int]) -> None:
    understandings = [event.understanding for event in door.ask(question) if event.HasField("understanding")]
    event = understandings[-1].related_event
    assert (event.name, (event.date.year, event.date.month, event.date.day)) == (name, date)


def test_a_follow_up_asks_what_happened_beside_it(door: Door) -> None:
    events = door.ask("How many people watched the Apollo 11 landing?")
    proposed = [question for event in events for question in event.recommendation.questions]
    assert "What else happened in July 1969?" in proposed


def test_a_timeline_is_searched_for_the_event(door: Door) -> None:
    events = door.ask("How did the Cassini launch unfold?", pro=True)
    (plan,) = [event.plan for event in events if event.plan.timeline]
    assert [node.text for node in plan.graph.nodes][1:] == ["Cassini launch"]
