"""The part of the grammar of times that names quarters, feasts, dates, and times told by other ones."""

from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date

from tests.unit.text.time_expressions import LONG_UNITS, MONTHS, NUMBERS, ORDINALS, Expression, of_each_year
from tests.unit.text.wall_calendar import (
    DAY,
    FEASTS,
    Calendar,
    add_months,
    easter,
    month_span,
    shift,
    whole,
)


def quarters_and_halves(c: Calendar) -> Iterator[Expression]:
    number = c.seed % 4 + 1
    year = 1990 + c.seed
    latest = of_each_year(c, lambda y: month_span(y, 3 * number - 2, 3), "in")
    yield Expression("Qn", f"in Q{number}", latest)
    yield Expression("the nth quarter", f"the {ORDINALS[number - 1]} quarter", latest)
    span = c.span(*month_span(year, 3 * number - 2, 3))
    for kind, phrase in {
        "Qn Y": f"Q{number} {year}",
        "Y Qn": f"{year} Q{number}",
        "Y-Qn": f"{year}-Q{number}",
        "the nth quarter of Y": f"the {ORDINALS[number - 1]} quarter of {year}",
    }.items():
        yield Expression(kind, phrase, span)
    for word, step in (("last", -1), ("this", 0), ("next", 1)):
        of_year = c.span(*month_span(c.today.year + step, 3 * number - 2, 3))
        yield Expression(f"Qn of {word} year", f"Q{number} of {word} year", of_year)
        half = c.span(*month_span(c.today.year + step, 7, 6))
        yield Expression(f"the second half of {word} year", f"the second half of {word} year", half)
    yield Expression("H1 Y", f"H1 {year}", c.span(*month_span(year, 1, 6)))
    yield Expression("the first half of Y", f"the first half of {year}", c.span(*month_span(year, 1, 6)))
    winter = c.span(*month_span(year, 12, 3))
    yield Expression("the winter of Y/Y", f"winter of {year}/{(year + 1) % 100:02}", winter)


def feasts(c: Calendar) -> Iterator[Expression]:
    year = 1950 + 3 * c.seed
    for name, in_year in FEASTS.items():
        yield Expression(f"{name} Y", f"{name} {year}", c.span(in_year(year), in_year(year) + DAY))

        def day_of(y: int, of_year: Callable[[int], date] = in_year) -> tuple[date, date]:
            return of_year(y), of_year(y) + DAY

        yield Expression(f"last {name}", f"last {name}", of_each_year(c, day_of, "last"))
        yield Expression(f"next {name}", f"next {name}", of_each_year(c, day_of, "next"))
        start = of_each_year(c, day_of, "since")[0]
        yield Expression(f"since {name}", f"since {name}", (start, c.now) if start < c.now else "impossible")
        last_year = in_year(c.today.year - 1)
        yield Expression(f"{name} last year", f"{name} last year", c.span(last_year, last_year + DAY))


def absolute_dates(c: Calendar) -> Iterator[Expression]:
    number, year = (c.seed * 5) % 12 + 1, 1900 + 11 * c.seed
    name, day = MONTHS[number - 1], date(year, number, 19)
    last_of_month = monthrange(year, number)[1]
    one_day = c.span(day, day + DAY)
    for kind, phrase in {
        "D M Y": f"19 {name} {year}",
        "the Dth of M Y": f"19th of {name} {year}",
        "M D, Y": f"{name} 19, {year}",
        "Y-M-D": f"{day:%Y-%m-%d}",
        "D.M.Y": f"{day:%d.%m.%Y}",
        "M/D/Y": f"{day:%m/%d/%Y}",
        "m D Y": f"{name.lower()} 19 {year}",
    }.items():
        yield Expression(kind, phrase, one_day)
    month = c.span(*month_span(year, number))
    for kind, phrase in {
        "M Y": f"{name} {year}",
        "Mon Y": f"{name[:3]} {year}",
        "Y-M": f"in {day:%Y-%m}",
        "M/Y": f"{day:%m}/{year}",
    }.items():
        yield Expression(kind, phrase, month)
    end = date(year, number, last_of_month)
    yield Expression("the last day of a month", f"{last_of_month} {name} {year}", c.span(end, end + DAY))
    yield Expression("in Y", f"in {year}", c.span(date(year, 1, 1), date(year + 1, 1, 1)))
    for part, first in (("early", 1), ("mid", 5), ("late", 9)):
        yield Expression(f"{part}-Y", f"{part} {year}", c.span(*month_span(year, first, 4)))
    thirds = (date(1970, 1, 1), date(1973, 5, 1), date(1976, 9, 1), date(1980, 1, 1))
    for nth, part in enumerate(("early", "mid", "late")):
        decade = c.span(*thirds[nth : nth + 2])
        yield Expression(f"the {part} Ys", f"the {part} 1970s", decade)
        yield Expression(f"the {part} seventies", f"the {part} seventies", decade)
    yield Expression("the Ys", "the 1990s", c.span(date(1990, 1, 1), date(2000, 1, 1)))
    yield Expression("the 'Ys", "the '90s", c.span(date(1990, 1, 1), date(2000, 1, 1)))
    yield Expression("the nineties", "the nineties", c.span(date(1990, 1, 1), date(2000, 1, 1)))
    yield Expression("the nth century", "the 19th century", c.span(date(1801, 1, 1), date(1901, 1, 1)))
    yield Expression("AD Y", "AD 79", c.span(date(79, 1, 1), date(80, 1, 1)))
    week = date.fromisocalendar(2020, 5 + c.seed, 1)
    yield Expression("week N of Y", f"week {5 + c.seed} of 2020", c.span(week, week + 7 * DAY))
    yield Expression("week 53", "week 53 of 2020", c.span(date(2020, 12, 28), date(2021, 1, 4)))
    summer = c.span(date(year, 6, 1), date(year, 9, 1))
    yield Expression("S Y", f"summer {year}", summer)
    yield Expression("S of Y", f"summer of {year}", summer)


