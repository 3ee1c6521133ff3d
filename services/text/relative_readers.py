"""How each kind of phrase in `services.text.relative_patterns` is read.

A reader gives the exact range, None for what has no exact meaning, and raises ValueError or OverflowError for what the
calendar doesn't have.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from services.text.calendar_words import ORDINALS, SEASONS, month_number, weekday_number
from services.text.feasts import FEASTS
from services.text.number_words import small_number
from services.text.time_stretches import day, days, months, part_of_day, shifted, unit_around, years
from services.vocabulary.dates import TimeRange

_STEPS = {"last": -1, "previous": -1, "this past": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
NEAR_DAYS = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
}
_DAY_OFFSETS = {"this": 0, "yesterday": -1, "last": -1, "tomorrow": 1}
_HALVES = {
    "hour": ("minute", 30),
    "day": ("hour", 12),
    "year": ("month", 6),
    "decade": ("year", 5),
    "century": ("year", 50),
    "centurie": ("year", 50),
}
"""What half a unit is."""
DECADES = {
    "twenties": 1920,
    "thirties": 1930,
    "forties": 1940,
    "fifties": 1950,
    "sixties": 1960,
    "seventies": 1970,
    "eighties": 1980,
    "nineties": 1990,
}


def _words(phrase: str) -> str:
    return " ".join(phrase.lower().replace("’", "'").split())


def _number(word: str) -> int:
    """A day of a month: `5`, `5th`."""
    return int(re.sub(r"\D", "", word))


def _step(match: re.Match[str]) -> int:
    return _STEPS[_words(match["which"]).removeprefix("the ")]


def _step_if_told(match: re.Match[str]) -> int | None:
    return _step(match) if match["which"] else None


def read_near_day(match: re.Match[str], now: datetime) -> TimeRange:
    """Yesterday, today, the day after tomorrow."""
    return day(now, now.date() + timedelta(days=NEAR_DAYS[_words(match[0])]))


def read_part_of_day(match: re.Match[str], now: datetime) -> TimeRange:
    """A part of the day near today; `last night` is yesterday's."""
    if match["before"]:
        return part_of_day(now, now.date() - timedelta(days=2), "night")
    if match["tonight"]:
        return part_of_day(now, now.date(), "night")
    offset = timedelta(days=_DAY_OFFSETS[match["day"].lower()])
    return part_of_day(now, now.date() + offset, match["part"].lower())


def read_unit(match: re.Match[str], now: datetime) -> TimeRange:
    """The whole unit before this one, this one, or the one after."""
    unit = match["unit"].lower()
    return unit_around(now, shifted(now, unit, _step(match)).date(), unit)


def read_unit_but_one(match: re.Match[str], now: datetime) -> TimeRange:
    """The week before last, the year after next."""
    unit, steps = match["unit"].lower(), -2 if match["way"].lower().startswith("before") else 2
    return unit_around(now, shifted(now, unit, steps).date(), unit)


def read_unit_of_now(match: re.Match[str], now: datetime) -> TimeRange:
    """The year that now lies in."""
    return unit_around(now, now.date(), match["unit"].lower())


def read_latest_weekend(match: re.Match[str], now: datetime) -> TimeRange:
    """The latest weekend that has begun."""
    return unit_around(now, now.date() - timedelta(days=(now.weekday() - 5) % 7), "weekend")


def read_to_date(match: re.Match[str], now: datetime) -> TimeRange:
    """From the beginning of this unit until now."""
    unit = (match["unit"] or match["unit_before"] or match["unit_to"]).lower()
    return TimeRange(unit_around(now, now.date(), unit).start, now)


def _count(match: re.Match[str]) -> int | None:
    """The number of units; None for `a few` and the like, and for no number at all."""
    words = _words(match["count"] or "a")
    return 2 if words.endswith("couple of") else small_number(words)


def read_rolling_past(match: re.Match[str], now: datetime) -> TimeRange | None:
    """So many units that end now."""
    count = _count(match)
    return TimeRange(shifted(now, match["unit"].lower(), -count), now) if count else None


def read_rolling_future(match: re.Match[str], now: datetime) -> TimeRange | None:
    """So many units that begin now."""
    count = _count(match)
    return TimeRange(now, shifted(now, match["unit"].lower(), count)) if count else None


def read_distance(match: re.Match[str], now: datetime) -> TimeRange | None:
    """The whole unit that lies so far away; a decade away is told as a year."""
    count, unit = _count(match), match["unit"].lower()
    if count is None:
        return None
    moment = shifted(now, unit, -count if match["way"].lower() == "ago" else count)
    if unit in ("second", "minute", "hour"):
        start = moment.replace(minute=0, second=0, microsecond=0)
        return TimeRange(start, shifted(start, "hour", 1))
    return unit_around(now, moment.date(), "year" if unit in ("decade", "century", "centurie") else unit)


def _halves(match: re.Match[str], whole: int) -> tuple[str, int]:
    """`whole` units and a half, in the unit that a half is counted in."""
    unit, count = _HALVES[match["halved"].lower()]
    return unit, (2 * whole + 1) * count


