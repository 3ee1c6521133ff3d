"""A grammar of expressions of time, each with what the calendar says that it means."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from tests.unit.text.wall_calendar import (
    DAY,
    Calendar,
    month_span,
    shift,
    whole,
)

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
NUMBERS = {2: "two", 3: "three", 5: "five", 10: "ten", 21: "twenty-one"}
ORDINALS = ("first", "second", "third", "fourth", "fifth")
LONG_UNITS = ("week", "month", "quarter", "year", "decade")


@dataclass(frozen=True)
class Expression:
    """A phrase, the kind of phrase it is, and its range, or why it has none."""

    kind: str
    phrase: str
    expected: tuple[datetime | None, datetime | None] | str


def units_of_the_calendar(c: Calendar) -> Iterator[Expression]:
    for word, step in (("last", -1), ("this", 0), ("next", 1), ("the previous", -1), ("the current", 0)):
        for unit in (*LONG_UNITS, "weekend", "century"):
            yield Expression(f"{word} {unit}", f"{word} {unit}", c.span(*whole(unit, shift(c.today, unit, step))))
    for unit in LONG_UNITS:
        before, after = whole(unit, shift(c.today, unit, -2)), whole(unit, shift(c.today, unit, 2))
        yield Expression(f"{unit} before last", f"the {unit} before last", c.span(*before))
        yield Expression(f"{unit} after next", f"the {unit} after next", c.span(*after))


def stretches_up_to_now(c: Calendar) -> Iterator[Expression]:
    count = int(str(c.pick(tuple(NUMBERS))))
    for unit in ("minute", "hour", "day", "week", "fortnight", "month", "quarter", "year", "decade"):
        past, ahead = (c.moved(unit, -count), c.now), (c.now, c.moved(unit, count))
        yield Expression(f"the past N {unit}s", f"the past {NUMBERS[count]} {unit}s", past)
        yield Expression(f"the last N {unit}s", f"the last {count} {unit}s", past)
        yield Expression(f"the next N {unit}s", f"the next {count} {unit}s", ahead)
    for unit in LONG_UNITS:
        yield Expression(f"the past {unit}", f"the past {unit}", (c.moved(unit, -1), c.now))
        yield Expression(f"less than N {unit}s ago", f"less than {count} {unit}s ago", (c.moved(unit, -count), c.now))
    yield Expression("a couple of weeks", "the last couple of weeks", (c.moved("week", -2), c.now))


def distances(c: Calendar) -> Iterator[Expression]:
    count = int(str(c.pick(tuple(NUMBERS), 3)))
    for unit in ("day", "week", "month", "quarter", "year"):
        there = shift(c.today, unit, -count)
        yield Expression(f"N {unit}s ago", f"{NUMBERS[count]} {unit}s ago", c.span(*whole(unit, there)))
        ahead = whole(unit, shift(c.today, unit, count))
        yield Expression(f"N {unit}s from now", f"{count} {unit}s from now", c.span(*ahead))
        yield Expression(f"in N {unit}s' time", f"in {count} {unit}s' time", c.span(*ahead))
    for phrase, unit, years in (("a decade ago", "decade", 10), ("two centuries ago", "century", 200)):
        yield Expression(phrase, phrase, c.span(*whole(unit, shift(c.today, "year", -years))))
    day = c.moved("hour", -1).date()
    yield Expression("an hour ago", "an hour ago", c.span(day, day + DAY))


def days_near_today(c: Calendar) -> Iterator[Expression]:
    names = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "the day after tomorrow": 2}
    names |= {"tonight": 0, "last night": -1, "tomorrow night": 1, "the night before last": -2, "last evening": -1}
    names |= {"today so far": 0, "this morning": 0, "yesterday afternoon": -1, "tomorrow evening": 1}
    for phrase, offset in names.items():
        yield Expression(phrase, phrase, c.span(c.today + offset * DAY, c.today + (offset + 1) * DAY))


def weekdays(c: Calendar) -> Iterator[Expression]:
    weekday = (c.seed * 3) % 7
    name = WEEKDAYS[weekday]
    past = [c.today - n * DAY for n in range(1, 30) if (c.today - n * DAY).weekday() == weekday]
    ahead = next(c.today + n * DAY for n in range(1, 8) if (c.today + n * DAY).weekday() == weekday)
    monday = c.today - c.today.weekday() * DAY
    latest = c.today if c.today.weekday() == weekday else past[0]
    expressions = {
        "last W": (f"last {name}", past[0]),
        "last W in short": (f"last {name[:3]}", past[0]),
        "next W": (f"next {name}", ahead),
        "this W": (f"this {name}", monday + weekday * DAY),
        "on W": (f"on {name}", latest),
        "W last week": (f"{name} last week", monday + (weekday - 7) * DAY),
        "W of this week": (f"{name} of this week", monday + weekday * DAY),
        "W next week": (f"{name} next week", monday + (weekday + 7) * DAY),
        "N Ws ago": (f"three {name}s ago", past[2]),
        "the W before last": (f"the {name} before last", past[1]),
        "W N weeks ago": (f"{name} two weeks ago", monday + (weekday - 14) * DAY),
        "N weeks ago on W": (f"two weeks ago on {name}", monday + (weekday - 14) * DAY),
    }
    for kind, (phrase, day) in expressions.items():
        yield Expression(kind, phrase, c.span(day, day + DAY))


def of_each_year(c: Calendar, in_year: Callable[[int], tuple[date, date]], word: str) -> tuple[datetime, datetime]:
    """The stretch of each year that is over (last), begins next, is this year's, or has begun (a bare name)."""
    spans = [c.span(*in_year(c.today.year + offset)) for offset in (-2, -1, 0, 1, 2)]
    if word == "this":
        return spans[2]
    if word == "next":
        return next(span for span in spans if span[0] > c.now)
    limit = 1 if word == "last" else 0
    return [span for span in spans if span[limit] <= c.now][-1]


