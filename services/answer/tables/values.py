"""Reads the values of a table's columns: numbers of one unit, years, days, or text.

A column has the values that most of its cells have; other cells count as blank. How its cells are written is decided
for the whole column: which mark separates decimals, and whether the day or the month comes first, is what reads most
of them. Pure functions.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum, auto
from functools import lru_cache
from itertools import permutations
from typing import Final, TypeAlias

from libs.contracts.dates import PartialDate
from libs.language.analysis import stem_of
from libs.language.known import language_of
from libs.language.topics.numbers import Numbers
from libs.language.topics.tables import cell_words
from libs.text.dates.document_dates import find_dates
from libs.text.dates.readings import DateReading, bounds
from libs.text.numbers.units import convert_value, dimension_of, unit_named
from services.answer.tables.rows import Table

Range: TypeAlias = tuple[Decimal, Decimal]
"""The lowest and the highest number of what a cell says; of a time its first and last day, or minute."""
MOST: Final = 0.75
"""Share of the cells that have a value of their column's kind (by hand)."""
MOST_FACTORS: Final = 9  # columns of numbers of which one may be the product of two others (taste)
_HYPHENED: Final = re.compile(r"(\d\d?)-([^\W\d]{3,9})-(19|20)?(\d\d)")  # as spreadsheets write days: `04-Mar-24`
_SLASHED: Final = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
CLOCK: Final = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d)\b(?: ?(?P<half>[ap])m\b)?| ?(?P<end>[ap])m\b)"
)
_PARTS: Final = re.compile(r"(?<=[^\W\d]) ?(?=\d)")  # between the parts of a number in several units
_BRACKETS: Final = str.maketrans("()[],/", "      ")
_FIRST_YEAR, _LAST_YEAR = 1000, 2200
_SOME_YEAR: Final = PartialDate(2000)  # of dates without one: `2 May`


class Kind(Enum):
    """What the cells of a column are."""

    NUMBER = auto()
    YEARS = auto()
    DAYS = auto()
    CLOCK = auto()
    TEXT = auto()


TIMES: Final = (Kind.DAYS, Kind.YEARS, Kind.CLOCK)


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its values, None where a cell has none."""

    name: str
    kind: Kind
    values: Sequence[Range | None] = ()
    unit: str = ""
    """A unit of `libs.text.numbers.units`, of its cells or in its name (`Height in metres`), or the cells' own word."""
    affix: tuple[str, str] = ("", "")
    """What stands before and after each number, to show results alike; so are the two marks."""
    mark: str = "."
    thousands: str = ""


def decimal_mark(table: Table, language: str) -> str:
    """The mark before decimals that reads most cells of a table, else that of the language."""
    own = Numbers.of(language).decimal_mark or "."
    texts = [cell.text for row in table.rows for cell in row.cells.values()]
    read = {mark: sum(map(bool, map(_number_pattern(mark).fullmatch, texts))) for mark in (own, *{".", ","} - {own})}
    return max(read, key=lambda mark: read[mark])


def read_column(table: Table, name: str, language: str, mark: str) -> Column:
    """Return a column of a table with its values; `mark` is that before decimals."""
    blank = cell_words("blank")
    texts = [text if (text := row.text(name).strip()).lower() not in blank else "" for row in table.rows]
    plain = Column(name, Kind.TEXT)
    if not _are_most([text if any(map(str.isdigit, text)) else None for text in texts], texts):
        return plain
    read = [CLOCK.fullmatch(text.lower().removesuffix(" uhr")) if ":" in text else None for text in texts]
    clock = [minutes_of(match) if match else None for match in read]
    if _are_most(clock, texts):
        return Column(name, Kind.CLOCK, clock)
    return _numbers(name, texts, language, mark) or _days(name, texts, language) or plain


def days_of(reading: DateReading) -> Range:
    """The first and the last day of a date."""
    first, after = bounds(reading)
    return Decimal(first.toordinal()), Decimal(after.toordinal() - 1)


def year_of(columns: Iterable[Column]) -> PartialDate | None:
    """The year that all dates of the columns are in."""
    found = [bounds for column in columns if column.kind is Kind.DAYS for bounds in column.values if bounds]
    years = {date.fromordinal(int(day)).year for bounds in found for day in bounds}
    return PartialDate(years.pop()) if len(years) == 1 else None


def product_among(columns: Mapping[str, Column], names: Collection[str]) -> str:
    """The column of products of two others, of which one is among the names: what all of a price cost together."""
    numbers = [name for name, column in columns.items() if column.kind is Kind.NUMBER][:MOST_FACTORS]
    for product, first, second in permutations(numbers, 3):
        rows = zip(*(columns[name].values for name in (product, first, second)), strict=True)
        known = [(a[0], b[0], c[0]) for a, b, c in rows if a and b and c]
        is_product = len(known) > 2 and all(round(a - b * c, 1) == 0 for a, b, c in known)
        if is_product and not {product, first, second}.isdisjoint(names):
            return product
    return ""


def minutes_of(clock: re.Match[str]) -> Range:
    """The minute of the day of a match of CLOCK."""
    half, hour = clock["half"] or clock["end"], int(clock["hour"])
    minutes = Decimal(60 * (hour % 12 + 12 * (half == "p") if half else hour) + int(clock["minute"] or 0))
    return minutes, minutes


