"""Words of a question that describe the kind of answer rather than its subject."""

from collections.abc import Iterable
from functools import lru_cache

from libs.language.topics.vague_words import VagueWords
from libs.text.tokens import stem


@lru_cache(maxsize=64)
def vague_stems(language: str) -> frozenset[str]:
    """Return the stems of words such as `happen`, `year`, `long`."""
    return _stems(VagueWords.of(language).vague, language)


@lru_cache(maxsize=64)
def decisive_stems(language: str) -> frozenset[str]:
    """Return the stems of words that select one of many: `first`, `only`, `largest`."""
    return superlative_stems(language) | _stems(VagueWords.of(language).ranks, language)


@lru_cache(maxsize=64)
def superlative_stems(language: str) -> frozenset[str]:
    """Return the stems of words that compare all of a kind: `largest`, not `first`."""
    return _stems(VagueWords.of(language).superlatives, language)


@lru_cache(maxsize=64)
def stems_before_counts(language: str) -> frozenset[str]:
    """Return the stems of words that precede a count and are not part of a name: `first 7`."""
    return _stems(VagueWords.of(language).before_counts, language)


def is_leaning(word: str, language: str) -> bool:
    """Whether a sentence that begins with this lower-cased word refers to the text before it."""
    return word in VagueWords.of(language).leaning


def _stems(words: Iterable[str], language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in words)
