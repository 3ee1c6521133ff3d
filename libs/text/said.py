"""The words, names and numbers that one text says and another may lack: texts are compared by these. No I/O."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from libs.contracts.dates import PartialDate
from libs.language.topics.calendar import Calendar
from libs.text.dates.readings import ordinal_number
from libs.text.names import Name, find_names
from libs.text.numbers.finder import Number, find_numbers
from libs.text.tokens import stem, tokenize, words

ANCHOR: Final = PartialDate(2020, 6, 17)
"""The day from which relative dates are counted, in all texts that are compared."""
_DIGITS: Final = re.compile(r"\d+")


def stems_of(texts: Iterable[str], language: str) -> frozenset[str]:
    """The stems of all words, without an ending that a name may have: `Akkus`."""
    return frozenset(stem(word.removesuffix("s") or word, language) for text in texts for word in words(text, language))


def names_of(text: str, language: str) -> Iterator[Name]:
    """Yield the names of a text, and its months and weekdays."""
    calendar = Calendar.of(language)
    times = {*calendar.months, *calendar.weekdays} - {word.lower() for word in calendar.months_too}
    yield from find_names(text, language)
    yield from (Name(token.text, token.start, token.end) for token in tokenize(text) if token.text.lower() in times)


def numbers_of(text: str, language: str) -> Iterator[Number]:
    """Yield the numbers of a text, ordinals from the second on, and the digits within codes and times."""
    numbers = find_numbers(text, language)
    yield from numbers
    starts = [number.start for number in numbers]
    for token in tokenize(text):
        at = bisect_right(starts, token.start)
        if at and token.start < numbers[at - 1].end:
            continue
        ordinal = ordinal_number(token.text, language) or 0
        values = (ordinal,) if ordinal > 1 else _DIGITS.findall(token.text)
        yield from (Number(Decimal(value), None, token.start, token.end) for value in values)


def names_beyond(text: str, others: Iterable[str], language: str) -> Iterator[str]:
    """Yield the sure names, months and weekdays of a text with a part that the others don't have."""
    known = stems_of(others, language)
    names = [name.text for name in names_of(text, language) if name.is_sure]
    yield from (name for name in names if not stems_of([name], language) <= known)


def numbers_beyond(text: str, others: Iterable[str], language: str) -> Iterator[str]:
    """Yield the numbers whose value, or whose unit where both have one, is none of the other texts'."""
    known = [number for other in others for number in numbers_of(other, language)]
    for number in numbers_of(text, language):
        units = {each.unit for each in known if each.value == number.value}
        if not units or (number.unit is not None and not units & {number.unit, None}):
            yield text[number.start : number.end]