def bounded(c: Calendar) -> Iterator[Expression]:
    year = 1950 + c.seed
    last_month = whole("month", add_months(c.today, -1))
    stretches = {
        "Y": (f"{year}", date(year, 1, 1), date(year + 1, 1, 1)),
        "M Y": (f"May {year}", date(year, 5, 1), date(year, 6, 1)),
        "D M Y": (f"31 May {year}", date(year, 5, 31), date(year, 6, 1)),
        "last month": ("last month", *last_month),
        "yesterday": ("yesterday", c.today - DAY, c.today),
        "Christmas Y": (f"Christmas {year}", date(year, 12, 25), date(year, 12, 26)),
        "the Ys": ("the 1960s", date(1960, 1, 1), date(1970, 1, 1)),
        "the end of Y": (f"the end of {year}", date(year, 9, 1), date(year + 1, 1, 1)),
        "the start of Y": (f"the start of {year}", date(year, 1, 1), date(year, 5, 1)),
    }
    for kind, (phrase, first, after) in stretches.items():
        start, end = c.span(first, after)
        yield Expression(f"since {kind}", f"since {phrase}", (start, c.now) if start < c.now else "impossible")
        for word in ("before", "prior to"):
            if word == "before" or " of " not in phrase:
                yield Expression(f"{word} {kind}", f"{word} {phrase}", (None, start))
        yield Expression(f"after {kind}", f"after {phrase}", (end, None))
        for word in ("until", "by"):
            yield Expression(f"{word} {kind}", f"{word} {phrase}", (None, end))
    yield Expression("from Y on", f"from {year} on", (c.midnight(date(year, 1, 1)), None))
    yield Expression("from M Y onwards", f"from May {year} onwards", (c.midnight(date(year, 5, 1)), None))


def ranges(c: Calendar) -> Iterator[Expression]:
    year = 1960 + c.seed
    for kind, phrase, first, after in (
        ("between Y and Y", f"between {year} and {year + 5}", date(year, 1, 1), date(year + 6, 1, 1)),
        ("from Y to Y", f"from {year} to {year + 5}", date(year, 1, 1), date(year + 6, 1, 1)),
        ("Y-Y", f"{year}-{year + 5}", date(year, 1, 1), date(year + 6, 1, 1)),
        ("between M and M Y", f"between March and June {year}", date(year, 3, 1), date(year, 7, 1)),
        ("M and M Y", f"March and April {year}", date(year, 3, 1), date(year, 5, 1)),
        ("between M Y and M Y", f"between May {year} and June {year + 1}", date(year, 5, 1), date(year + 1, 7, 1)),
        ("between D and D M Y", f"between 1st and 5th May {year}", date(year, 5, 1), date(year, 5, 6)),
        ("from D M to D M Y", f"from 28 February to 2 March {year}", date(year, 2, 28), date(year, 3, 3)),
        ("between yesterday and the day before", "between the day before yesterday and yesterday",
         c.today - 2 * DAY, c.today),
        ("between decades", "between the 1950s and the 1970s", date(1950, 1, 1), date(1980, 1, 1)),
    ):  # fmt: skip
        yield Expression(kind, phrase, c.span(first, after))
    yield Expression("from backwards", f"between {year} and {year - 5}", "impossible")


