"""An answer that dates an event otherwise than the timeline contradicts it; what may both be true does not."""

import pytest

from libs.chronology.contradictions import AnswerSentence, find_contradictions
from libs.contracts.dates import Precision
from libs.contracts.timeline import DateConflict, EventSource, Timeline, TimelineEvent
from tests.unit.timeline.evidence_making import day


def event(number: int, text: str, start: str, date_text: str, document: str = "d1") -> TimelineEvent:
    source = EventSource(f"{document}:0", document, quote=text)
    return TimelineEvent(f"e{number}", text, day(start), Precision.DAY, date_text=date_text, sources=(source,))


LUNA = event(1, "Luna 9 landed on the Moon on 3 February 1966.", "1966-02-03", "3 February 1966")
ELSE = event(2, "Luna 9 landed on the Moon on 4 February 1966.", "1966-02-04", "4 February 1966", "d2")
IT = event(3, "It was launched on 31 January 1966 with a Molniya rocket.", "1966-01-31", "31 January 1966", "luna")


def found(claim: str, *events: TimelineEvent, document: str = "d9", quote: str = "", rivals: bool = False) -> list[str]:
    """The ids of events that a sentence contradicts."""
    conflicts = (DateConflict(("e1", "e2"), "Sources differ."),) if rivals else ()
    sentence = AnswerSentence(1, claim, frozenset({document}), (quote,))
    return [
        one.event_id for one in find_contradictions([sentence], Timeline(events, conflicts=conflicts), language="en")
    ]


def test_another_day_for_the_same_event_is_told_with_both_dates() -> None:
    sentence = AnswerSentence(4, "Luna 9 landed on the Moon on 5 February 1966 [2].", frozenset({"d9"}), ())
    (one,) = find_contradictions([sentence], Timeline((LUNA,)), language="en")
    assert (one.sentence, one.event_id, one.said, one.told) == (4, "e1", "5 February 1966", "3 February 1966")


@pytest.mark.parametrize(
    "sentence",
    [
        "Luna 9 landed on the Moon on 3 February 1966.",
        "Luna 9 landed on the Moon in February 1966.",
        "Luna 9 landed on the Moon in the 1960s.",
        "Luna 9 landed on the Moon.",
        "Luna 13 landed on the Moon on 24 December 1966.",
        "Luna 9 was planned to land on the Moon on 1 January 1965.",
        "Luna 9 landed on the Moon again on 5 February 1966.",
        "Luna 9 was launched on 31 January 1966.",
        "Was it on 5 February 1966 that Luna 9 landed on the Moon?",
    ],
)
def test_what_may_both_be_true_is_none(sentence: str) -> None:
    assert found(sentence, LUNA) == []


def test_an_answer_that_sides_with_one_of_two_sources_contradicts_the_other() -> None:
    assert found("Luna 9 landed on the Moon on 4 February 1966.", LUNA, ELSE, rivals=True) == ["e1"]


def test_what_the_timeline_tells_on_two_days_without_a_conflict_happened_twice() -> None:
    assert found("Luna 9 landed on the Moon on 4 February 1966.", LUNA, ELSE) == []


def test_what_the_cited_document_tells_on_both_days_happened_twice() -> None:
    sentence = "Luna 9 landed on the Moon on 5 February 1966."
    assert found(sentence, LUNA, document="d1", quote=sentence) == []


def test_a_date_that_the_cited_document_does_not_tell_contradicts_it() -> None:
    sentence = "Luna 9 landed on the Moon on 5 February 1966."
    assert found(sentence, LUNA, document="d1", quote=LUNA.text) == ["e1"]


def test_it_is_the_matter_of_the_cited_document() -> None:
    sentence = "It was launched on 1 February 1966 with a Molniya rocket."
    assert found(sentence, IT, document="luna") == ["e3"]
    assert found(sentence, IT, document="venera") == []


def test_a_carried_date_contradicts_nothing() -> None:
    event = TimelineEvent("e1", LUNA.text, day("1970"), Precision.YEAR, sources=LUNA.sources, carried=True)
    assert found(LUNA.text, event) == []
