"""A report tells a date once and goes on from it."""

import pytest

from services.timeline.extraction.events import find_events
from tests.unit.timeline.evidence_making import documents, draw_timeline, events_of, when

REPORT = (
    "A ferry sank off the coast on Thursday. Eighteen people drowned. The crew jumped into the sea. "
    "Yesterday divers reached the wreck."
)
DAY = "2023-04-11"  # a Tuesday


def test_what_follows_a_date_in_a_report_happened_on_it() -> None:
    rows = [(event.text.split()[0], when(event), event.carried) for event in events_of(REPORT, date=DAY)]
    assert rows == [
        ("A", "2023-04-06", False),
        ("Eighteen", "2023-04-06", True),
        ("The", "2023-04-06", True),
        ("Yesterday", "2023-04-10", False),
    ]


def test_a_carried_date_has_no_words_and_a_quote_all_the_same() -> None:
    event = events_of(REPORT, date=DAY)[1]
    assert (event.date_text, event.sources[0].quote) == ("", "Eighteen people drowned.")


def test_before_a_date_is_told_it_is_the_reports_own() -> None:
    (event, _) = events_of("The minister resigned. She left the city yesterday.", date=DAY)
    assert (when(event), event.carried) == (DAY, True)


def test_a_date_told_long_before_the_report_is_not_carried() -> None:
    events = events_of("In May 1990 a ferry sank here. Divers searched the bay. They met yesterday.", date=DAY)
    assert [when(event) for event in events] == ["1990-05", DAY, "2023-04-10"]


@pytest.mark.parametrize(
    "sentence",
    [
        "“We failed them,” she said.",
        "The port had closed.",
        "The port will be closed, they promised.",
        "Who closed the port?",
        "The port is near the town.",
    ],
)
def test_what_was_said_stood_before_or_is_to_come_carries_no_date(sentence: str) -> None:
    assert len(events_of(f"A ferry sank on Thursday. {sentence}", date=DAY)) == 1


def test_only_reports_of_their_own_days_carry_dates() -> None:
    assert len(events_of("Luna 9 landed on 3 February 1966. It sent pictures.", date=DAY)) == 1


def test_a_carried_date_contradicts_nothing() -> None:
    statements = find_events(
        "ferry",
        [
            *documents("The old ferry Aurora sank near Skagen on Thursday.", date=DAY),
        ],
    )
    other_statements = find_events(
        "ferry", documents("They met yesterday. The old ferry Aurora sank near Skagen.", date=DAY)
    )
    events = (*statements, *other_statements)
    timeline = draw_timeline(events, 10)
    assert not timeline.conflicts


def test_a_report_begins_with_the_latest_of_its_day() -> None:
    text = "Eleven men were charged on Thursday. Agents arrested them in the city."
    timeline = draw_timeline(find_events("timeline", documents(text, date=DAY)), 10)
    assert [event.text.split()[0] for event in timeline.events] == ["Agents", "Eleven"]
    assert [event.carried for event in timeline.events] == [True, False]
