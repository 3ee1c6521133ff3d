"""Words of a message as the tagger counts them, with their vectors from the embedding model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.text.tokens import is_stop_word, stem

LANGUAGE: Final = "en"
"""The tagger is fitted to English: with an English embedding model, words of others are only rare to it."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_RUN = re.compile(r"\S+")
_SENTENCE_END = re.compile(r"[.!?]\s+|\n+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text."""

    start: int
    end: int
    lower: str
    stem: str
    """Empty for a stop word."""
    is_name: bool
    """Whether it has a capital elsewhere than at the start of a sentence."""


def split_words(text: str) -> tuple[Word, ...]:
    """All words of a text, in order."""
    text = _RUN.sub(_without_address, text)
    starts = {0} | {match.end() for match in _SENTENCE_END.finditer(text)}
    return tuple(_word(match, starts) for match in _WORD.finditer(text))


def _without_address(run: "re.Match[str]") -> str:
    """Blanks for an address, whose words are not the conversation's; anything else as it is."""
    return " " * len(run[0]) if "@" in run[0] or "://" in run[0] else run[0]


def _word(match: "re.Match[str]", sentence_starts: set[int]) -> Word:
    lower = match[0].lower().replace("’", "'")
    little = is_stop_word(lower, LANGUAGE) or is_stop_word(lower.removesuffix("'s"), LANGUAGE)
    is_name = match[0][0].isupper() and match.start() not in sentence_starts
    return Word(match.start(), match.end(), lower, "" if little else stem(lower, LANGUAGE), is_name)


@dataclass(frozen=True)
class Message:
    """A message that the embedding model has read."""

    text: str
    is_users: bool
    words: Sequence[Word]
    """Those that the model has read: of a long message the first."""
    vectors: NDArray[np.float32]
    """A row per word, as `Tagger.project` returns them."""
    rarity: NDArray[np.float32]
    """Of each word: logarithm of the greatest number of its pieces in the model's vocabulary, which is by frequency."""
    pieces: NDArray[np.float32]
    """Into how many pieces the model cuts each word."""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Those of its content words."""
        return frozenset(word.stem for word in self.words if word.stem)