def read_half_units_past(match: re.Match[str], now: datetime) -> TimeRange:
    """The past half year: six months that end now."""
    unit, count = _halves(match, 0)
    return TimeRange(shifted(now, unit, -count), now)


def read_half_units_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Half a year ago: the whole month that lies six months back."""
    whole = _count(match) if "count" in match.re.groupindex else 0
    if whole is None:
        return None
    unit, count = _halves(match, whole)
    moment = shifted(now, unit, -count)
    if unit in ("minute", "hour"):
        start = moment.replace(minute=0, second=0, microsecond=0)
        return TimeRange(start, shifted(start, "hour", 1))
    return unit_around(now, moment.date(), unit)


def read_days_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """A year ago today: that day."""
    count = _count(match)
    if count is None:
        return None
    counted_from = now - timedelta(days=match["from"].lower() == "yesterday")
    return day(now, shifted(counted_from, match["unit"].lower(), -count).date())


def read_weekdays_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Two Mondays ago: the second latest before today."""
    count = _count(match)
    return _weekday_before(match, now, count) if count else None


def read_weekday_but_one(match: re.Match[str], now: datetime) -> TimeRange:
    """The Friday before last."""
    return _weekday_before(match, now, 2)


def _weekday_before(match: re.Match[str], now: datetime, count: int) -> TimeRange:
    back = (now.weekday() - weekday_number(match["weekday"])) % 7 or 7
    return day(now, now.date() - timedelta(days=back + 7 * (count - 1)))


def read_beyond(match: re.Match[str], now: datetime) -> TimeRange | None:
    """All that lies further back."""
    count = _count(match)
    return TimeRange(None, shifted(now, match["unit"].lower(), -count)) if count else None


def read_weekday(match: re.Match[str], now: datetime) -> TimeRange:
    """The latest before today, that of this week, the first after today, or the latest not in the future."""
    today, wanted = now.date(), weekday_number(match["weekday"])
    back = (today.weekday() - wanted) % 7
    which = _step_if_told(match)
    if which == 0:
        return day(now, today + timedelta(days=wanted - today.weekday()))
    if which == 1:
        return day(now, today + timedelta(days=7 - back))
    return day(now, today - timedelta(days=(back or 7) if which else back))


def read_weekday_of_week(match: re.Match[str], now: datetime) -> TimeRange:
    """A day of the last, this or the next week."""
    monday = now.date() - timedelta(days=now.weekday()) + timedelta(weeks=_step(match))
    return day(now, monday + timedelta(days=weekday_number(match["weekday"])))


def read_weekday_of_week_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Monday two weeks ago: that of the week that lies two weeks back."""
    count = _count(match)
    if count is None:
        return None
    monday = now.date() - timedelta(days=now.weekday(), weeks=count)
    return day(now, monday + timedelta(days=weekday_number(match["weekday"])))


def read_weeks_from_weekday(match: re.Match[str], now: datetime) -> TimeRange | None:
    """A week from Friday: so many weeks after the first Friday from today on."""
    count = _count(match)
    if count is None:
        return None
    ahead = (weekday_number(match["weekday"]) - now.weekday()) % 7
    return day(now, now.date() + timedelta(days=ahead, weeks=count))


def _latest_begun(now: datetime, in_year: Callable[[int], TimeRange], which: int | None) -> TimeRange:
    """Of a stretch that each year has: this year's (0), the next (1), the last over (-1), else the last begun."""
    if which == 0:
        return in_year(now.year)
    candidates = list(_in_years_around(now.year, in_year))
    if which == 1:
        fitting = [stretch for stretch in candidates if stretch.start and stretch.start > now][:1]
    else:
        limits = [(stretch.end if which else stretch.start, stretch) for stretch in candidates]
        fitting = [stretch for limit, stretch in limits if limit and limit <= now]
    if not fitting:
        raise ValueError("outside the calendar")
    return fitting[-1]


def _in_years_around(year: int, in_year: Callable[[int], TimeRange]) -> Iterator[TimeRange]:
    """Eight years to either side: 29 February may be that far away; years that lack the stretch are left out."""
    for candidate in range(year - 8, year + 9):
        with suppress(ValueError):
            yield in_year(candidate)


def read_month(match: re.Match[str], now: datetime) -> TimeRange:
    """A month without its year."""
    month = month_number(match["month"])
    return _latest_begun(now, lambda year: months(now, year, month), _step_if_told(match))


def read_month_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """A month of the last, this or the next year."""
    return months(now, now.year + _step(match), month_number(match["month"]))


def read_season(match: re.Match[str], now: datetime) -> TimeRange:
    """A season without its year."""
    month = SEASONS[match["season"].lower()]
    return _latest_begun(now, lambda year: months(now, year, month, 3), _step_if_told(match))


def read_day_of_month(match: re.Match[str], now: datetime) -> TimeRange:
    """A day without its year: the latest that has begun."""
    month, number = month_number(match["month"]), _number(match["day"])
    date(2000, month, number)  # a day that no year has is refused here, 29 February is not
    return _latest_begun(now, lambda year: day(now, date(year, month, number)), None)


