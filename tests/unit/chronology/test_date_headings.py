"""Headings that date what stands below them."""

import pytest

from libs.chronology.date_headings import date_of_headings
from tests.unit.timeline.evidence_making import events_of


@pytest.mark.parametrize(
    ("headings", "date", "words"),
    [
        (("1912",), "1912", ""),
        (("History", "May 1849"), "1849-05", ""),
        (("1912", "October"), "1912-10", ""),
        (("3.11.0 / 2026-04-02",), "2026-04-02", "3.11.0"),
        (("Version 1.6.0 (2024-04-20)",), "2024-04-20", "Version 1.6.0"),
        (("The landing on 20 July 1969",), "1969-07-20", "The landing on"),
        (("1912", "Crew"), "1912", ""),
        (("Landings",), None, ""),
        (("Rust 2021",), None, ""),
        (("Since 2015",), None, ""),
        (("The election of 1912",), None, ""),
        (("From 1912 to 1914",), None, ""),
        (("The 1960s",), None, ""),
        (("1912 and 1914",), None, ""),
    ],
)
def test_a_heading_tells_one_date_and_other_words(headings: tuple[str, ...], date: str | None, words: str) -> None:
    heading_date = date_of_headings(headings, language="en")
    assert (heading_date and str(heading_date.date.first), heading_date.words if heading_date else "") == (date, words)


RELEASES = """# Changes

## 1.6.0 (2024-04-20)

The old theme was removed.

- Faster search
- New option `strict`. It is off by default.

## 1.5.0 (2023-07-26)

- First release in German
"""


def test_the_items_below_a_release_happened_on_its_day_and_bear_its_name() -> None:
    rows = [(event.text, str(event.start), event.carried) for event in events_of(RELEASES)]
    assert rows == [
        ("1.6.0: The old theme was removed.", "2024-04-20", True),
        ("1.6.0: Faster search", "2024-04-20", True),
        ("1.6.0: New option strict.", "2024-04-20", True),
        ("1.5.0: First release in German", "2023-07-26", True),
    ]


def test_below_a_month_of_a_year_happens_what_is_told_there() -> None:
    (event,) = events_of("# 1912\n\n## April\n\nThe ship sank.\n\n## Crew\n\nThe captain is a tall man.")
    assert (event.text, str(event.start)) == ("The ship sank.", "1912-04")


def test_a_date_of_its_own_goes_before_that_of_the_heading() -> None:
    (event,) = events_of("# 1912\n\nThe wreck was found on 1 September 1985.")
    assert (str(event.start), event.carried) == ("1985-09-01", False)


def test_a_row_below_a_dated_heading_is_no_event_of_that_date() -> None:
    assert events_of("# 1912\n\n| Ship | Owner |\n|---|---|\n| Titanic | was built by Harland |\n") == []


def test_without_its_heading_nothing_below_it_is_dated() -> None:
    assert events_of("# Changes\n\nThe old theme was removed.\n\n- Faster search\n") == []


def test_the_next_section_counts_from_nothing_that_was_told_in_the_one_before() -> None:
    text = "# Landing\n\nIt landed on 16 July 1969.\n\n# Return\n\nThree days later it splashed down."
    assert [str(event.start) for event in events_of(text)] == ["1969-07-16"]
