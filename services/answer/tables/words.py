"""The words of a question about rows, and which of them have been read. Pure but for the marks on words."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.language.analysis import fold_word, stem_of
from libs.language.known import language_of
from libs.language.topics.numbers import Numbers
from libs.language.turns.wordings import WORD, phrase_pattern
from libs.text.tokens import stem
from services.answer.lexicon.words import irregular_stems, singular_stems

SHORTEST_PART: Final = 4
"""Letters of a part of a compound (by hand)."""


@dataclass(slots=True)
class Word:
    """A word with its place in the question, and its key, in which spellings of one word agree."""

    text: str
    key: str
    start: int
    end: int
    is_stop: bool
    is_read: bool = False


@dataclass(frozen=True)
class Question:
    """A question as words."""

    text: str
    language: str
    words: Sequence[Word]

    @classmethod
    def of(cls, text: str, language: str) -> "Question":
        """Divide a question into words."""
        stop_words = language_of(language).stop_words
        found = [(match[0], match.start(), match.end()) for match in WORD.finditer(text)]
        words = [
            Word(w, key_of(w, language), start, end, w.lower() in stop_words and not is_abbreviation(w, text))
            for w, start, end in found
        ]
        return cls(text, language, words)

    def take(self, start: int, end: int) -> None:
        """Mark the words within a span of the text as read."""
        for word in self.words:
            word.is_read |= start <= word.start and word.end <= end

    def is_read(self, start: int, end: int) -> bool:
        """Whether a word within a span of the text is read."""
        return any(word.is_read for word in self.words if start <= word.start < end)

    def phrases(self, phrases: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the spans of phrases of which no word is read."""
        for match in phrase_pattern(tuple(phrases)).finditer(self.text):
            if not self.is_read(*match.span()):
                yield match.span()

    def unread(self) -> list[Word]:
        """The words that are not read, without stop words."""
        return [word for word in self.words if not (word.is_read or word.is_stop)]


def is_abbreviation(word: str, text: str) -> bool:
    """Whether a word is in capitals, in a text that is not: `IT` is no pronoun."""
    return len(word) > 1 and word.isupper() and not text.isupper()


@lru_cache(maxsize=65_536)  # taste
def key_of(word: str, language: str) -> str:
    """The folded stem of a word's base form, without hyphens and dots: `AX-220's` is `ax220`, `paid` is `pay`."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    plain = "".join(character for character in fold_word(lower) if character.isalnum())
    if not plain.isalpha():
        return plain
    bases = (forms(language).get(stem(lower, language)) for forms in (singular_stems, irregular_stems))
    key = next((fold_word(base) for base in bases if base), stem_of(plain, language))
    return key.removesuffix("s") if len(key) > SHORTEST_PART - 1 else key  # `Pros`, which the stemmer leaves


@lru_cache(maxsize=65_536)  # taste
def keys_of(text: str, language: str) -> tuple[str, ...]:
    """The keys of the words of a cell or name."""
    return tuple(key_of(match[0], language) for match in WORD.finditer(text))


def parted(text: str, vocabulary: Set[str], language: str) -> str:
    """The text with compounds of two known words parted, in a language that joins words: `Gesamtbetrag`.

    Args:
        text: a question.
        vocabulary: the keys of the known words.
        language: its language.
    """
    if not Numbers.of(language).joined:
        return text
    words: str = WORD.sub(lambda match: _parts(match[0], vocabulary, language), text)
    return words


def _parts(word: str, vocabulary: Set[str], language: str) -> str:
    if key_of(word, language) in vocabulary:
        return word
    for place in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
        first, second = word[:place], word[place:]
        is_known = key_of(first, language) in vocabulary or key_of(first.removesuffix("s"), language) in vocabulary
        if is_known and key_of(second, language) in vocabulary:
            return f"{first} {second}"
    return word
