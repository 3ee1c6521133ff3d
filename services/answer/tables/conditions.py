"""Reads conditions on numbers and times: `over 50`, `at least 3 kg`, `before 2024`, `between 10 and 20`.

Which column a condition is on is told by the nearest name of a column, by the comparison (`higher than`), by the unit,
or by there being one column only. Pure but for the marks on the question's words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, TypeVar

from libs.language.topics.tables import TableQuestions
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from libs.text.numbers.units import convert_value
from services.answer.tables.mentions import ColumnMention, measured_by, named_by
from services.answer.tables.values import Column, Days, Kind, days_of, unit_of_column
from services.answer.tables.words import Question

_GAP: Final = 6
"""Characters between a comparison and its number: `over about 50` (taste)."""
_BETWEEN: Final = 24
"""Characters between a number and what follows it: `50 seats or more` (taste)."""
_T = TypeVar("_T", date, Decimal)
_ABOVE: Final = ("above", "after", "at_least", "since")
_BELOW: Final = ("below", "before", "at_most", "until")
_INCLUSIVE: Final = ("at_least", "since", "at_most", "until")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column, in words, and the rows that meet it."""

    column: str
    words: str
    rows: frozenset[int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison whose column is not known yet; the bounds are inclusive or not, as the name says."""

    name: str
    phrase: str
    shown: str
    start: int
    end: int
    numbers: tuple[Decimal, ...] = ()
    unit: str | None = None
    days: Days | None = None


def comparisons_in(question: Question) -> list[Comparison]:
    """Return the comparisons of a question; their words are marked as read."""
    found = []
    for comparison in (*_with_numbers(question), *_with_days(question)):
        question.take(comparison.start, comparison.end)
        found.append(comparison)
    return found


def _with_numbers(question: Question) -> Iterator[Comparison]:
    forms, text = TableQuestions.of(question.language), question.text
    dates = find_dates(text, language=question.language)
    numbers = [n for n in find_numbers(text, question.language) if not any(d.start <= n.start < d.end for d in dates)]
    for position, number in enumerate(numbers):
        for name, phrase, start in _leading(question, forms.comparisons, number.start):
            if name == "between" and position + 1 < len(numbers):
                upper = numbers[position + 1]
                values, unit = (number.value, upper.value), upper.unit or number.unit
                shown = f"{text[number.start : number.end]}–{text[upper.start : upper.end]}"
                yield Comparison(name, phrase, shown, start, upper.end, values, unit)
            elif name in ("above", "at_least", "below", "at_most", "since", "until"):
                shown = text[number.start : number.end]
                yield Comparison(name, phrase, shown, start, number.end, (number.value,), number.unit)
        for name, phrases in forms.trailing.items():
            for start, end in question.phrases(phrases):
                if 0 < start - number.end <= _BETWEEN or start == number.end:
                    question.take(start, end)
                    shown = text[number.start : number.end]
                    yield Comparison(name, "", shown, number.start, number.end, (number.value,), number.unit)


def _with_days(question: Question) -> Iterator[Comparison]:
    forms = TableQuestions.of(question.language)
    for found in find_dates(question.text, language=question.language):
        for name, phrase, start in _leading(question, forms.comparisons, found.start):
            if name in ("before", "after", "since", "until", "above", "below", "at_least", "at_most"):
                yield Comparison(name, phrase, found.text, start, found.end, days=days_of(found))


def dates_in(question: Question) -> Iterator[Comparison]:
    """Yield the dates that have not been read, as ranges of days; their words are marked as read."""
    for found in find_dates(question.text, language=question.language):
        if any(found.start <= word.start < found.end and not word.is_read for word in question.words):
            question.take(found.start, found.end)
            yield Comparison("in", "", found.text, found.start, found.end, days=days_of(found))


def numbers_beside(question: Question, mentions: Sequence[ColumnMention]) -> Iterator[Comparison]:
    """Yield the unread numbers beside the name of a column, `floor 2`, as equal to it; they are marked as read."""
    unread = {word.start: word for word in question.unread()}
    for number in find_numbers(question.text, question.language):
        word = unread.get(number.start)
        beside = (m for m in mentions if number.start - m.end == 1 or 0 <= m.start - number.end <= 1)
        if word is not None and next(beside, None) is not None:
            question.take(number.start, number.end)
            shown = question.text[number.start : number.end]
            yield Comparison("between", "", shown, number.start, number.end, (number.value, number.value), number.unit)


def _leading(
    question: Question, comparisons: Mapping[str, Sequence[str]], place: int
) -> Iterator[tuple[str, str, int]]:
    """The longest phrase that precedes a place: its name, itself and its start."""
    spans = [
        (start, -end, name)
        for name, phrases in comparisons.items()
        for start, end in question.phrases(phrases)
        if 0 <= place - end <= _GAP
    ]
    for start, end, name in sorted(spans)[:1]:
        yield name, question.text[start:-end], start


def on_column(
    comparison: Comparison, question: Question, columns: Mapping[str, Column], mentions: Sequence[ColumnMention]
) -> Condition | None:
    """Return a comparison as a condition on the column that it is about; None if that is not sure."""
    fits = {name: column for name, column in columns.items() if any(column.days if comparison.days else column.numbers)}
    near = [mention for mention in mentions if mention.column in fits]
    if near:
        names = [min(near, key=lambda mention: _distance(comparison, mention)).column]
    else:
        names = _meant(comparison, fits, question)
    if len(names) != 1:
        return None
    rows = _rows(comparison, fits[names[0]], question.language)
    return Condition(names[0], f"{names[0]} {_sign(comparison.name)} {comparison.shown}", rows)


def _meant(comparison: Comparison, fits: Mapping[str, Column], question: Question) -> list[str]:
    """The columns that a comparison may be about when none is named."""
    named, unit, language = list(fits), comparison.unit, question.language
    return (
        measured_by(comparison.phrase, named, language)
        or [name for name, column in fits.items() if unit and unit_of_column(column, language) == unit]
        or measured_by(question.text, named, language)
        or [name for name, column in fits.items() if column.kind is Kind.DAYS and comparison.days]
        or (named_by(list(TableQuestions.of(language).time_columns), named, language) if comparison.days else [])
        or named
    )


def _distance(comparison: Comparison, mention: ColumnMention) -> int:
    """Characters between a comparison and a name; what follows is nearer: `more than 50 seats`."""
    following = mention.start - comparison.end
    return following if following >= 0 else 2 * (comparison.start - mention.end) + 4


def _sign(name: str) -> str:
    sign = ">" if name in _ABOVE else "<" if name in _BELOW else "="
    return {">": "≥", "<": "≤"}[sign] if name in _INCLUSIVE else sign


def _rows(comparison: Comparison, column: Column, language: str) -> frozenset[int]:
    """The positions of the rows that meet a comparison."""
    if comparison.days is not None:
        return frozenset(
            number
            for number, days in enumerate(column.days)
            if days is not None and _holds(comparison.name, days, comparison.days)
        )
    unit = unit_of_column(column, language)
    converted = (convert_value(value, comparison.unit, unit) for value in comparison.numbers)
    bounds = sorted(
        value if other is None else other for value, other in zip(comparison.numbers, converted, strict=True)
    )
    return frozenset(
        number
        for number, value in enumerate(column.numbers)
        if value is not None and _holds(comparison.name, (value, value), (bounds[0], bounds[-1]))
    )


def _holds(name: str, value: tuple[_T, _T], bounds: tuple[_T, _T]) -> bool:
    """Whether a range, of days or of one number, is above, below or within others."""
    (first, last), (lower, upper) = value, bounds
    if name in _ABOVE:
        return first >= lower if name in _INCLUSIVE else first > upper
    if name in _BELOW:
        return last <= upper if name in _INCLUSIVE else last < lower
    return lower <= first and last <= upper
