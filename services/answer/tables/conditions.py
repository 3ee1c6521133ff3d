"""Reads conditions on numbers and times: `over 50`, `at least 3 kg`, `before 2024`, `between 10 and 20`, `after 7 pm`.

Which column a condition is on is scored: by the nearest words that fit a column, and by whether it tells rows
apart. Pure but for the marks on the question's words.
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
from services.answer.tables.values import CLOCK, TIMES, Column, Kind, Range, days_of, minutes_of
from services.answer.tables.words import Question

_GAP: Final = 6  # characters between a comparison and its value: `over about 50` (taste)
_BETWEEN: Final = 24  # characters between a value and what follows it: `50 seats or more` (taste)
_OF_TIMES: Final = {"before": "<", "after": ">"}
_DECADE: Final = re.compile(r"\b(19|20)?(\d)0s\b")  # of the last century unless it has one: `90s`, `1990s`


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column, and the rows that meet it."""

    column: str
    shown: str
    """What the cells are or are compared with, in words."""
    rows: frozenset[int]
    start: int
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

    def rows(self, column: Column) -> frozenset[int] | None:
        """The rows whose value of a column is above, below or within the bounds; None if they cannot be compared."""
        unit = column.unit if self.unit else ""
        bounds = self.bounds.get(column.kind, ())
        known = [convert_value(value, self.unit, unit) if unit else value for value in bounds]
        lower, upper = known or (None, None)
        if lower is None or upper is None:
            return None
        sign, values = self.sign_on(column.kind), enumerate(column.values)
        return frozenset(row for row, value in values if value and _holds(sign, value, (lower, upper)))

    def sign_on(self, kind: Kind) -> str:
        """The sign for a column: what is older than 1900 is of a time before it, who is older than 50 is above it."""
        if self.sign not in ("older", "younger"):
            return self.sign
        return ">" if (self.sign == "older") != (kind in TIMES) else "<"


def _holds(sign: str, value: Range, bounds: Range) -> bool:
    (first, last), (lower, upper) = value, bounds
    compared = {">": first > upper, "≥": first >= lower, "<": last < lower, "≤": last <= upper}
    return compared.get(sign, lower <= first and last <= upper)


def comparisons_in(question: Question, labels: Set[str] = frozenset()) -> list[Comparison]:
    """Return the comparisons of a question but with names of rows, `than 2.0`; their words are marked as read."""
    found: list[Comparison] = []
    values = [value for value in _values(question) if value.shown not in labels]
    for value, following in zip_longest(values, values[1:]):
        if (comparison := _signed(question, value, following)) is not None:
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
        same, minutes = (number.value, number.value), 60 * number.value
        bare = {Kind.YEARS: same} | ({Kind.CLOCK: (minutes, minutes)} if number.value <= 24 else {})
        bounds = {Kind.NUMBER: same} | ({} if number.unit else bare)
        shown = text[number.start : number.end]
        values[number.start] = Comparison(shown, number.start, number.end, bounds, number.unit)
    times = [(day.start, day.end, days_of(day)) for day in find_dates(text.title(), question.year, language=language)]
    for match in _DECADE.finditer(text):
        year = int(match[1] or 19) * 100 + int(match[2]) * 10
        days = (Decimal(date(year, 1, 1).toordinal()), Decimal(date(year + 9, 12, 31).toordinal()))
        times.append((*match.span(), days))
    for start, end, days in times:
        inside = [values.pop(place) for place in list(values) if start <= place < end]
        is_year = text[start:end].isdigit()
        first, last = (Decimal(date.fromordinal(int(day)).year) for day in days)
        bounds = {**(inside[0].bounds if inside and is_year else {}), Kind.DAYS: days, Kind.YEARS: (first, last)}
        values[start] = Comparison(text[start:end], start, end, bounds)
    for match in CLOCK.finditer(text.lower()):
        found = values.get(match.start())
        is_number = found is not None and not (match["half"] or match["end"])
        bounds = {**(found.bounds if found and is_number else {}), Kind.CLOCK: minutes_of(match)}
        values[match.start()] = Comparison(match[0], *match.span(), bounds)
    return [values[place] for place in sorted(values)]


def _signed(question: Question, value: Comparison, following: Comparison | None) -> Comparison | None:
    """A value with the nearest phrase before it, of these the longest, or after it; some times have their own."""
    forms = TableQuestions.of(question.language)
    spans = [(*span, name) for name, phrases in forms.comparisons.items() for span in question.phrases(phrases)]
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
    if name in _OF_TIMES:
        times: Mapping[Kind, Range] = {kind: each for kind, each in value.bounds.items() if kind in TIMES}
        return replace(value, start=-start, sign=_OF_TIMES[name], bounds=times)
    return replace(value, start=-start, sign=name) if name not in ("", "between") else None


def on_column(
    comparison: Comparison, columns: Mapping[str, Column], mentions: Sequence[ColumnMention], text: str
) -> Condition | None:
    """Return a comparison as a condition on the column that fits best; None if none does."""
    found = []
    for name, column in columns.items():
        rows = comparison.rows(column)
        if rows or (rows is not None and comparison.sign != "="):
            score = max((_nearness(comparison, m, text) for m in mentions if name in m.columns), default=0.0)
            told = sum(value is not None for value in column.values)
            found.append((score + 0.3 * (0 < len(rows) < told), name, rows))
    if not found:
        return None
    (best, name, rows), *others = sorted(found, key=lambda item: -item[0])
    shown = f" {comparison.sign_on(columns[name].kind)} {comparison.shown}"
    return Condition(name, shown, rows, comparison.start, all(best > score for score, _, _ in others))


def _nearness(comparison: Comparison, mention: ColumnMention, text: str) -> float:
    """How well words fit a column, less for each word between them and a comparison."""
    between = text[comparison.end : mention.start] or text[mention.end : comparison.start]
    return mention.score / (1 + 0.25 * len(between.split()))


def that_agree(conditions: Sequence[Condition]) -> list[Condition]:
    """The conditions; without those that are not clear if no row meets all of them: `boats` is not `Skerry Boats`."""
    clear = [each for each in conditions if each.is_clear]
    is_met = not conditions or frozenset.intersection(*(each.rows for each in conditions))
    return clear if clear and not is_met else list(conditions)
