"""Events that belong together share a label; the unit of a timeline fits its span."""

from collections.abc import Iterable
from datetime import date, timedelta

import pytest

from libs.contracts.timeline import Granularity
from services.timeline.events import EventCandidate, find_events
from services.timeline.groups import choose_granularity, group_events
from tests.unit.timeline.evidence_making import events_of, evidence, passage


def test_events_of_one_document_share_its_title_when_there_are_others() -> None:
    spirit = passage("It landed on 4 January 2004. It sank in in April 2009.", "spirit", title="Spirit")
    others = [passage(f"Probe {n} flew in 19{n}.", f"p{n}", title=f"Probe {n}") for n in (61, 62)]
    events = find_events("timeline", evidence(spirit, *others)).events
    assert group_events(events) == ["Spirit", "Spirit", "", ""]


def test_without_titles_a_name_that_some_tell_groups_them() -> None:
    events = events_of(
        "In 1970 the rover Lunokhod 1 drove.",
        "In 1971 the rover Lunokhod 1 stopped.",
        "In 1966 the lander Luna 9 came down.",
        "In 1959 the probe Luna 2 hit the Moon.",
    )
    assert group_events(events) == ["Lunokhod 1", "Lunokhod 1", "", ""]


def test_what_was_asked_for_sets_nothing_apart() -> None:
    events = events_of("In 1971 it reached Mars.", "In 1976 it saw Mars.", "In 1966 it fell.", "In 1967 it rose.")
    assert group_events(events, frozenset({"Mars"})) == ["", "", "", ""]


def test_events_of_one_day_belong_together_for_want_of_anything_else() -> None:
    events = events_of(
        "On 20 July 1969 it landed.", "On 20 July 1969 he spoke.", "In 1966 it fell.", "In 1967 it rose."
    )
    assert group_events(events) == ["1969-07-20", "1969-07-20", "", ""]


def landings(dates: Iterable[str]) -> list[EventCandidate]:
    return events_of(" ".join(f"Probe {number} landed {date}." for number, date in enumerate(dates, start=1)))


def days(first: str, step: int, count: int) -> list[str]:
    start = date.fromisoformat(first)
    return [f"on {start + timedelta(days=step * number)}" for number in range(count)]


@pytest.mark.parametrize(
    ("dates", "granularity"),
    [
        (days("1976-07-20", 270, 40), Granularity.YEAR),
        (days("2021-02-18", 1, 2), Granularity.DAY),
        (days("2021-02-01", 9, 12), Granularity.WEEK),
        (days("2020-01-05", 90, 8), Granularity.MONTH),
        (days("2015-01-05", 20, 80), Granularity.MONTH),
        (["in 1969", "in 1970"], Granularity.YEAR),
        (["in July 1969", "in August 1969"], Granularity.MONTH),
        (["in summer 1962", "in autumn 1962", "in winter 1962"], Granularity.SEASON),
    ],
)
def test_the_unit_follows_span_density_and_what_is_told(dates: list[str], granularity: Granularity) -> None:
    events = landings(dates)
    assert len(events) == len(dates)
    assert choose_granularity(events) is granularity


def test_a_long_lasting_event_does_not_stretch_the_unit() -> None:
    assert (
        choose_granularity(landings([*days("2004-01-04", 1, 5), "from 4 January 2004 to 22 March 2010"]))
        is Granularity.DAY
    )


def test_an_empty_timeline_is_told_in_years() -> None:
    assert choose_granularity([]) is Granularity.YEAR
