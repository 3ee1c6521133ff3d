"""The content words of a text as sets; cached, because a conversation's texts are read again at each new turn."""

from collections.abc import Iterable
from functools import lru_cache

import regex

from libs.contracts.query import WeightedTerm
from libs.language.calendar_names import full_month_names
from libs.language.known import language_of
from libs.text.tokens import content_words, is_stop_word, stem


def added_terms(standalone: str, turn: str, language: str) -> tuple[WeightedTerm, ...]:
    """Return the content words of a standalone question that its turn lacks, each once."""
    turn_stems = {stem(word, language) for word in content_words(turn, language)}
    terms = {stem(word, language): word for word in reversed(content_words(standalone, language))}
    return tuple(WeightedTerm(word, 1.0) for key, word in reversed(terms.items()) if key not in turn_stems)


_REMEMBERED = 2048  # texts whose words are cached (taste)
_INNER_CAPITAL = regex.compile(r"(?<=[\p{Ll}\p{N},;] )\p{Lu}[\p{L}\p{N}-]*")
_BEGINNING = 2
"""Leading characters that all forms of a word share with its stem (taste)."""
_READ_FOR_NAMES = 600
"""Leading characters of a text that are searched for names: its topic is named at the beginning (taste)."""


@lru_cache(maxsize=_REMEMBERED)
def words_of(text: str, language: str) -> frozenset[str]:
    """The content words of a text, lower-cased."""
    return frozenset(content_words(text, language))


@lru_cache(maxsize=_REMEMBERED)
def stems_of(text: str, language: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset(stem(word, language) for word in words_of(text, language))


def says_any(text: str, stems: frozenset[str], language: str) -> bool:
    """Whether a text has a word with one of these stems; stems only words with a matching prefix, to save time."""
    beginnings = {word[:_BEGINNING] for word in stems}
    words = words_of(text, language)
    return any(word[:_BEGINNING] in beginnings and stem(word, language) in stems for word in words)


@lru_cache(maxsize=_REMEMBERED)
def names_of(text: str, language: str) -> frozenset[str]:
    """Words at the beginning of a text that are capitalized inside a sentence, and so are names in any position.

    Where all nouns are capitalized, only words with a further capital are (`NASA`).
    """
    capitalized = _INNER_CAPITAL.findall(text, 0, _READ_FOR_NAMES)
    if language_of(language).capitalises_nouns:
        capitalized = [word for word in capitalized if not word[1:].islower()]
    months = full_month_names(language)
    return frozenset(word for word in capitalized if not is_stop_word(word, language) and word.lower() not in months)


def all_names(texts: Iterable[str], language: str) -> frozenset[str]:
    """The words that are names in any of several texts."""
    return frozenset().union(*(names_of(text, language) for text in texts))
