"""Tokens with offsets, stems, and content words (words that are not stop words)."""

from dataclasses import dataclass
from functools import lru_cache

import regex

from libs.language.analysis import stemmer_of
from libs.language.characters import plain_form, without_ignorable
from libs.language.known import language_of
from libs.language.topics.grammar import Grammar
from libs.text.limits import MAX_WORD
from libs.text.memoize import memoized

_TOKEN = regex.compile(
    r"""
      (?:\p{L}\.){2,}                                              # U.S., a.m.
    | \p{N}+(?:[.,]\p{N}+)*(?=[^\p{L}\p{M}\p{N}\-]|\Z|-\P{L})        # 1969, 3.5, 1,500,000
    | [\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]                      # no spaces between words: one character each
    | [\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’\-‐‑][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*   # don't, well-known, COVID-19
    """,
    regex.VERBOSE,
)
# `concurrent=False` below: otherwise each search releases the interpreter lock and waits to reacquire it.
_HYPHENS = regex.compile(r"[-‐‑]")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or number with its span: `text == source[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        """Whether it is digits, possibly with separators."""
        return self.text[0].isdigit() and not any(character.isalpha() for character in self.text)

    @property
    def is_capitalised(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[0].isupper()


def tokenize(text: str) -> tuple[Token, ...]:
    """The words and numbers of a text, in order, without punctuation and symbols.

    Hyphenated words, contractions and numbers with separators are one token each; so is a Han, Kana or Thai character.
    Runs of more than `MAX_WORD` characters are no words.
    """
    return tuple(
        Token(match[0], match.start(), match.end())
        for match in _TOKEN.finditer(text, concurrent=False)
        if match.end() - match.start() <= MAX_WORD
    )


@memoized(texts=16_384, longest=400)  # taste; every comparison reads the same sentence again
def words(text: str, language: str) -> tuple[str, ...]:
    """All words, normalised: lower-cased, without possessives and thousands separators, split at hyphens."""
    return tuple(
        word
        for token in _TOKEN.findall(without_ignorable(text), concurrent=False)
        if len(token) <= MAX_WORD
        for word in _normal_forms(token, language)
    )


def content_words(text: str, language: str) -> list[str]:
    """The words of `words(text)` that are not stop words, in order, with repetitions."""
    stop_words = language_of(language).stop_words
    return [word for word in words(text, language) if word not in stop_words]


def content_stems(text: str, language: str) -> list[str]:
    """The stems of `content_words(text)`, used to compare texts."""
    return [stem(word, language) for word in content_words(text, language)]


def is_stop_word(word: str, language: str) -> bool:
    """Whether a word, in any case, is a stop word."""
    return word.lower().replace("’", "'") in language_of(language).stop_words


@lru_cache(maxsize=65_536)  # taste
def stem(word: str, language: str) -> str:
    """The Snowball stem of a word, lower-cased; only lower-cased if the language has no stemmer."""
    if not word.isalpha() and not any(character.isalpha() for character in word):
        return word
    lower = word.lower().replace("’", "'")
    stemmed = stemmer_of(language)
    return stemmed(lower) if stemmed is not None else lower


@lru_cache(maxsize=65_536)  # taste
def _normal_forms(token: str, language: str) -> tuple[str, ...]:
    token = plain_form(token)
    if token in (never_pronouns := Grammar.of(language).never_pronouns):
        return (never_pronouns[token],)
    lower = token.lower().replace("’", "'")
    if lower[0].isdigit() and not any(character.isalpha() for character in lower):
        return (lower.replace(",", ""),)
    if lower.isalpha() or lower in language_of(language).stop_words:
        return (lower,)
    return tuple(part.removesuffix("'s") for part in _HYPHENS.split(lower))