def told_by_another_time(c: Calendar) -> Iterator[Expression]:
    count, year = 2 + c.seed % 3, 1996 + c.seed
    anchors = {"D M Y": (f"1 March {year}", date(year, 3, 1)), "Easter": (f"Easter {year}", easter(year))}
    for name, (phrase, day) in anchors.items():
        for unit in ("day", "week", "month", "year"):
            before, after = whole(unit, shift(day, unit, -count)), whole(unit, shift(day, unit, count))
            yield Expression(f"N {unit}s before {name}", f"{count} {unit}s before {phrase}", c.span(*before))
            yield Expression(
                f"N {unit}s after {name}", f"{NUMBERS.get(count, count)} {unit}s after {phrase}", c.span(*after)
            )
            yield Expression(
                f"the {unit} before {name}", f"the {unit} before {phrase}", c.span(shift(day, unit, -1), day)
            )
            end = shift(day + DAY, unit, 1)
            yield Expression(f"the {unit} after {name}", f"the {unit} after {phrase}", c.span(day + DAY, end))
            stretch = c.span(shift(day, unit, -count), day)
            yield Expression(f"the N {unit}s before {name}", f"the {count} {unit}s before {phrase}", stretch)
            yield Expression(f"the {unit} of {name}", f"the {unit} of {phrase}", c.span(*whole(unit, day)))
    yield Expression(
        "N years before Y", f"{count} years before {year}", c.span(*whole("year", date(year - count, 1, 1)))
    )
    yield Expression("the N years before Y", f"the {count} years before {year}",
                     c.span(date(year - count, 1, 1), date(year, 1, 1)))  # fmt: skip
    yield Expression("the N months after M Y", f"the {count} months after May {year}",
                     c.span(date(year, 6, 1), date(year, 6 + count, 1)))  # fmt: skip
    new_year, year_end = date(year, 1, 1), date(year + 1, 1, 1)
    for unit in ("day", "week", "month"):
        opening, closing = (
            c.span(new_year, shift(new_year, unit, count)),
            c.span(shift(year_end, unit, -count), year_end),
        )
        yield Expression(f"the first N {unit}s of Y", f"the first {count} {unit}s of {year}", opening)
        yield Expression(f"the last N {unit}s of Y", f"the last {count} {unit}s of {year}", closing)
        second = c.span(shift(new_year, unit, 1), shift(new_year, unit, 2))
        yield Expression(f"the second {unit} of Y", f"the second {unit} of {year}", second)


def units_that_hold_now(c: Calendar) -> Iterator[Expression]:
    for unit in LONG_UNITS:
        first, after = whole(unit, c.today)
        start, end = c.span(first, after)
        since = (start, c.now) if start < c.now else "impossible"
        yield Expression(f"since the beginning of the {unit}", f"since the beginning of the {unit}", since)
        yield Expression(f"by the end of the {unit}", f"by the end of the {unit}", (None, end))
        yield Expression(f"after the end of the {unit}", f"after the end of the {unit}", (end, None))
        yield Expression(f"{unit} to date", f"{unit} to date", (start, end))
        yield Expression(f"so far this {unit}", f"so far this {unit}", (start, end))
    for word, step in (("last", -1), ("this", 0), ("next", 1)):
        year = c.today.year + step
        yield Expression(f"early {word} year", f"early {word} year", c.span(*month_span(year, 1, 4)))
        yield Expression(f"late {word} year", f"late {word} year", c.span(*month_span(year, 9, 4)))
        yield Expression(f"the end of {word} year", f"the end of {word} year", c.span(*month_span(year, 9, 4)))


def times_without_a_range(c: Calendar) -> Iterator[Expression]:
    for phrase in (
        *("recently", "lately", "these days", "the other day", "the past few months", "several years ago"),
        *("a few days before Christmas", "some weeks ago", "in recent years", "a long time ago", "this time last year"),
        *("the next few weeks", "many years ago", "the current fiscal year"),
        *("half a year ago", "one and a half years ago", "a year and a half ago"),
        *("44 BC", "the 5th century BC", *(f"more than 2 {unit}s ago" for unit in LONG_UNITS)),
    ):
        yield Expression(f"vague: {phrase}", phrase, "vague")
    for phrase in (
        *("30 February", "31 April 2020", "29 February 2023", "2020-02-30", "31.02.2020", "week 60", "week 53 of 2021"),
        *("the 32nd of May", "between 1980 and 1970", "since next year"),
        *("since tomorrow", "the 400th day of 2020", "between 20 and 10 March"),
        *("9000 years ago", "99999 years ago", "the next 9999 years"),
    ):
        yield Expression(f"impossible: {phrase}", phrase, "impossible")
