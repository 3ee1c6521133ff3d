"""Whether two texts that read alike tell the same: `3.2 bar` is not `5.2 bar`, and `on` is not `off`.

They do if their dates, numbers with units and negations are equal, each has the names of the other, and no word stands
in place of another one that is no synonym: one of them may say more, in words of its own. Where they have the same
words, each sentence must have the same: `12 for adults, 8 for children` is not `8 for adults, 12 for children`. No I/O.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias

from libs.language.analysis import terms_of
from libs.language.files import word_table
from libs.language.patterns import NEVER
from libs.language.topics.clauses import Negation
from libs.text.dates.document_dates import find_dates
from libs.text.memoize import memoized
from libs.text.names import find_names
from libs.text.numbers.finder import find_numbers
from libs.text.said import ANCHOR
from libs.text.tokens import is_stop_word, tokenize
from libs.text.tokens import words as words_of

_SHARED: Final = 0.75
"""Least share of the words that two texts must have in common (taste)."""
_DIGITS: Final = re.compile(r"\d+")
_THOUSANDS: Final = re.compile(r"(?<=\d)[.,' \u00a0\u2009\u202f](?=\d{3}(?!\d))")
_CLOCK: Final = re.compile(r"(?<![\d:])(\d{1,2}):(?=\d\d(?![\d:]))")
_DOTTED: Final = re.compile(r"\b(?:[^\W\d_]\.){2,4}")
_SENTENCE_END: Final = re.compile(r"[.?!;:](?:\s|\Z)|\n")
_NOT: Final = ("not",)
_MARKS: Final = re.compile(r"[\W_]+")
_LITTLE: Final = 3
"""Characters of a word that may deny, in a language whose words for it are unknown (taste)."""
Fact: TypeAlias = tuple[object, ...]
"""The kind of a date, number or negation, and its values."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What one text tells."""

    facts: Counter[Fact]
    words: Counter[str]
    names: tuple[str, ...]
    """In order, and as the text below."""
    sure_names: frozenset[str]
    compact: str
    """The text in lower case without spaces and marks: `ax200` of `AX-200`."""
    sentences: Counter[tuple[tuple[str, ...], tuple[Fact, ...]]]
    """The words of each, sorted, and its facts, those of one kind in order; a negation with the word before it."""


def tell_the_same(first: str, second: str, language: str) -> bool:
    """Whether two texts that read alike have the same facts; `language` is that of both, ISO 639-1."""
    if _have_other_digits(first, second):  # true for most rows and forms, and a hundred times as fast
        return False
    one, other = _said(first, language), _said(second, language)
    if one.facts != other.facts or _lacks_name(one, other) or _lacks_name(other, one):
        return False
    if (one.words & other.words).total() < _SHARED * max(one.words.total(), other.words.total()):
        return False
    if _lacks(one.words, other.words, language) and _lacks(other.words, one.words, language):
        return False
    if one.words != other.words:
        return True
    return one.sentences == other.sentences and (one.names == other.names or sorted(one.names) != sorted(other.names))


@memoized(texts=4096, longest=4000)  # taste
def _said(text: str, language: str) -> _Said:
    text = _DOTTED.sub(lambda dotted: dotted[0].replace(".", ""), _CLOCK.sub(r"\1.", text.replace("’", "'")))
    sentences, facts, end = list[tuple[list[str], list[Fact]]]([([], [])]), Counter[Fact](), 0
    found = sorted(_facts(text, language), key=lambda fact: (fact[0], -fact[1]))
    for start, stop, fact in (*found, (len(text), 0, ())):
        if start >= end:
            first, *others = (_words(part, language) for part in _SENTENCE_END.split(text[end:start]))
            sentences[-1][0].extend(first)
            sentences += [(each, []) for each in others]
            if fact:
                said, told = sentences[-1]
                told.append((*fact, *said[-1:]) if fact == _NOT else fact)
                facts[fact] += 1
            end = stop
    words = Counter(word for each, _ in sentences for word in each)
    names = [(_compact(name.text), name.is_sure) for name in find_names(text, language)]
    sure = frozenset(name for name, is_sure in names if is_sure)
    keys = ((tuple(sorted(each)), tuple(sorted(told, key=itemgetter(0)))) for each, told in sentences if each or told)
    return _Said(facts, words, tuple(name for name, _ in names), sure, _compact(text), Counter(keys))


def _compact(text: str) -> str:
    return _MARKS.sub("", text).lower()


def _lacks_name(known: _Said, wanted: _Said) -> bool:
    return any(name not in known.compact for name in wanted.sure_names)


def _facts(text: str, language: str) -> Iterator[tuple[int, int, Fact]]:
    """Yield start, end and value of dates, of numbers but 1, which articles tell as well, and of negations."""
    for date in find_dates(text, ANCHOR, language=language):
        yield date.start, date.end, ("date", date.first, date.last, date.part)
    for number in find_numbers(text, language):
        if number.value != 1:
            yield number.start, number.end, ("number", number.unit, number.value)
    negation = Negation.of(language)
    if negation.negator.pattern == NEVER:
        little = (token for token in tokenize(text) if len(token.text) <= _LITTLE or is_stop_word(token.text, language))
        yield from ((each.start, each.end, (each.text.lower(),)) for each in little if not each.is_number)
    plain = negation.no_denial.sub(lambda phrase: " " * len(phrase[0]), text)
    yield from ((*negator.span(), _NOT) for negator in negation.negator.finditer(plain))


def _words(text: str, language: str) -> list[str]:
    """The terms of a text, by which it is searched, and its little words that have an opposite."""
    return [*terms_of(text, language), *(word for word in words_of(text, language) if word in _particles(language))]


def _have_other_digits(first: str, second: str) -> bool:
    """Whether each has digits that the other lacks, in any form of a date; one alone may have words for them."""
    plain = (_DIGITS.findall(_THOUSANDS.sub("", text)) for text in (first, second))
    one, other = (Counter(digits.lstrip("0") for digits in runs) for runs in plain)
    return bool(one - other) and bool(other - one)


def _lacks(known: Counter[str], wanted: Counter[str], language: str) -> bool:
    """Whether one of the wanted words is not among those known, and no synonym of it is."""
    synonyms = _synonyms(language)
    return any(known.keys().isdisjoint(synonyms.get(word, ())) for word in wanted.keys() - known.keys())


@lru_cache(maxsize=64)  # taste
def _particles(language: str) -> frozenset[str]:
    rows = chain(*(word_table(name, language) for name in ("opposite_particles", "opposites_in_position")))
    return frozenset(word for row in rows for cell in row for word in cell if is_stop_word(word, language))


@lru_cache(maxsize=64)  # taste
def _synonyms(language: str) -> Mapping[str, frozenset[str]]:
    """Map the term of a word to those of its synonyms."""
    synonyms: dict[str, frozenset[str]] = {}
    for row in word_table("synonyms", language):
        terms = frozenset(term for word in row[0] for term in terms_of(word, language))
        synonyms.update((term, synonyms.get(term, frozenset()) | terms) for term in terms)
    return synonyms
