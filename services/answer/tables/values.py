"""Reads the values of a table's columns: numbers in either format with one unit, days, yes and no, or text.

A column of numbers has them in all its cells, but for blank ones. Which mark separates decimals is decided for a whole
column: `1.234,5` and `12,50` say it, `1.234` alone is read as the language writes numbers. Pure functions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum, auto
from typing import Final, TypeAlias

from libs.language.analysis import stem_of
from libs.language.known import language_of
from libs.language.topics.numbers import Numbers
from libs.language.topics.tables import TableQuestions
from libs.language.turns.wordings import WORD
from libs.text.dates.document_dates import find_dates
from libs.text.dates.readings import DateReading, bounds
from libs.text.numbers.units import convert_value, unit_named
from services.answer.tables.rows import Table

Days: TypeAlias = tuple[date, date]
"""The first and the last day of what a cell names: a day, a month, a year."""
_NUMBER: Final = re.compile(
    r"(?P<before>[^\W\d]{0,3}[$€£¥₹₩]?) ?(?P<sign>[+−-]?)(?P<digits>\d[\d.,'’\u00a0\u202f ]{0,30})"
    r"(?P<after>[^\d;]{0,24})"
)
_SPACES: Final = re.compile(r"(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?!\d))")
"""Separators of thousands that no language uses for decimals."""
_WHOLE: Final = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_SLASHED: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_YEARS: Final = range(1000, 2201)


class Kind(Enum):
    """What all cells of a column are."""

    NUMBER = auto()
    DAYS = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its values, None where a cell is blank."""

    name: str
    kind: Kind
    numbers: Sequence[Decimal | None] = ()
    days: Sequence[Days | None] = ()
    """Also of a column of years."""
    unit: str | None = None
    """A unit of `libs.text.numbers.units`, or the cells' own word."""
    affix: tuple[str, str] = ("", "")
    """What stands before and after each number, to show results alike; so are the two marks."""
    mark: str = "."
    thousands: str = ""


@dataclass(frozen=True, slots=True)
class _Read:
    """A cell as a number whose decimal mark is not decided."""

    before: str
    sign: str
    digits: str
    after: str


def read_column(table: Table, name: str, language: str) -> Column:
    """Return a column of a table with its values."""
    blank = TableQuestions.of(language).blank
    texts = [text if (text := row.text(name)).lower() not in blank else "" for row in table.rows]
    first = next((text for text in texts if text), "")
    if not any(map(str.isdigit, first)):
        return Column(name, Kind.TEXT)
    return _numbers(name, texts, language) or _days(name, texts, language) or Column(name, Kind.TEXT)


def _numbers(name: str, texts: Sequence[str], language: str) -> Column | None:
    cells: list[_Read | None] = []
    for text in texts:
        cells.append(_read(text) if text else None)
        if text and cells[-1] is None:
            return None
    marked = {cell.digits for cell in cells if cell and not cell.digits.isdecimal()}
    mark = _decimal_mark(marked, language)
    first = next(cell for cell in cells if cell)
    unit = _quantity(first, language)[1]
    if mark is None or unit is None:
        return None
    values = [_value(cell, mark, unit, language) if cell else None for cell in cells]
    if values.count(None) > texts.count(""):  # of another unit
        return None
    is_years = not unit and all(value is None or value in _YEARS for value in values)
    days = [_of_year(int(value)) if value is not None else None for value in values] if is_years else ()
    separator = "," if mark == "." else "."
    thousands = separator if any(separator in digits for digits in marked) else ""
    return Column(name, Kind.NUMBER, values, days, unit, (first.before, first.after), mark, thousands)


def _of_year(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31)


def _read(text: str) -> _Read | None:
    match = _NUMBER.fullmatch(text.strip())
    if match is None or (match["before"] and unit_named(match["before"], "en") is None):
        return None
    written = match["digits"].rstrip(" .,")
    digits, after = _SPACES.sub("", written), match["digits"][len(written) :] + match["after"]
    return None if digits.strip("0123456789.,") else _Read(match["before"], match["sign"], digits, after)