def read_named_day(match: re.Match[str], now: datetime) -> TimeRange:
    """A day with its year."""
    return day(now, date(int(match["year"]), month_number(match["month"]), _number(match["day"])))


def read_day_of_relative_year(match: re.Match[str], now: datetime) -> TimeRange:
    """A day of the last, this or the next year."""
    return day(now, date(now.year + _step(match), month_number(match["month"]), _number(match["day"])))


def read_season_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """A season of the last, this or the next year."""
    return months(now, now.year + _step(match), SEASONS[match["season"].lower()], 3)


def read_winter(match: re.Match[str], now: datetime) -> TimeRange:
    """The winter of 2019/20."""
    year, tail = int(match["year"]), int(match["tail"])
    if (year + 1) % (100 if tail < 100 else 10000) != tail:
        raise ValueError("no winter")
    return months(now, year, 12, 3)


def read_day_of_this_month(match: re.Match[str], now: datetime) -> TimeRange:
    """The latest 5th of a month that is not in the future."""
    number = int(match["day"])
    if not 1 <= number <= 31:
        raise ValueError("no day of a month")
    step = relativedelta(months=1)
    candidates = [(now.replace(day=1) - count * step).date() for count in range(12)]
    found = (first.replace(day=number) for first in candidates if number <= monthrange(first.year, first.month)[1])
    return day(now, next(moment for moment in found if moment <= now.date()))


def read_days_of_month(match: re.Match[str], now: datetime) -> TimeRange:
    """Between 10 and 20 March: the latest that have begun."""
    month, first, last = month_number(match["month"]), _number(match["day"] or match["first"]), _number(match["last"])
    if first > last:
        raise ValueError("it runs backwards")
    date(2000, month, last)
    return _latest_begun(
        now, lambda year: days(now, date(year, month, first), date(year, month, last) + timedelta(days=1)), None
    )


def read_months_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """May and June 2020."""
    first, last = month_number(match["month"]), month_number(match["last"])
    return months(now, int(match["year"]), first, last - first + 1)


def read_quarter_after_year(match: re.Match[str], now: datetime) -> TimeRange:
    """2022 Q3."""
    return months(now, int(match["year"]), 3 * int(match["digit"]) - 2, 3)


def read_numeric_month(match: re.Match[str], now: datetime) -> TimeRange:
    """03/2021."""
    return months(now, int(match["year"]), int(match["digits"]))


def read_numeric_day(match: re.Match[str], now: datetime) -> TimeRange:
    """2021-03-05 and 05.03.2021; for `31/02/2020`, which is no day in either order."""
    number, month = int(match["day"]), int(match["digits"])
    return day(now, date(int(match["year"]), *((month, number) if month <= 12 else (number, month))))


def read_early_year(match: re.Match[str], now: datetime) -> TimeRange:
    """AD 79."""
    return years(now, int(match["early"] or match["early_after"]))


def outside(match: re.Match[str], now: datetime) -> None:
    """Before our era: no range can hold it."""
    raise OverflowError("before the year 1")


def read_feast_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Easter last year."""
    return day(now, FEASTS[_words(match["feast"])](now.year + _step(match)))


def read_quarter(match: re.Match[str], now: datetime) -> TimeRange:
    """A quarter of the last, this or the next year, or the latest that has begun."""
    number = int(match["digit"]) if match["digit"] else ORDINALS[match["ordinal"].lower()]
    if match["which"]:
        return months(now, now.year + _step(match), 3 * number - 2, 3)
    return _latest_begun(now, lambda year: months(now, year, 3 * number - 2, 3), None)


def read_half(match: re.Match[str], now: datetime) -> TimeRange:
    """The first or the second half of a year."""
    second = (match["digit"] or match["ordinal"].lower()) in ("2", "second")
    year = int(match["year"]) if match["year"] else now.year + _step(match)
    return months(now, year, 7 if second else 1, 6)


def read_iso_week(match: re.Match[str], now: datetime) -> TimeRange:
    """A numbered week, of this year when none is named."""
    monday = date.fromisocalendar(int(match["year"] or now.isocalendar().year), int(match["week"]), 1)
    return days(now, monday, monday + timedelta(days=7))


def read_feast(match: re.Match[str], now: datetime) -> TimeRange:
    """A feast, in its year or near now."""
    feast = FEASTS[_words(match["feast"])]
    if match["year"]:
        return day(now, feast(int(match["year"])))
    return _latest_begun(now, lambda year: day(now, feast(year)), _step_if_told(match))


def read_decade_word(match: re.Match[str], now: datetime) -> TimeRange:
    """The nineties; the 20s are 2020 to 2029, the 30s 1930 to 1939."""
    if match["word"]:
        return years(now, DECADES[match["word"].lower()], 10)
    tens = int(match["tens"])
    return years(now, (1900 if tens >= 30 else 2000) + tens, 10)


def vague(match: re.Match[str], now: datetime) -> None:
    """What has no exact meaning."""
    return None
