"""Checks a language model's rewrite of a turn: names, numbers, dates and negations are those of the conversation.

Its ordinary words may be new. What the turn itself names, counts or denies must be in the rewrite. No I/O.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Self

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
    new, own = _Facts.of([rewrite], language), _Facts.of([turn], language)
    said = _Facts.of([turn, *history], language)
    if new.stems.isdisjoint(said.stems):
        return "it has no word of the conversation"
    if added := [*new.names_beyond(said), *new.numbers_beyond(said), *new.dates_beyond(said)]:
        return f"nobody said {_quoted(added)}"
    in_digits = filter(_DIGITS.search, own.numbers_beyond(new))  # `the second` or `both` may be named instead
    if lost := [*own.names_beyond(new), *in_digits, *own.dates_beyond(new)]:
        return f"the turn's own {_quoted(lost)} got lost"
    return _negation_fault(rewrite, turn, history, language)


def _quoted(found: Sequence[str]) -> str:
    return ", ".join(f'"{words}"' for words in dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a rewrite must neither invent nor lose."""

    stems: frozenset[str]
    """Of all words, for the comparison of names."""
    names: tuple[tuple[str, frozenset[str]], ...]
    """Names as written, and the stems of their parts."""
    numbers: tuple[tuple[str, Decimal, str | None], ...]
    """Numbers as written, those within codes and times, too; their values and units."""
    dates: tuple[DateMention, ...]

    @classmethod
    def of(cls, texts: Sequence[str], language: str) -> Self:
        """Read some texts as one."""
        names = tuple(name for text in texts for name in _names(text, language))
        numbers = tuple(number for text in texts for number in _numbers(text, language))
        dates = tuple(date for text in texts for date in find_dates(text, _ANCHOR, language=language))
        return cls(frozenset().union(*(_stems(text, language) for text in texts)), names, numbers, dates)

    def names_beyond(self, other: Self) -> Iterator[str]:
        """Yield the names with a part that the other texts don't have."""
        yield from (name for name, parts in self.names if not parts <= other.stems)

    def numbers_beyond(self, other: Self) -> Iterator[str]:
        """Yield the numbers whose value, or whose unit where both have one, is none of the other texts'."""
        for text, value, unit in self.numbers:
            units = {each for _, number, each in other.numbers if number == value}
            if not units or (unit is not None and not units & {unit, None}):
                yield text

    def dates_beyond(self, other: Self) -> Iterator[str]:
        """Yield the dates that no date of the other texts overlaps."""
        for date in self.dates:
            if not any(date.first <= _end(each) and each.first <= _end(date) for each in other.dates):
                yield date.text


def _end(date: DateMention) -> PartialDate:
    """The last day of a date."""
    return PartialDate(date.last.year, date.last.month or 12, date.last.day or 31)


def _stems(text: str, language: str) -> frozenset[str]:
    """The stems of all words, without an ending that a name may have: `Akkus`."""
    return frozenset(stem(word.removesuffix("s") or word, language) for word in words(text, language))


def _names(text: str, language: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the sure names of a text, and its months and weekdays, in the language's own case."""
    yield from ((name.text, _stems(name.text, language)) for name in find_names(text, language) if name.is_sure)
    calendar = Calendar.of(language)
    for token in tokenize(text):
        word = token.text.lower()
        if (word in calendar.months or word in calendar.weekdays) and word.capitalize() not in calendar.months_too:
            yield token.text, _stems(word, language)


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


def _negation_fault(rewrite: str, turn: str, history: Sequence[str], language: str) -> str | None:
    """Return a fault if a rewrite denies what nobody denied, or affirms what was only denied."""
    new, own, *said = (_Polarity.of(text, language) for text in (rewrite, turn, *history))
    known = frozenset().union(*(words for each in (own, *said) for words in each.denied))
    if added := [next(iter(words.values())) for words in new.denied if not own.denied and known.isdisjoint(words)]:
        return f"nobody denied {_quoted(added)}"
    asked = own.affirmed
    if QuestionForms.of(language).yes_no.match(rewrite):  # what was denied of one thing may be asked of another
        asked = asked.union(*(each.affirmed for each in said))
    firsts = dict(next(iter(words.items())) for each in (own, *said) for words in each.denied_only)
    lost = [word for key, word in firsts.items() if key in new.affirmed - asked]
    return f"the denial of {_quoted(lost)} got lost" if lost else None


@dataclass(frozen=True, slots=True)
class _Polarity:
    """What a text denies and affirms."""

    denied: tuple[dict[str, str], ...]
    """The words that follow each negation in its clause, by their stems; not of one that no word follows."""
    affirmed: frozenset[str]
    """The stems of all other words."""

    @classmethod
    def of(cls, text: str, language: str) -> Self:
        """Read a text."""
        negation, denied, rest, end = Negation.of(language), [], [], 0
        idioms = [match.span() for match in negation.no_denial.finditer(text)]
        for match in negation.negator.finditer(text):
            if match.start() < end or any(start <= match.start() < stop for start, stop in idioms):
                continue
            clause_end = negation.clause_end.search(text, match.end())
            rest.append(text[end : match.start()])
            end = clause_end.start() if clause_end else len(text)
            denied.append(_words_by_stem(text[match.end() : end], language))
        affirmed = content_stems("\n".join((*rest, text[end:])), language)
        return cls(tuple(words for words in denied if words), frozenset(affirmed))

    @property
    def denied_only(self) -> Iterator[dict[str, str]]:
        """Those of `denied` whose first word is affirmed nowhere in the text."""
        return (words for words in self.denied if next(iter(words)) not in self.affirmed)


def _words_by_stem(text: str, language: str) -> dict[str, str]:
    """The content words of a text by their stems, each as it stands first."""
    words: dict[str, str] = {}
    for word in content_words(text, language):
        words.setdefault(stem(word, language), word)
    return words
