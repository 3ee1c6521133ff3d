"""Reads conditions on numbers and times: `over 50`, `at least 3 kg`, `before 2024`, `between 10 and 20`, `after 7 pm`.

Which column a condition is on is scored: by the nearest words that fit a column, by the unit, and by whether it tells
rows apart. Pure but for the marks on the question's words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from libs.language.topics.tables import TableQuestions
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from libs.text.numbers.units import convert_value
from services.answer.tables.matching import ColumnMention
from services.answer.tables.values import TIMES, Column, Kind, Range, days_of
from services.answer.tables.words import Question

_GAP: Final = 6
"""Characters between a comparison and its value: `over about 50` (taste)."""
_BETWEEN: Final = 24
"""Characters between a value and what follows it: `50 seats or more` (taste)."""
_OF_TIMES: Final = {"before": "<", "after": ">"}
_CLOCK: Final = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d)\b(?: ?(?P<half>[ap])m\b)?| ?(?P<end>[ap])m\b)"
)
_DECADE: Final = re.compile(r"\b(?P<century>19|20)?(?P<decade>\d)0s\b")
"""A decade, of the last century unless it has one: `90s`, `1990s`."""
CLEAR: Final = 0.15
"""How much better a column has to fit than the next one (by hand)."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column, and the rows that meet it."""

    column: str
    shown: str
    """What the cells are or are compared with, in words."""
    rows: frozenset[int]
    start: int
    """Where in the question it is."""
    is_clear: bool = True
    """Whether no other column fits about as well."""

    @property
    def words(self) -> str:
        """The condition in words."""
        return self.column + self.shown


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison whose column is not known yet."""

    shown: str
    start: int
    end: int
    bounds: Mapping[Kind, Range]
    """The values that it says, for a column of each kind that it may be on."""
    unit: str | None = None
    sign: str = "="

    @property
    def is_time(self) -> bool:
        """Whether it is of a time; of a bare number that may be an hour it is not."""
        return Kind.DAYS in self.bounds or Kind.NUMBER not in self.bounds

    def on(self, column: Column) -> Range | None:
        """The values in a column's terms; None if they cannot be compared with its cells."""
        bounds = self.bounds.get(column.kind)
        if bounds is None or not (self.unit and column.unit):
            return bounds
        lower, upper = (convert_value(value, self.unit, column.unit) for value in bounds)
        return (lower, upper) if lower is not None and upper is not None else None

    def holds(self, value: Range, bounds: Range, kind: Kind) -> bool:
        """Whether a value of a column's kind is above, below or within the bounds."""
        (first, last), (lower, upper) = value, bounds
        compared = {">": first > upper, "≥": first >= lower, "<": last < lower, "≤": last <= upper}
        return compared.get(self.sign_on(kind), lower <= first and last <= upper)

    def sign_on(self, kind: Kind) -> str:
        """The sign for a column: what is older than 1900 is of a time before it, who is older than 50 is above it."""
        if self.sign not in ("older", "younger"):
            return self.sign
        return ">" if (self.sign == "older") != (kind in TIMES) else "<"


def comparisons_in(question: Question, labels: Set[str] = frozenset()) -> list[Comparison]:
    """Return the comparisons of a question; their words are marked as read.

    Args:
        question: the question.
        labels: names of rows, which are no values: `than 2.0` of versions.
    """
    found: list[Comparison] = []
    values = [value for value in _values(question) if value.shown not in labels]
    for value, following in zip_longest(values, values[1:]):
        is_taken = bool(found) and found[-1].end >= value.end
        if not is_taken and (comparison := _signed(question, value, following)) is not None:
            question.take(comparison.start, comparison.end)
            found.append(comparison)
    return found


def bare_values(question: Question) -> Iterator[Comparison]:
    """Yield the unread numbers and times, which may be those of cells."""
    return (value for value in _values(question) if question.is_unread(value.start, value.end))


