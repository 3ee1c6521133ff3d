"""Expressions of time made from a grammar, at dates where calendars are hard, against a calendar of its own."""

from collections import defaultdict
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from zoneinfo import ZoneInfo

from libs.text.dates.question_times import find_time_ranges
from tests.unit.text import time_expressions as relative
from tests.unit.text import time_expressions_dated as dated
from tests.unit.text.time_expressions import Expression
from tests.unit.text.wall_calendar import Calendar

REFERENCES = (
    datetime(2024, 2, 29, 12, 0, tzinfo=ZoneInfo("Europe/Berlin")),  # a leap day
    datetime(2000, 2, 29, 9, 15, tzinfo=UTC),  # a leap day of a century
    datetime(2100, 2, 28, 23, 0, tzinfo=UTC),  # no leap year
    datetime(2024, 12, 31, 23, 59, 59, tzinfo=UTC),  # the last second of a year
    datetime(2025, 1, 1, 0, 0, tzinfo=ZoneInfo("Asia/Tokyo")),  # the first
    datetime(2023, 1, 31, 8, 0, tzinfo=ZoneInfo("America/New_York")),  # a month that the next one is shorter than
    datetime(2023, 12, 31, 18, 30, tzinfo=ZoneInfo("Asia/Kolkata")),  # a Sunday
    datetime(2024, 1, 1, 6, 0, tzinfo=ZoneInfo("Pacific/Auckland")),  # a Monday
    datetime(2019, 12, 30, 10, 0, tzinfo=UTC),  # in week 1 of 2020
    datetime(2021, 1, 3, 10, 0, tzinfo=UTC),  # in week 53 of 2020
    datetime(2024, 3, 31, 3, 30, tzinfo=ZoneInfo("Europe/Berlin")),  # Easter, clocks went forward
    datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin")),  # an hour that comes twice
    datetime(2024, 11, 3, 1, 15, tzinfo=ZoneInfo("America/New_York")),  # the first of two
    datetime(2024, 4, 26, 1, 30, tzinfo=ZoneInfo("Africa/Cairo")),  # a day without midnight
    datetime(2024, 10, 6, 2, 45, tzinfo=ZoneInfo("Australia/Lord_Howe")),  # clocks go forward by half an hour
    datetime(2026, 11, 12, 14, 30, tzinfo=ZoneInfo("America/St_Johns")),
    datetime(2024, 4, 30, 20, 0, tzinfo=ZoneInfo("America/Los_Angeles")),  # tomorrow in London
)
GRAMMAR = (
    relative.units_of_the_calendar,
    relative.stretches_up_to_now,
    relative.distances,
    relative.days_near_today,
    relative.weekdays,
    relative.months_and_seasons,
    dated.quarters_and_halves,
    dated.feasts,
    dated.absolute_dates,
    dated.bounded,
    dated.ranges,
    dated.told_by_another_time,
    dated.units_that_hold_now,
    dated.times_without_a_range,
)


@cache
def expressions() -> dict[str, list[tuple[datetime, Expression]]]:
    """Each kind at every reference date, with other numbers, months and weekdays each time."""
    by_moment: dict[str, list[tuple[datetime, Expression]]] = defaultdict(list)
    for c in (Calendar(now, seed) for seed, now in enumerate(REFERENCES)):
        for expression in chain.from_iterable(rule(c) for rule in GRAMMAR):
            by_moment[expression.kind].append((c.now, expression))
    return by_moment


def meaning(phrase: str, now: datetime) -> tuple[float | None, float | None] | str:
    """What the resolver reads in a question about the phrase, as seconds that no zone changes."""
    mentions = find_time_ranges(f"what happened {phrase}?", now, language="en")
    if len(mentions) != 1:
        return f"{len(mentions)} times: {[mention.text for mention in mentions]}"
    (mention,) = mentions
    bare = phrase.removeprefix("in ").removeprefix("on ").removeprefix("over ")
    if bare.removeprefix("the ") not in mention.text.removeprefix("in "):
        return f"only {mention.text!r}"
    time_range = mention.range
    return mention.why if time_range is None else seconds((time_range.start, time_range.end))


def seconds(stretch: tuple[datetime | None, datetime | None]) -> tuple[float | None, float | None]:
    start, end = stretch
    return start.timestamp() if start else None, end.timestamp() if end else None


def test_the_grammar_has_hundreds_of_kinds() -> None:
    assert len(expressions()) > 480


def test_every_expression_means_what_the_calendar_says() -> None:
    cases = [case for cases in expressions().values() for case in cases]
    read = [(f"{e.phrase!r} at {now}", meaning(e.phrase, now), expected_meaning(e)) for now, e in cases]
    assert [(case, actual, expected) for case, actual, expected in read if actual != expected] == []


def expected_meaning(expression: Expression) -> tuple[float | None, float | None] | str:
    return expression.expected if isinstance(expression.expected, str) else seconds(expression.expected)
