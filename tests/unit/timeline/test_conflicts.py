"""Sources that give different dates for one event are shown, not settled in silence."""

import pytest

from libs.chronology.similarity import signatures_of
from services.timeline.conflicts import find_conflicts
from services.timeline.events import find_events
from tests.unit.timeline.evidence_making import corpus_in_passages, documents, draw_timeline, events_of


def conflicts(*texts: str) -> list[tuple[str, str]]:
    events = events_of(*texts, date="2024-01-01")
    return [
        (events[conflict.first].date_text, events[conflict.second].date_text)
        for conflict in find_conflicts(events, signatures_of([event.description for event in events], language="en"))
    ]


def test_two_documents_that_date_one_event_differently_are_in_conflict() -> None:
    assert conflicts(
        "Luna 9 landed on the Moon on 3 February 1966.", "On 4 February 1966 Luna 9 landed on the Moon."
    ) == [("3 February 1966", "4 February 1966")]


def test_the_reason_names_both_dates_and_both_documents() -> None:
    events = events_of("Luna 9 landed on 3 February 1966.", "Luna 9 landed on 4 February 1966.")
    (conflict,) = find_conflicts(events, signatures_of([event.description for event in events], language="en"))
    assert conflict.reason == "Sources differ on the date: '3 February 1966' (d1), '4 February 1966' (d2)."


@pytest.mark.parametrize(
    "texts",
    [
        ("Luna 9 landed on the Moon on 3 February 1966.", "Luna 9 landed on the Moon in 1966."),
        ("Luna 9 landed on the Moon in 1966.", "Luna 13 landed on the Moon in December 1966."),
        ("Luna 9 was launched in January 1966.", "Luna 9 was lost in February 1966."),
        (
            "The congress met in Paris in 1958.",
            "The congress met in Paris in 1958 and the congress met in Paris in 1963.",
        ),
        ("The annual congress met in Paris in 1958.", "The annual congress met in Paris in 1963."),
        (
            "Viking 1 landed on 20 July 1976.",
            "Viking 1 was planned and landed only on paper; it was to land on 4 July 1976.",
        ),
    ],
)
def test_what_may_both_be_true_is_no_conflict(texts: tuple[str, str]) -> None:
    assert conflicts(*texts) == []


def test_sentences_about_the_thing_of_their_document_are_compared_as_such() -> None:
    pathfinder = "Mars Pathfinder was cheap. It was launched on 4 December 1996 with a Delta rocket."
    phoenix = "Phoenix was cheap. It was launched on 4 August 2007 with a Delta rocket."
    sources = documents(pathfinder, phoenix)
    assert draw_timeline(find_events("timeline", sources), 10).conflicts == ()


def test_a_planted_conflict_is_found_among_the_samples_and_no_other() -> None:
    conflict_documents = documents(
        "Akatsuki was launched on 18 May 2010, universal time, from Tanegashima with an H-IIA rocket."
    )
    statements = find_events("timeline", [*corpus_in_passages(), *conflict_documents])
    timeline = draw_timeline(statements, 1000)
    (conflict,) = timeline.conflicts
    dates = {event.event_id: str(event.start) for event in timeline.events}
    assert [dates[event_id] for event_id in conflict.event_ids] == ["2010-05-18", "2010-05-20"]
