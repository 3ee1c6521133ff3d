"""The words of a question about rows, and which of them have been read. Pure but for the marks on words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libs.language.analysis import fold_word, stem_of
from libs.language.known import language_of
from libs.language.turns.wordings import WORD, phrase_pattern


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
        words = [Word(w, key_of(w, language), start, end, w.lower() in stop_words) for w, start, end in found]
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


@lru_cache(maxsize=65_536)  # taste
def key_of(word: str, language: str) -> str:
    """The folded stem of a word without hyphens, dots and a possessive: `AX-220's` is `ax220`."""
    plain = "".join(c for c in fold_word(word).replace("’", "'").removesuffix("'s") if c.isalnum())
    return stem_of(plain, language) if plain.isalpha() else plain


@lru_cache(maxsize=65_536)  # taste
def keys_of(text: str, language: str) -> tuple[str, ...]:
    """The keys of the words of a cell or name."""
    return tuple(key_of(match[0], language) for match in WORD.finditer(text))
