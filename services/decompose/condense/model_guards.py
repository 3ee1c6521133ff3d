"""Checks a language model's rewrite of a turn: names, numbers, dates and negations are those of the conversation.

Its ordinary words may be new. What the turn itself names, counts or denies must be in the rewrite. No I/O.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from libs.contracts.dates import PartialDate
from libs.language.topics.calendar import Calendar
from libs.language.topics.clauses import Negation
from libs.language.topics.questions import QuestionForms
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.dates.readings import ordinal_number
from libs.text.names import find_names
from libs.text.numbers.finder import find_numbers
from libs.text.tokens import content_stems, content_words, stem, tokenize, words

_ANCHOR: Final = PartialDate(2020, 6, 17)
"""The day from which relative dates are counted, in the rewrite and in the conversation alike."""
_DIGITS: Final = re.compile(r"\d+")


def fault_of(rewrite: str, turn: str, history: Sequence[str], language: str) -> str | None:
    """Return why a model's rewrite of a turn cannot be used; None if it can.

    Args:
        rewrite: the model's standalone question.
        turn: the last turn, verbatim.
        history: the texts of the conversation before it.
        language: of the turn, ISO 639-1.
    """
    said = (turn, *history)
    if _stems([rewrite], language).isdisjoint(_stems(said, language)):
        return "it has no word of the conversation"
    readers = (_names_beyond, _numbers_beyond, _dates_beyond)
    if added := [found for read in readers for found in read(rewrite, said, language)]:
        return f"nobody said {_quoted(added)}"
    names, numbers, dates = (read(turn, [rewrite], language) for read in readers)
    in_digits = filter(_DIGITS.search, numbers)  # `the second` or `both` may be named instead
    if lost := [*names, *in_digits, *dates]:
        return f"the turn's own {_quoted(lost)} got lost"
    return _negation_fault(rewrite, turn, history, language)


def _quoted(found: Iterable[str]) -> str:
    return ", ".join(f'"{words}"' for words in dict.fromkeys(found))


def _stems(texts: Iterable[str], language: str) -> frozenset[str]:
    """The stems of all words, without an ending that a name may have: `Akkus`."""
    return frozenset(stem(word.removesuffix("s") or word, language) for text in texts for word in words(text, language))


def _names_beyond(text: str, others: Iterable[str], language: str) -> Iterator[str]:
    """Yield the sure names, months and weekdays of a text with a part that the others don't have."""
    calendar, known = Calendar.of(language), _stems(others, language)
    times = {*calendar.months, *calendar.weekdays} - {word.lower() for word in calendar.months_too}
    names = [name.text for name in find_names(text, language) if name.is_sure]
    names += [token.text for token in tokenize(text) if token.text.lower() in times]
    yield from (name for name in names if not _stems([name], language) <= known)


def _numbers_beyond(text: str, others: Iterable[str], language: str) -> Iterator[str]:
    """Yield the numbers whose value, or whose unit where both have one, is none of the other texts'."""
    known = [number for other in others for number in _numbers(other, language)]
    for number, value, unit in _numbers(text, language):
        units = {each for _, other, each in known if other == value}
        if not units or (unit is not None and not units & {unit, None}):
            yield number


def _numbers(text: str, language: str) -> Iterator[tuple[str, Decimal, str | None]]:
    """Yield the numbers of a text, ordinals from the second on, and the digits within codes and times."""
    numbers = find_numbers(text, language)
    yield from ((text[number.start : number.end], number.value, number.unit) for number in numbers)
    for token in tokenize(text):
        if any(number.start <= token.start < number.end for number in numbers):
            continue
        ordinal = ordinal_number(token.text, language) or 0
        values = (ordinal,) if ordinal > 1 else _DIGITS.findall(token.text)
        yield from ((token.text, Decimal(value), None) for value in values)


def _dates_beyond(text: str, others: Iterable[str], language: str) -> Iterator[str]:
    """Yield the dates that no date of the other texts overlaps; years alone are compared as numbers."""
    known = [date for other in others for date in find_dates(other, _ANCHOR, language=language)]
    for date in find_dates(text, _ANCHOR, language=language):
        if not date.text.isdigit() and not any(date.first <= _end(each) and each.first <= _end(date) for each in known):
            yield date.text


def _end(date: DateMention) -> PartialDate:
    """The last day of a date."""
    return PartialDate(date.last.year, date.last.month or 12, date.last.day or 31)


def _negation_fault(rewrite: str, turn: str, history: Sequence[str], language: str) -> str | None:
    """Return a fault if a rewrite denies what nobody denied, or affirms what was only denied."""
    (new_denials, affirmed), own, *others = (_polarity(text, language) for text in (rewrite, turn, *history))
    said = [own, *others]
    known = {key for denials, _ in said for words in denials for key in words}
    if added := [next(iter(words.values())) for words in new_denials if not own[0] and known.isdisjoint(words)]:
        return f"nobody denied {_quoted(added)}"
    asked = own[1]
    if QuestionForms.of(language).yes_no.match(rewrite):  # what was denied of one thing may be asked of another
        asked = asked.union(*(stems for _, stems in others))
    firsts = [(next(iter(words.items())), stems) for denials, stems in said for words in denials]
    lost = [word for (key, word), stems in firsts if key not in stems and key in affirmed - asked]
    return f"the denial of {_quoted(lost)} got lost" if lost else None


def _polarity(text: str, language: str) -> tuple[list[dict[str, str]], set[str]]:
    """What each negation denies, the content words after it in its clause by their stems; and the stems of the rest."""
    negation, denials, affirmed = Negation.of(language), [], set[str]()
    for clause in negation.clause_end.split(negation.no_denial.sub(" ", text)):
        negator = negation.negator.search(clause)
        affirmed.update(content_stems(clause[: negator.start()] if negator else clause, language))
        denied = content_words(clause[negator.end() :], language) if negator else []
        if denied:
            denials.append({stem(word, language): word for word in denied})
    return denials, affirmed
