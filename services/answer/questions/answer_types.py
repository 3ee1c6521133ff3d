"""The values in a sentence that are of the type a question asks for: dates, quantities, places, names. Pure functions.

Fits between 0 and 1 are chosen by hand: one of the right type is preferred, a wrong one not excluded. No set measures
them one by one; whole answers do (`TYPED` in `quoting.unit_selection`), and the samples' labelled ones.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from libs.contracts.spans import Span
from libs.language.known import language_of
from libs.language.topics.questions import AnswerForms
from libs.text.dates.document_dates import find_dates
from libs.text.names import find_names
from libs.text.numbers.finder import Number, find_numbers
from services.answer.lexicon.words import has_phrase, stems_of
from services.answer.questions.question import AnswerKind, ParsedQuestion

OTHER_QUANTITY: Final = 0.25
"""Fit of a number with another unit than asked for: no short answer, but it may tell something of it."""
DOUBTFUL: Final = 0.6
"""Factor for a word whose capital may only begin the sentence."""
_TIMES: Final = frozenset({"second", "minute", "hour", "day", "week", "month", "year", "decade", "century"})
"""Units of time by their canonical names."""


@dataclass(frozen=True, slots=True)
class TypedValue(Span):
    """A value in a sentence, with how well it fits the type asked for, in (0, 1]."""

    fit: float = 1.0


def holds_answer_type(question: ParsedQuestion, sentence: str, language: str) -> float:
    """Return how well a sentence of a language fits the wanted answer type, from 0 (no match) to 1 (full match)."""
    return max((value.fit for value in typed_values(question, sentence, language)), default=0.0)


def typed_values(question: ParsedQuestion, sentence: str, language: str) -> Iterator[TypedValue]:
    """Yield the sentence's values of the wanted type, in order; none if the question asks for no known type."""
    find = _FINDERS.get(question.kind)
    return find(question, sentence, language) if find else iter(())


def _date_spans(sentence: str, language: str) -> list[Span]:
    """The dates of a sentence, and what else looks like one: `1980s`, `20 July`."""
    dates = [Span(date.start, date.end) for date in find_dates(sentence, language=language)]
    looks = (Span(*match.span()) for match in AnswerForms.of(language).date.finditer(sentence))
    return dates + [look for look in looks if not any(look.overlaps(date) for date in dates)]


def _dates(question: ParsedQuestion, sentence: str, language: str) -> Iterator[TypedValue]:
    """Yield dates: 1 in a sentence with a named month, which may be all of it, .8 in others."""
    month = AnswerForms.of(language).named_month.search(sentence)
    spans = _date_spans(sentence, language) or ([Span(*month.span())] if month else [])
    yield from (TypedValue(span.start, span.end, 1.0 if month else 0.8) for span in sorted(spans))


def _numbers(question: ParsedQuestion, sentence: str, language: str) -> Iterator[TypedValue]:
    """Yield quantities: 1 with the unit asked for; `how much` may be told by any unit but of time."""
    for number in quantities(sentence, language):
        is_amount = question.asks_amount and number.unit is not None and number.unit not in _TIMES
        is_unit = number.unit in question.units or is_amount
        is_any = not (question.asks_amount or question.units)
        yield TypedValue(number.start, number.end, 1.0 if is_unit or is_any else OTHER_QUANTITY)


def quantities(sentence: str, language: str) -> Iterator[Number]:
    """Yield the numbers of a sentence that are not part of a date or of a name such as `Venera 7`."""
    taken = _date_spans(sentence, language)
    taken += [Span(name.start, name.end) for name in find_names(sentence, language)]
    for number in find_numbers(sentence, language):
        if not any(span.start <= number.start < span.end for span in taken):  # `Celsius` may end one
            yield number


def _places(question: ParsedQuestion, sentence: str, language: str) -> Iterator[TypedValue]:
    """Yield the names after a preposition of place; a place may be no sure name."""
    names = find_names(sentence, language)
    for match in AnswerForms.of(language).place.finditer(sentence):
        span = Span(*match.span("place"))
        wholes = (Span(name.start, name.end) for name in names if name.start <= span.start and span.end <= name.end)
        place = next(wholes, span)
        if not has_phrase(place.of(sentence), question.text):
            yield TypedValue(place.start, place.end)


def _persons(question: ParsedQuestion, sentence: str, language: str) -> Iterator[TypedValue]:
    """Yield the names that are not in the question: 1 for those of several words, .4 for others."""
    for value in _names(question, sentence, language):
        yield value if " " in value.of(sentence) else replace(value, fit=0.4 * value.fit)


def _names(question: ParsedQuestion, sentence: str, language: str) -> Iterator[TypedValue]:
    """Yield the names that are not in the question: 1 with the wanted category (`rocket`) in the sentence, else .7."""
    fit = 1.0 if not question.category or question.category in stems_of(sentence, language) else 0.7
    may_be_doubtful = not language_of(language).capitalises_nouns
    for name in find_names(sentence, language):
        if (name.is_sure or may_be_doubtful) and not has_phrase(name.text, question.text):
            yield TypedValue(name.start, name.end, fit if name.is_sure else DOUBTFUL * fit)


_FINDERS: Final[Mapping[AnswerKind, Callable[[ParsedQuestion, str, str], Iterator[TypedValue]]]] = {
    AnswerKind.DATE: _dates,
    AnswerKind.NUMBER: _numbers,
    AnswerKind.PLACE: _places,
    AnswerKind.PERSON: _persons,
    AnswerKind.NAME: _names,
}
