"""Reads conditions on numbers and times: `over 50`, `at least 3 kg`, `before 2024`, `between 10 and 20`.

Which column a condition is on is told by the nearest word that names or tells of a column, by the unit, or by there
being one column only. Pure but for the marks on the question's words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from libs.language.topics.tables import TableQuestions
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from libs.text.numbers.units import convert_value
from services.answer.tables.mentions import ColumnMention
from services.answer.tables.values import Column, Kind, Range, days_of
from services.answer.tables.words import Question

_GAP: Final = 6
"""Characters between a comparison and its value: `over about 50` (taste)."""
_BETWEEN: Final = 24
"""Characters between a value and what follows it: `50 seats or more` (taste)."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column, in words, and the rows that meet it."""

    column: str
    words: str
    rows: frozenset[int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison whose column is not known yet."""

    shown: str
    start: int
    end: int
    numbers: Range | None = None
    unit: str | None = None
    days: Range | None = None
    """Of a year, numbers are given too."""
    sign: str = "="

    def bounds(self, column: Column) -> Range | None:
        """The values in a column's terms; None if they cannot be compared with its cells."""
        if column.kind in (Kind.DAYS, Kind.YEARS) and self.days is not None:
            first, last = (date.fromordinal(int(day)).year for day in self.days)
            return self.days if column.kind is Kind.DAYS else (Decimal(first), Decimal(last))
        is_comparable = column.kind is Kind.NUMBER or (column.kind is Kind.YEARS and not self.unit)
        if not is_comparable or self.numbers is None:
            return None
        if not (self.unit and column.unit):
            return self.numbers
        lower, upper = (convert_value(number, self.unit, column.unit) for number in self.numbers)
        return (lower, upper) if lower is not None and upper is not None else None

    def holds(self, value: Range, bounds: Range) -> bool:
        """Whether a value is above, below or within the bounds."""
        (first, last), (lower, upper) = value, bounds
        compared = {">": first > upper, "≥": first >= lower, "<": last < lower, "≤": last <= upper}
        return compared.get(self.sign, lower <= first and last <= upper)


def comparisons_in(question: Question) -> list[Comparison]:
    """Return the comparisons of a question; their words are marked as read."""
    found = []
    values = _values(question)
    for value, following in zip_longest(values, values[1:]):
        comparison = _led(question, value, following) or _trailed(question, value)
        if comparison is not None:
            question.take(comparison.start, comparison.end)
            found.append(comparison)
    return found


def bare_times(question: Question) -> Iterator[Comparison]:
    """Yield the unread times, which are marked as read."""
    for value in _values(question):
        if value.days and question.is_unread(value.start, value.end):
            question.take(value.start, value.end)
            yield value


def _values(question: Question) -> Sequence[Comparison]:
    """The numbers and times of a question in order; a year is both."""
    text, language = question.text, question.language
    values: dict[int, Comparison] = {}
    for number in find_numbers(text, language):
        shown, bounds = text[number.start : number.end], (number.value, number.value)
        values[number.start] = Comparison(shown, number.start, number.end, bounds, number.unit)
    for time in find_dates(text, language=language):
        inside = [values.pop(place) for place in list(values) if time.start <= place < time.end]
        numbers = inside[0].numbers if [each.shown for each in inside] == [time.text] else None
        values[time.start] = Comparison(time.text, time.start, time.end, numbers, days=days_of(time))
    return [values[place] for place in sorted(values)]


def _led(question: Question, value: Comparison, following: Comparison | None) -> Comparison | None:
    """A value with the longest phrase that precedes it."""
    spans = [
        (start, -end, name)
        for name, phrases in TableQuestions.of(question.language).comparisons.items()
        for start, end in question.phrases(phrases)
        if 0 <= value.start - end <= _GAP
    ]
    start, _, name = min(spans, default=(0, 0, ""))
    if name == "between" and following is not None:
        days = (value.days[0], following.days[1]) if value.days and following.days else None
        numbers = (value.numbers[0], following.numbers[1]) if value.numbers and following.numbers else None
        shown, unit = f"{value.shown}–{following.shown}", following.unit or value.unit
        return Comparison(shown, start, following.end, numbers, unit, days)
    return replace(value, start=start, sign=name) if name not in ("", "between") else None


def _trailed(question: Question, value: Comparison) -> Comparison | None:
    for sign, phrases in TableQuestions.of(question.language).trailing.items():
        for start, end in question.phrases(phrases):
            if 0 <= start - value.end <= _BETWEEN:
                question.take(start, end)
                return replace(value, sign=sign)
    return None


def on_column(
    comparison: Comparison, columns: Mapping[str, Column], mentions: Sequence[ColumnMention]
) -> Condition | None:
    """Return a comparison as a condition on the column that it is about; None if that is not sure, or no cell is it."""
    fits = {name: limits for name, column in columns.items() if (limits := comparison.bounds(column)) is not None}
    told = ((mention, sorted(fits.keys() & mention.columns)) for mention in mentions)
    near = sorted((_distance(comparison, mention), names) for mention, names in told if names)
    of_unit = [name for name in fits if comparison.unit and columns[name].unit]
    names = near[0][1] if near else of_unit or list(fits)
    if len(names) != 1:
        return None
    values = enumerate(columns[names[0]].values)
    rows = frozenset(row for row, value in values if value is not None and comparison.holds(value, fits[names[0]]))
    if not rows and comparison.sign == "=":
        return None
    return Condition(names[0], f"{names[0]} {comparison.sign} {comparison.shown}", rows)


def _distance(comparison: Comparison, mention: ColumnMention) -> tuple[bool, int]:
    """Whether words only tell of a column, and characters from a comparison."""
    after, before = mention.start - comparison.end, comparison.start - mention.end
    is_within = after < 0 and before < 0
    return not (mention.is_named or is_within), 0 if is_within else max(after, before)