def months_and_seasons(c: Calendar) -> Iterator[Expression]:
    number = (c.seed * 5) % 12 + 1
    name = MONTHS[number - 1]
    season, first = list(SEASONS.items())[c.seed % 4]
    for word in ("last", "this", "next", "in"):
        yield Expression(f"{word} M", f"{word} {name}", of_each_year(c, lambda y: month_span(y, number), word))
        yield Expression(f"{word} S", f"{word} {season}", of_each_year(c, lambda y: month_span(y, first, 3), word))
    for word, step in (("last", -1), ("this", 0), ("next", 1)):
        year = c.today.year + step
        yield Expression(f"M {word} year", f"{name} {word} year", c.span(*month_span(year, number)))
        yield Expression(f"S of {word} year", f"{season} of {word} year", c.span(*month_span(year, first, 3)))
        day = date(year, number, 5)
        yield Expression(f"D M {word} year", f"5 {name} {word} year", c.span(day, day + DAY))
    start, end = (moment.date() for moment in of_each_year(c, lambda y: month_span(y, number), "in"))
    third = (end - start).days // 3 * DAY
    parts = {
        "early M": (f"early {name}", start, start + third),
        "mid-M": (f"mid-{name}", start + third, start + 2 * third),
        "mid M": (f"mid {name}", start + third, start + 2 * third),
        "late M": (f"late {name}", start + 2 * third, end),
        "the beginning of M": (f"the beginning of {name}", start, start + third),
        "the middle of M": (f"the middle of {name}", start + third, start + 2 * third),
        "the end of M": (f"the end of {name}", start + 2 * third, end),
        "the first week of M": (f"the first week of {name}", start, start + 7 * DAY),
        "the last day of M": (f"the last day of {name}", end - DAY, end),
    }
    for kind, (phrase, first_day, after) in parts.items():
        yield Expression(kind, phrase, c.span(first_day, after))
    latest = of_each_year(c, lambda y: (date(y, number, 17), date(y, number, 18)), "on")
    yield Expression("D M", f"17 {name}", latest)
    yield Expression("M Dth", f"{name} 17th", latest)
    yield Expression("the Dth of M", f"the 17th of {name}", latest)
    few = of_each_year(c, lambda y: (date(y, number, 10), date(y, number, 21)), "on")
    yield Expression("between D and D M", f"between 10 and 20 {name}", few)
    yield Expression("from D to D M", f"from 10 to 20 {name}", few)
