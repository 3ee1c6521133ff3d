"""What the documents cannot tell is said, part by part, and the rest is answered."""

import pytest

from parley.context.v1 import session_pb2
from tests.system.door import Door, one

pytestmark = pytest.mark.xdist_group("suite")


@pytest.mark.parametrize(
    ("question", "expected_text", "gaps"),
    [
        (
            "When did Phoenix land and when did the Rosetta probe reach its comet?",
            "On 25 May 2008 Phoenix landed",
            ["when did the Rosetta probe reach its comet"],
        ),
        (
            "When was Cassini launched and who won the football world cup in 1998?",
            "Cassini was launched on 15 October 1997",
            ["who won the football world cup in 1998"],
        ),
        (
            "How many days lie between the launch of Cassini and the launch of Hubble?",
            "Cassini was launched on 15 October 1997",
            [
                "when was the launch of Hubble",
                "how many days lie between the launch of Cassini and the launch of Hubble",
            ],
        ),
    ],
)
def test_the_part_that_has_no_evidence_is_named(door: Door, question: str, expected_text: str, gaps: list[str]) -> None:
    events = door.ask(question)
    end = one(events, "text_end").text_end
    assert one(events, "completed").completed.outcome == session_pb2.OUTCOME_ANSWERED
    assert expected_text in end.text
    assert list(end.gaps) == gaps
    expected_text = end.text.casefold()
    assert all(f": {gap.casefold()}." in expected_text for gap in gaps)


def test_a_question_of_which_nothing_is_found_is_not_answered(door: Door) -> None:
    question = "What is the average salary of an astronaut?"
    events = door.ask(question)
    assert one(events, "completed").completed.outcome == session_pb2.OUTCOME_ABSTAINED
    end = one(events, "text_end").text_end
    assert list(end.gaps) == [question]
    assert end.text.startswith("The documents found don't say it; nearest are:")


def test_what_may_be_no_answer_is_shown_as_the_nearest_passages(door: Door) -> None:
    events = door.ask("Is there a hotel on the Moon?")
    assert one(events, "completed").completed.outcome == session_pb2.OUTCOME_ANSWERED
    assert one(events, "text_end").text_end.text.startswith("The nearest passages:")