def _are_most(values: Sequence[object], texts: Sequence[str]) -> bool:
    """Whether most cells that are not blank have a value."""
    filled = len(texts) - texts.count("")
    return filled > 0 and len(values) - values.count(None) >= MOST * filled


@lru_cache(maxsize=2)
def _number_pattern(mark: str) -> re.Pattern[str]:
    separator = "," if mark == "." else "."
    return re.compile(
        r"(?P<sign>[+−-]?)(?P<before>[^\W\d]{0,3}[$€£¥₹₩]?) ?"
        rf"(?P<whole>\d{{1,3}}(?:[{separator} '’\u00a0\u202f]\d{{3}})+|\d{{1,30}}|(?=\{mark}\d))"
        rf"(?:\{mark}(?P<fraction>\d{{1,30}}))?(?P<after>[^\d;]{{0,24}}?)[*†‡.]?"
    )


def _numbers(name: str, texts: Sequence[str], language: str, mark: str) -> Column | None:
    matches = [_number_pattern(mark).fullmatch(text) for text in texts]
    first = next((match for match in matches if match), None)
    unit = _quantity(first, language)[1] if first else None
    if first is None or unit is None or (first["after"].strip(" .").isalpha() and _read_days(first[0], language)):
        return None
    values = [
        _value(match, unit, language) if match else _in_parts(text, unit, language, mark)
        for match, text in zip(matches, texts, strict=True)
    ]
    if not _are_most(values, texts):  # of another unit
        return None
    ranges = [(value, value) if value is not None else None for value in values]
    separator = "," if mark == "." else "."
    thousands = separator if any(match and separator in match["whole"] for match in matches) else ""
    is_years = not (unit or thousands) and all(
        value is None or (_FIRST_YEAR <= value <= _LAST_YEAR and value == int(value)) for value in values
    )
    kind, affix = Kind.YEARS if is_years else Kind.NUMBER, (first["before"], first["after"])
    return Column(name, kind, ranges, unit or _unit_in(name, language), affix, mark, thousands)


def _unit_in(name: str, language: str) -> str:
    words = name.translate(_BRACKETS).split()
    named = (unit_named(word, language) for word in reversed(words) if word not in language_of(language).stop_words)
    return next((unit for unit in named if unit), "")


def _quantity(match: re.Match[str], language: str) -> tuple[Decimal, str | None]:
    """What a number is multiplied by, and its unit; empty for none, None for something else beside it."""
    numbers, words = Numbers.of(language), match["after"].split()
    scales = {**numbers.scales, **numbers.short_scales}
    scale = 1
    if words and words[0].lower() in scales and not (len(words) == 1 and unit_named(words[0], language)):
        scale, words = scales[words[0].lower()], words[1:]
    after = " ".join(words)
    unit = unit_named(after, language) or unit_named(match["before"], language)
    if unit is None and not match["before"] and (not after or after.replace(" ", "").isalpha()):
        unit = stem_of(after.lower(), language)
    return Decimal(scale), unit


def _value(match: re.Match[str], unit: str, language: str) -> Decimal | None:
    """A number in this unit; None if its own cannot be converted to it."""
    digits = "".join(filter(str.isdigit, match["whole"])) + (f".{match['fraction']}" if match["fraction"] else "")
    scale, own_unit = _quantity(match, language)
    return convert_value(Decimal(digits) * (-scale if match["sign"] in ("-", "−") else scale), own_unit, unit)


def _in_parts(text: str, unit: str, language: str, mark: str) -> Decimal | None:
    """A number told in several units (`1 h 20 min`) in this one; None for anything else."""
    parts = [_number_pattern(mark).fullmatch(part) for part in _PARTS.split(text)] if dimension_of(unit) else []
    values = [_value(part, unit, language) for part in parts if part]
    return sum(filter(None, values), Decimal()) if len(parts) == len(values) > 1 and None not in values else None


def _days(name: str, texts: Sequence[str], language: str) -> Column | None:
    orders = ((1, 2), (2, 1)) if any(map(_SLASHED.fullmatch, texts)) else ((1, 2),)
    read = [[_read_days(_as_iso(text, day, month), language) for text in texts] for day, month in orders]
    best = min(read, key=lambda days: days.count(None))
    is_known = len({days.count(None) for days in read}) == len(orders)
    return Column(name, Kind.DAYS, best) if is_known and _are_most(best, texts) else None


def _as_iso(text: str, day: int, month: int) -> str:
    match = _SLASHED.fullmatch(text)
    return f"{match[3]}-{int(match[month]):02}-{int(match[day]):02}" if match else text


def _read_days(text: str, language: str) -> Range | None:
    """The days of a cell that is nothing but a date."""
    if match := _HYPHENED.fullmatch(text):
        text = f"{match[1]} {match[2]} {match[3] or 20 - (match[4] > '68')}{match[4]}"
    languages = dict.fromkeys((language, "en"))
    found = (dates[0] for code in languages if (dates := find_dates(text, _SOME_YEAR, language=code)))
    return next((days_of(day) for day in found if day.text.rstrip(".") == text.rstrip(".")), None)
