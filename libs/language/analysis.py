"""Turns text into search terms, for passages and queries alike: folds letters, drops stop words, stems.

A compound gives a term in addition to its parts (`example.org`, `rfc5545`), however its words are joined: `retry_max`,
`retry-max` and `retryMax` give the same, as `E-1234` and `e1234` do. A version also gives its prefixes (`3.11` of
`3.11.3`). Chinese, Japanese and Thai, which have no spaces, become pairs of characters.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, repeat, takewhile
from typing import Final

import regex

from libs.language.characters import plain_form, without_ignorable
from libs.language.known import language_of

MAX_TERM: Final = 64
"""Characters; longer terms are dropped (taste)."""
_TOKEN: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}ーﾞﾟ]+|[\p{L}\p{M}\p{N}]+(?:[._\-'’‐‑:/@][\p{L}\p{M}\p{N}]+)*"
)
_ASCII_TOKEN: Final = re.compile(r"[A-Za-z0-9]+(?:[._\-':/@][A-Za-z0-9]+)*")
"""The same of a text in ASCII, in a third of the time."""
_PART: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_VERSION: Final = regex.compile(r"v?(\d{1,9}(?:\.\d{1,9})+)")  # lengths, here and below: taste
_PLURAL: Final = regex.compile(r"(?<=\p{Lu}{2})s\Z")
"""The plural of an abbreviation: `GPUs`."""
_NUMBERED: Final = regex.compile(r"([\p{L}\p{M}]++)(\p{N}++)")  # `mp3`: also its letters and its digits
_HYPHENS: Final = regex.compile(r"[_\-’‐‑]")
_CAMEL: Final = regex.compile(r"(?<=\p{Ll}{2})(?=\p{Lu}\p{Ll})")
"""Between the words of `maxRetryDelay`; `iPhone` is one."""
_HAS_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
_SPLIT_UNSPACED: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}ー]+|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}ー])[\p{L}\p{M}\p{N}])+"
)
_FOLDED: Final = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ı": "i", "’": "'"})
_LARGEST_COMPOUND: Final = 40  # letters; longer words are not divided (taste)
_KEPT: Final = 65_536  # words whose analysis is cached (taste)


def terms_of(text: str, language: str) -> list[str]:
    """The terms of a text in order, with repetitions; `language` is an ISO 639-1 code, or empty if unknown.

    Raises:
        LanguageDataError: the language's data, read on its first use, is not valid.
    """
    is_ascii = text.isascii()
    tokens = _ASCII_TOKEN.findall(text) if is_ascii else _TOKEN.findall(without_ignorable(text), concurrent=False)
    return list(chain.from_iterable(map(_terms_of_token, tokens, repeat(language))))


def without_little_words(text: str, languages: Iterable[str]) -> str:
    """The text without the stop words of some languages; only whole words of scripts with spaces are removed."""
    little: frozenset[str] = frozenset().union(*(language_of(language).stop_words for language in languages))
    if not little:
        return text
    remainder: str = _TOKEN.sub(lambda token: " " if token[0].lower().replace("’", "'") in little else token[0], text)
    return remainder


def fold_word(word: str) -> str:
    """Lower case without diacritics: `Müller` becomes `muller`."""
    lower = word.lower().translate(_FOLDED)
    if lower.isascii():
        return lower
    return "".join(
        character for character in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(character)
    )


@lru_cache(maxsize=_KEPT)
def _terms_of_token(token: str, language: str) -> tuple[str, ...]:
    token = plain_form(token)
    terms_of = _terms_of_mixed if _HAS_UNSPACED.search(token) else _terms_of_spaced
    # Combining marks without a letter fold to an empty string.
    return tuple(term for term in terms_of(token, language) if 0 < len(term) <= MAX_TERM)


def _terms_of_spaced(token: str, language: str) -> Iterator[str]:
    """Terms of a token of a script with spaces: the token itself if it is a compound, and its parts."""
    lower = token.lower().replace("’", "'")
    version = _VERSION.match(lower)
    if version:
        numbers = version[1].split(".")
        prefixes = (".".join(numbers[:count]) for count in range(2, len(numbers) + 1))
        yield from takewhile(lambda prefix: len(prefix) <= MAX_TERM, prefixes)
        if version.end() == len(lower):
            return
    parts = _PART.findall(_parted(_PLURAL.sub("", token)).lower().replace("’", "'"))
    if len(parts) > 1 and "'" not in lower and len(lower) <= _LARGEST_COMPOUND:
        yield stem_of(_HYPHENS.sub("", lower), language) if any(map(str.isalpha, lower)) else lower
    stop_words = language_of(language).stop_words
    if lower in stop_words:
        return
    has_apostrophe = "'" in lower
    for part in parts:
        if part in stop_words or (has_apostrophe and len(part) == 1):
            continue
        yield stem_of(part, language)
        if (match := _NUMBERED.fullmatch(part)) and len(part) > 2:
            yield from (stem_of(match[1], language), match[2])


def _parted(token: str) -> str:
    """A token with hyphens between the words of one in camel case: of at least three, or without a first capital."""
    is_camel = token[:1].islower() or len(_CAMEL.findall(token)) > 1
    return str(_CAMEL.sub("-", token)) if is_camel and not token.islower() else token


def _terms_of_mixed(token: str, language: str) -> Iterator[str]:
    """Terms of a token with unspaced scripts: pairs of their characters, and words of other scripts."""
    for piece in _SPLIT_UNSPACED.findall(token):
        if not _HAS_UNSPACED.match(piece):
            yield from _terms_of_spaced(piece, language)
            continue
        for run in filter(None, _little_words(language).split(piece)):
            yield from (run[at : at + 2] for at in range(len(run) - 1))
            if len(run) == 1:
                yield run


@lru_cache(maxsize=16)  # taste
def _little_words(language: str) -> "regex.Pattern[str]":
    """A pattern of the stop words with more than one character: single characters occur within other words."""
    words = sorted((word for word in language_of(language).stop_words if len(word) > 1), key=lambda w: -len(w))
    return regex.compile("|".join(map(regex.escape, words)) or "(?!)")


@lru_cache(maxsize=_KEPT)
def stem_of(word: str, language: str) -> str:
    """The stem of a lower-cased word, without diacritics; numbers are unchanged."""
    plain = fold_word(word)
    stemmed = stemmer_of(language)
    return plain if stemmed is None or plain.isdigit() else stemmed(plain)


@lru_cache(maxsize=64)  # taste
def stemmer_of(language: str) -> Callable[[str], str] | None:
    """Snowball's C stemmer (1.3 us a word, in Python 53 us), shared by all threads: it holds the interpreter lock.

    Its own cache is off (0): its callers cache.
    """
    if not (name := language_of(language).stemmer):
        return None
    import Stemmer  # on first use: not every process stems

    stemmed: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord
    return stemmed
