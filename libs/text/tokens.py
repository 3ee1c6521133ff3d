"""Words and numbers with their offsets, stems, and the words that carry a text's content."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import regex

from libs.text.memoize import memoized
from libs.text.stop_words import PERSONAL_PRONOUNS, THIRD_PERSON_PRONOUNS
from libs.text.stop_words import STOP_WORDS as STOP_WORDS

_TOKEN = regex.compile(
    r"""
      (?:\p{L}\.){2,}                                              # U.S., a.m.
    | \p{N}+(?:[.,]\p{N}+)*(?=[^\p{L}\p{M}\p{N}\-]|\Z|-\P{L})        # 1969, 3.5, 1,500,000
    | [\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]                      # no spaces between words: one character each
    | [\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’\-‐‑][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*   # don't, well-known, COVID-19
    """,
    regex.VERBOSE,
)
# Without `concurrent=False` each search lets go of the interpreter's lock, and waits for it again.
_HYPHENS = regex.compile(r"[-‐‑]")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or number and where it stands: `text == source[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        """Digits, with separators perhaps."""
        return self.text[0].isdigit() and not any(character.isalpha() for character in self.text)

    @property
    def is_capitalised(self) -> bool:
        """Begins with a capital."""
        return self.text[0].isupper()


def tokenize(text: str) -> tuple[Token, ...]:
    """The words and numbers of a text, in order; punctuation and symbols are no tokens.

    Hyphenated words, contractions and numbers with separators are one token each. A Han, Kana or Thai character is one.
    """
    return tuple(Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text, concurrent=False))


def words(text: str) -> list[str]:
    """All words as they are compared: lower-cased, possessive and thousands separators off, hyphenated in parts."""
    if text.isascii() and text.isalpha():  # one plain word, as most are that somebody asks about alone
        return list(_normal_forms(text))
    return list(_words(text))


@memoized(texts=4096, longest=400)
def _words(text: str) -> tuple[str, ...]:
    """A sentence is read again by whatever compares it."""
    return tuple(word for token in _TOKEN.findall(text, concurrent=False) for word in _normal_forms(token))


def content_words(text: str) -> list[str]:
    """The words of `words(text)` that are no stop words, in order, repeated as they are."""
    return [word for word in words(text) if word not in STOP_WORDS]


def content_stems(text: str) -> list[str]:
    """The stems of `content_words(text)`: what two texts are compared by."""
    return [stem(word) for word in content_words(text)]


def is_stop_word(word: str) -> bool:
    """Whether the word, in any case, says little about what a text is about."""
    return word.lower().replace("’", "'") in STOP_WORDS


def is_pronoun(word: str) -> bool:
    """A personal or possessive pronoun, of any person."""
    return word.lower() in PERSONAL_PRONOUNS


def is_third_person_pronoun(word: str) -> bool:
    """A pronoun that stands for something named before (it, they, his …)."""
    return word.lower() in THIRD_PERSON_PRONOUNS


class _Stemmer(Protocol):
    """What we use of Snowball's stemmers."""

    def stemWord(self, word: str) -> str: ...  # noqa: N802 - their name


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The Snowball English (Porter 2) stem of a word, lower-cased; words of other scripts come back lower-cased."""
    if not word.isalpha() and not any(character.isalpha() for character in word):
        return word
    return _stemmer().stemWord(word.lower().replace("’", "'"))


@lru_cache(maxsize=1)
def _stemmer() -> _Stemmer:
    """Snowball's own C (1.3 us a word, in Python 53 us), which keeps the interpreter's lock: one serves all threads."""
    # Imported with the first word: not every process stems. Without a cache of its own, ours is in front of it.
    import Stemmer

    english: _Stemmer = Stemmer.Stemmer("english", 0)
    return english


@lru_cache(maxsize=65_536)
def _normal_forms(token: str) -> tuple[str, ...]:
    if token == "US":  # the country, not the pronoun
        return ("u.s.",)
    lowered = token.lower().replace("’", "'")
    if lowered[0].isdigit() and not any(character.isalpha() for character in lowered):
        return (lowered.replace(",", ""),)
    if lowered.isalpha() or lowered in STOP_WORDS:
        return (lowered,)
    return tuple(part.removesuffix("'s") for part in _HYPHENS.split(lowered))
