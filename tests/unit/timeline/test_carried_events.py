"""A report tells a date once and goes on from it."""

import pytest

from libs.text.dates.document_dates import find_dates
from services.timeline.extraction.events import find_events
from services.timeline.reading.carried_dates import dates_sentence_below, day_to_carry
from tests.unit.timeline.evidence_making import day, documents, draw_timeline, events_of, when

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


@pytest.mark.parametrize(
    ("sentence", "goes_on_on"),
    [
        ("It sank on 6 April 2023.", "2023-04-06"),
        ("It sank on 6 April 2023 and rose on 8 April 2023.", "2023-04-08"),
        ("It sank in 1990.", "2023-04-11"),
        ("It was built on 1 May 1990.", "2023-04-11"),
        ("It will sail on 1 May 2023.", "2023-04-11"),
        ('He said: "Today, 6 April 2023, is a bad day."', "2023-04-11"),
        ("It sank.", "2023-04-11"),
    ],
)
def test_it_goes_on_from_the_day_told_last_if_that_is_recent_and_its_own(sentence: str, goes_on_on: str) -> None:
    written, dates = day(DAY), find_dates(sentence, language="en")
    assert day_to_carry(written, written, sentence, dates, language="en") == day(goes_on_on)


@pytest.mark.parametrize(
    ("sentence", "opens_item", "language", "is_event"),
    [
        ("Faster search", True, "en", True),
        ("The old theme was removed.", False, "en", True),
        ("The theme is a file.", False, "en", False),
        ("Das alte Thema fiel weg.", False, "de", True),
        ("Who removed the theme?", True, "en", False),
        ("Contributors", True, "en", False),
    ],
)
def test_below_a_dated_heading_events_are_told(sentence: str, opens_item: bool, language: str, is_event: bool) -> None:
    assert dates_sentence_below(sentence, opens_item, language) is is_event
