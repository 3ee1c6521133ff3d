"""The content words of a text as sets; cached, because a conversation's texts are read again at each new turn."""

from collections.abc import Iterable
from functools import lru_cache

from libs.contracts.query import WeightedTerm
from libs.text.names import find_names
from libs.text.tokens import content_words, stem


def added_terms(standalone: str, turn: str, language: str) -> tuple[WeightedTerm, ...]:
    """Return the content words of a standalone question that its turn lacks, each once."""
    turn_stems = {stem(word, language) for word in content_words(turn, language)}
    terms = {stem(word, language): word for word in reversed(content_words(standalone, language))}
    return tuple(WeightedTerm(word, 1.0) for key, word in reversed(terms.items()) if key not in turn_stems)


_REMEMBERED = 2048  # texts whose words are cached (taste)
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
    """The words of the names at the beginning of a text, which are names in any position."""
    names = find_names(text[:_READ_FOR_NAMES], language)
    return frozenset(word for name in names if name.is_sure and name.is_written for word in name.text.split())


def all_names(texts: Iterable[str], language: str) -> frozenset[str]:
    """The words that are names in any of several texts."""
    return frozenset().union(*(names_of(text, language) for text in texts))
