"""What a text says, as sets of words; remembered, because a conversation's texts come back with every turn of it."""

from collections.abc import Iterable
from functools import lru_cache

from services.decompose.grammar import MONTHS
from services.text.sentences import split_sentences
from services.text.tokens import content_words, is_stop_word, stem, tokenize

_REMEMBERED = 2048
_READ_FOR_NAMES = 600
"""Characters of a text that are read for names: what it is about stands at its beginning."""


@lru_cache(maxsize=_REMEMBERED)
def words_of(text: str) -> frozenset[str]:
    """The content words of a text, lower-cased."""
    return frozenset(content_words(text))


@lru_cache(maxsize=_REMEMBERED)
def stems_of(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset(stem(word) for word in words_of(text))


def all_stems(texts: Iterable[str]) -> frozenset[str]:
    """The stems of the content words of several texts."""
    return frozenset().union(*(stems_of(text) for text in texts))


@lru_cache(maxsize=_REMEMBERED)
def names_of(text: str) -> frozenset[str]:
    """Words with a capital inside a sentence: names wherever they stand."""
    found = set()
    for sentence in split_sentences(text[:_READ_FOR_NAMES]):
        for token in tokenize(sentence.text)[1:]:
            if token.is_capitalised and not is_stop_word(token.text) and token.text.lower() not in MONTHS:
                found.add(token.text.removesuffix("'s"))
    return frozenset(found)


def all_names(texts: Iterable[str]) -> frozenset[str]:
    """The words that are names somewhere in several texts."""
    return frozenset().union(*(names_of(text) for text in texts))