def _quantity(cell: _Read, language: str) -> tuple[Decimal, str | None]:
    """What a number is multiplied by, and its unit; empty for none, None for something else after it."""
    numbers, words = Numbers.of(language), cell.after.split()
    scales = {**numbers.scales, **numbers.short_scales}
    scale = 1
    if words and words[0].lower() in scales and not (len(words) == 1 and unit_named(words[0], language)):
        scale, words = scales[words[0].lower()], words[1:]
    after = " ".join(words)
    unit = unit_named(after, language) or unit_named(cell.before, language)
    if unit is None and (not after or after.replace(" ", "").isalpha()):
        unit = stem_of(after.lower(), language)
    return Decimal(scale), unit


def _decimal_mark(marked: set[str], language: str) -> str | None:
    """The decimal mark of numbers with marks; None if they contradict each other."""
    sure = {mark for digits in marked if (mark := _sure_mark(digits))}
    mark = min(sure) if sure else Numbers.of(language).decimal_mark or "."
    return mark if len(sure) <= 1 and all(_is_written_with(digits, mark) for digits in marked) else None


def _is_written_with(digits: str, mark: str) -> bool:
    whole, _, fraction = digits.partition(mark)
    return bool(whole.isdecimal() or _WHOLE.fullmatch(whole)) and (fraction.isdecimal() or not fraction)


def _sure_mark(digits: str) -> str:
    """The decimal mark that a number proves; empty if it may be read in two ways."""
    last = max(digits.rfind("."), digits.rfind(","))
    mark = digits[last]
    other = "," if mark == "." else "."
    if other in digits:
        return mark
    if digits.count(mark) > 1:
        return other
    return "" if _WHOLE.fullmatch(digits) else mark


def _value(cell: _Read, mark: str, unit: str, language: str) -> Decimal | None:
    """A number in this unit; None if its own cannot be converted to it."""
    value = Decimal(cell.digits.replace("," if mark == "." else ".", "").replace(mark, "."))
    scale, own_unit = _quantity(cell, language)
    return convert_value(value * scale * (-1 if cell.sign in ("-", "−") else 1), own_unit, unit)


def _days(name: str, texts: Sequence[str], language: str) -> Column | None:
    days: list[Days | None] = []
    for text in _unslashed(texts):
        days.append(_read_days(text, language) if text else None)
        if text and days[-1] is None:
            return None
    return Column(name, Kind.DAYS, days=days)


def days_of(reading: DateReading) -> Days:
    """The first and the last day of a date."""
    first, after = bounds(reading)
    return first, after - timedelta(days=1)


def _read_days(text: str, language: str) -> Days | None:
    """The days of a cell that is nothing but a date."""
    text = text.strip()
    for code in dict.fromkeys((language, "en")):
        for found in find_dates(text, language=code)[:1]:
            if found.text == text.rstrip(".") or found.text == text:
                return days_of(found)
    return None


def _unslashed(texts: Sequence[str]) -> Iterator[str]:
    """The cells with `31/12/2004` as an ISO date if a cell of the column shows whether the day comes first."""
    matches = [_SLASHED.fullmatch(text.strip()) for text in texts]
    firsts = [int(match[1]) > 12 for match in matches if match]
    seconds = [int(match[2]) > 12 for match in matches if match]
    day_first = any(firsts)
    is_known = day_first != any(seconds)
    for text, match in zip(texts, matches, strict=True):
        if match and is_known:
            day, month = (match[1], match[2]) if day_first else (match[2], match[1])
            yield f"{match[3]}-{int(month):02}-{int(day):02}"
        else:
            yield text


def unit_of_column(column: Column, language: str) -> str | None:
    """The unit of a column of numbers: of its cells, or that its name has, such as `Height in metres`."""
    words = (match[0] for match in WORD.finditer(column.name))
    named = (unit_named(word, language) for word in words if word not in language_of(language).stop_words)
    return column.unit or next((unit for unit in named if unit), None)
