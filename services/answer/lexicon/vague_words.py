"""Words of a question that describe the kind of answer rather than its subject."""

from collections.abc import Iterable
from functools import lru_cache

from libs.language.topics.names import VagueWords
from libs.text.tokens import stem


@lru_cache(maxsize=64)
def vague_stems(language: str) -> frozenset[str]:
    """Return the stems of words such as `happen`, `year`, `long`."""
    return _stems(VagueWords.of(language).vague, language)


@lru_cache(maxsize=64)
def stems_before_counts(language: str) -> frozenset[str]:
    """Return the stems of words that precede a count and are not part of a name: `first 7`."""
    return _stems(VagueWords.of(language).before_counts, language)


def _stems(words: Iterable[str], language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in words)
