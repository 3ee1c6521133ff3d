"""Check whether a sentence has the form of the wanted answer type: a date, a name, a number with the right unit.

Pure functions. Scores between 0 and 1 are chosen by hand: one of the right type is preferred, a wrong one not excluded.
No set measures them one by one; the samples' labelled answers hold the result.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from libs.language.patterns import NEVER
from libs.language.topics.calendar import Calendar
from libs.language.topics.questions import AnswerForms
from libs.text.numbers.finder import Number, find_numbers
from libs.text.tokens import is_stop_word, tokenize
from services.answer.lexicon.related_words import tells_of
from services.answer.lexicon.words import stems_of
from services.answer.question import AnswerKind, ParsedQuestion

_YEAR: Final = re.compile(r"\b(?:1\d{3}|20\d\d|21\d\d)\b")
"""What counts as a date in a language without rules: a year from 1000 to 2199 (taste)."""
_IN_WORDS = re.compile(r"['’\-]")
UNSAID_CATEGORY = 0.7
"""Score of a name if the question asks for a `rocket` and the sentence does not mention one."""
_AFTER_NUMBER = 4
"""The counted noun must occur within this many words after its number (taste)."""


def holds_answer_type(question: ParsedQuestion, sentence: str, language: str) -> float:
    """Return how well the sentence's form fits the wanted answer type, from 0 (no match) to 1 (full match).

    Args:
        question: the question.
        sentence: the sentence to check.
        language: of the sentence, ISO 639-1.
    """
    check = _CHECKS.get(question.kind)
    return check(question, sentence, language) if check else 0.0


def tells_of_intent(text: str, language: str) -> bool:
    """Whether a text states what was planned to happen: `it was to be launched in 1986`."""
    return AnswerForms.of(language).intent.search(text) is not None


def holds_date(sentence: str, language: str) -> bool:
    """Whether the sentence has a date, or something that looks like one."""
    return next(_dates(sentence, language), None) is not None


def _dates(sentence: str, language: str) -> Iterator[re.Match[str]]:
    """Date matches; a cheap test first skips most sentences."""
    clue, date = _date_patterns(language)
    return date.finditer(sentence) if clue.search(sentence) else iter(())


@lru_cache(maxsize=64)  # taste
def _date_patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of what every dated sentence has, and of dates."""
    forms = AnswerForms.of(language)
    return (_YEAR, _YEAR) if forms.date.pattern == NEVER else (forms.date_clue, forms.date)


def quantities(sentence: str, language: str) -> tuple[Number, ...]:
    """Return the numbers of a sentence that are not part of a date or of a name such as `Venera 7`."""
    dates = [match.span() for match in _dates(sentence, language)]
    return tuple(
        number
        for number in find_numbers(sentence, language)
        if not any(start < number.end and number.start < end for start, end in dates)
        and not _in_name(sentence, number, language)
    )


def _in_name(sentence: str, number: Number, language: str) -> bool:
    """Whether a number is digits right after a capitalised word that is not a stop word: `Venera 7`, not `In 7`."""
    word = sentence[: number.start].rsplit(None, 1)[-1:]
    is_digits = sentence[number.start : number.end].isdecimal()
    is_name = bool(word) and word[0][0].isupper() and _IN_WORDS.sub("", word[0]).isalpha()
    return is_digits and is_name and not is_stop_word(word[0], language)


def _date(question: ParsedQuestion, sentence: str, language: str) -> float:
    """Score dates: 1 with a named month, .8 for others."""
    if AnswerForms.of(language).named_month.search(sentence):
        return 1.0
    return 0.8 if holds_date(sentence, language) else 0.0


def _number(question: ParsedQuestion, sentence: str, language: str) -> float:
    numbers = quantities(sentence, language)
    if not numbers:
        return 0.0
    if question.counted_stem:
        return max(_count_score(question, sentence, number, language) for number in numbers)
    if not question.units:
        return 1.0
    return 1.0 if any(number.unit in question.units for number in numbers) else 0.25


def _count_score(question: ParsedQuestion, sentence: str, number: Number, language: str) -> float:
    """Score a number; `how much power` may be answered without the noun."""
    is_counted = counts(question.counted_stem, sentence, number, language)
    return 1.0 if is_counted or (number.unit and number.unit in question.units) else 0.35


def tells_thing(thing: str, sentence: str, language: str) -> bool:
    """Whether a sentence has the stem of the thing, or a related word."""
    stems = frozenset(stems_of(sentence, language))
    return thing in stems or tells_of(thing, stems, language)


def counts(stem: str, sentence: str, number: Number, language: str) -> bool:
    """Whether a number counts the thing with this stem, which must follow closely: `six small moons`."""
    following = tokenize(sentence[number.start : number.end + 60])  # characters, enough for those words (taste)
    width = len(tokenize(sentence[number.start : number.end]))
    near = " ".join(token.text for token in following[: width + _AFTER_NUMBER])
    return stem in stems_of(near, language)


def _place(question: ParsedQuestion, sentence: str, language: str) -> float:
    places = (match["place"] for match in AnswerForms.of(language).place.finditer(sentence))
    return float(any(_is_news(place, question, language) for place in places))


def _person(question: ParsedQuestion, sentence: str, language: str) -> float:
    persons = (match[0] for match in AnswerForms.of(language).person.finditer(sentence))
    if any(_is_news(person, question, language) for person in persons):
        return 1.0
    return 0.4 * _name(question, sentence, language)


def _name(question: ParsedQuestion, sentence: str, language: str) -> float:
    names = (match[0] for match in AnswerForms.of(language).name.finditer(sentence))
    if not any(_is_news(name, question, language) for name in names):
        return 0.0
    return 1.0 if not question.category or tells_thing(question.category, sentence, language) else UNSAID_CATEGORY


def _is_news(name: str, question: ParsedQuestion, language: str) -> bool:
    """Whether a name is not in the question and has no month."""
    months = Calendar.of(language).months
    return name.lower() not in question.text.lower() and not any(word in months for word in name.lower().split())


_CHECKS: Mapping[AnswerKind, Callable[[ParsedQuestion, str, str], float]] = {
    AnswerKind.DATE: _date,
    AnswerKind.NUMBER: _number,
    AnswerKind.PLACE: _place,
    AnswerKind.PERSON: _person,
    AnswerKind.NAME: _name,
}
