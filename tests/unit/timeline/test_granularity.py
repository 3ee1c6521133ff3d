"""The unit of a timeline fits its span."""

from collections.abc import Iterable
from datetime import date, timedelta

import pytest

from libs.contracts.timeline import Granularity
from services.timeline.extraction.events import EventCandidate
from services.timeline.granularity import choose_granularity
from tests.unit.timeline.evidence_making import events_of


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