def _values(question: Question) -> Sequence[Comparison]:
    """The numbers and times of a question in order; a year is both, a small number may be an hour."""
    text, language = question.text, question.language
    values: dict[int, Comparison] = {}
    for number in find_numbers(text, language):
        values[number.start] = _number(text[number.start : number.end], number.start, number.value, number.unit)
    for time in find_dates(text.title(), language=language):  # `march` is also a word
        inside = [values.pop(place) for place in list(values) if time.start <= place < time.end]
        is_year = [each.shown for each in inside] == [time.text]
        days = days_of(time)
        first, last = (Decimal(date.fromordinal(int(day)).year) for day in days)
        bounds = {**(inside[0].bounds if is_year else {}), Kind.DAYS: days, Kind.YEARS: (first, last)}
        values[time.start] = Comparison(text[time.start : time.end], time.start, time.end, bounds)
    for match in _DECADE.finditer(text):
        year = int(match["century"] or 19) * 100 + int(match["decade"]) * 10
        days = (Decimal(date(year, 1, 1).toordinal()), Decimal(date(year + 9, 12, 31).toordinal()))
        bounds = {Kind.DAYS: days, Kind.YEARS: (Decimal(year), Decimal(year + 9))}
        values[match.start()] = Comparison(match[0], *match.span(), bounds)
    for match in _CLOCK.finditer(text.lower()):
        half = match["half"] or match["end"]
        hour = int(match["hour"]) % 12 + 12 * (half == "p") if half else int(match["hour"])
        minutes = Decimal(60 * hour + int(match["minute"] or 0))
        found = values.get(match.start())
        bounds = {**(found.bounds if found and not half else {}), Kind.CLOCK: (minutes, minutes)}
        values[match.start()] = Comparison(match[0], *match.span(), bounds)
    return [values[place] for place in sorted(values)]


def _number(shown: str, start: int, value: Decimal, unit: str | None) -> Comparison:
    same = (value, value)
    hours = {Kind.CLOCK: (60 * value, 60 * value)} if value <= 24 else {}
    bounds = {Kind.NUMBER: same} if unit else {Kind.NUMBER: same, Kind.YEARS: same, **hours}
    return Comparison(shown, start, start + len(shown), bounds, unit)


def _signed(question: Question, value: Comparison, following: Comparison | None) -> Comparison | None:
    """A value with the nearest phrase before it, of these the longest, or after it; some times have their own."""
    forms = TableQuestions.of(question.language)
    spans = [(*span, name) for name, phrases in forms.comparisons.items() for span in question.phrases(phrases)]
    if any(start == value.start for start, _, _ in spans):
        return value
    before = [(end, -start, name) for start, end, name in spans if 0 <= value.start - end <= _GAP]
    _, start, name = max(before, default=(0, -value.start, ""))
    for sign, phrases in forms.trailing.items() if not name else ():
        for begin, end in question.phrases(phrases):
            if not name and 0 <= begin - value.end <= _BETWEEN:
                question.take(begin, end)
                name = sign
    if name == "between" and following is not None:
        ends = following.bounds
        bounds = {kind: (low[0], ends[kind][1]) for kind, low in value.bounds.items() if kind in ends}
        shown, unit = f"{value.shown}–{following.shown}", following.unit or value.unit
        return Comparison(shown, -start, following.end, bounds, unit)
    is_of_time = name in _OF_TIMES and Kind.DAYS in value.bounds
    bounds = {kind: each for kind, each in value.bounds.items() if kind is not Kind.NUMBER or not is_of_time}
    is_signed = name not in ("", "between")
    return replace(value, start=-start, bounds=bounds, sign=_OF_TIMES.get(name, name)) if is_signed else None


def on_column(
    comparison: Comparison, columns: Mapping[str, Column], mentions: Sequence[ColumnMention], text: str
) -> Condition | None:
    """Return a comparison as a condition on the column that fits best; None if none does.

    Args:
        comparison: the comparison.
        columns: the columns of the table.
        mentions: words that fit columns.
        text: the question.
    """
    found = []
    for name, column in columns.items():
        bounds = comparison.on(column)
        values = enumerate(column.values if bounds else ())
        rows = frozenset(
            row for row, value in values if value and bounds and comparison.holds(value, bounds, column.kind)
        )
        if bounds and (rows or comparison.sign != "="):
            score = max((_nearness(comparison, m, text) for m in mentions if name in m.columns), default=0.0)
            told = sum(value is not None for value in column.values)
            score += 0.5 * bool(comparison.unit and column.unit) + 0.3 * (0 < len(rows) < told)
            found.append((score, name, rows))
    found.sort(key=lambda item: -item[0])
    if not found:
        return None
    score, name, rows = found[0]
    is_clear = len(found) == 1 or score - found[1][0] >= CLEAR
    return Condition(
        name, f" {comparison.sign_on(columns[name].kind)} {comparison.shown}", rows, comparison.start, is_clear
    )


def _nearness(comparison: Comparison, mention: ColumnMention, text: str) -> float:
    """How well words fit a column, less for each word between them and a comparison."""
    between = text[comparison.end : mention.start] or text[mention.end : comparison.start]
    return mention.score / (1 + 0.25 * len(between.split()))
