"""Patterns over the words of a sentence, in the syntax of the policy file.

A pattern is a sequence of elements separated by spaces, such as `{ask} ... {make} .. {weapon}`. Elements match:

    word        that word; `hack*` matches a prefix, `*'s` a suffix, `kill~` any form of the word (`killed`)
    {name}      one of the patterns of a named list
    ..          up to 2 words of any kind
    ...         up to 6 words of any kind
    ^ and $     the beginning and the end of the sentence

A word or list followed by `?` is optional. Words are compared in lower case. Gaps' lengths: by hand. No I/O of its own.
"""

import re
import unicodedata
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from libs.text.tokens import stem, tokenize

_GAPS: Final = {"..": 2, "...": 6}
_HYPHENS = re.compile(r"[-‐‑/]")
_PREFIX: Final = 3
"""Minimum length of a prefix before `*`, and the number of letters that the index looks up (taste)."""


class PatternError(ValueError):
    """A pattern is malformed, names an unknown list, or a list refers back to itself."""


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a pattern."""

    kind: str
    """word, prefix, suffix, stem, list, gap, begin or end."""
    value: str = ""
    most: int = 0
    optional: bool = False
    language: str = ""
    """Of a word with a stem."""

    @property
    def key(self) -> str:
        """Index key of words that may fit: the word, its first letters and `*`, or its stem and `~`."""
        if self.kind == "prefix":
            return f"{self.value[:_PREFIX]}*"
        return f"{self.value}~" if self.kind == "stem" else self.value

    def fits(self, word: str) -> bool:
        """Whether a word matches this element, which is of kind word, prefix, suffix or stem."""
        if self.kind == "stem":
            return stem(word, self.language) == self.value
        if self.kind == "prefix":
            return word.startswith(self.value)
        return word.endswith(self.value) if self.kind == "suffix" else word == self.value


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern, with the keys and lists that a sentence needs for it to match."""

    elements: tuple[Element, ...]
    keys: frozenset[str]
    """Keys (see `keys_of`) of its required words."""
    lists: tuple[str, ...]

    @classmethod
    def of(cls, elements: tuple[Element, ...]) -> "Pattern":
        """Return the pattern with these elements."""
        required = [element for element in elements if not element.optional]
        keys = frozenset(element.key for element in required if element.kind in ("word", "prefix", "stem"))
        return cls(elements, keys, tuple(element.value for element in required if element.kind == "list"))


Patterns = tuple[Pattern, ...]
"""Patterns of which one must match."""
RequiredKeys = frozenset[str] | None
"""Keys of words, at least one of which a sentence must have for something to match; None if no word is required."""


def words_of(sentence: str) -> tuple[str, ...]:
    """Return the words as patterns see them: lower case, hyphenated ones split, possessives whole (`husband's`)."""
    text = unicodedata.normalize("NFKC", sentence).lower().replace("’", "'")
    return tuple(part for token in tokenize(text) for part in _HYPHENS.split(token.text) if part)


def keys_of(word: str, language: str) -> tuple[str, str, str]:
    """Return the index keys of a word; see `Element.key`."""
    return word, f"{word[:_PREFIX]}*", f"{stem(word, language)}~"


def parse_pattern(pattern: object, names: Set[str], language: str) -> Pattern:
    """Parse a pattern.

    Args:
        pattern: its text.
        names: the lists that there are.
        language: of its words, ISO 639-1.

    Raises:
        PatternError: it is malformed, or names another list.
    """
    if not isinstance(pattern, str) or not pattern.split():
        raise PatternError(f"a pattern is a text with words in it, not {pattern!r}")
    return Pattern.of(tuple(_element(text, names, language) for text in pattern.split()))


def _element(text: str, names: Set[str], language: str) -> Element:
    if text in _GAPS:
        return Element("gap", most=_GAPS[text])
    if text in ("^", "$"):
        return Element("begin" if text == "^" else "end")
    optional, text = text.endswith("?"), text.removesuffix("?")
    if text.startswith("{"):
        if not text.endswith("}") or text[1:-1] not in names:
            raise PatternError(f"no list is called {text}")
        return Element("list", text[1:-1], optional=optional)
    return _word_element(text, optional, language)


def _word_element(text: str, optional: bool, language: str) -> Element:
    if text.endswith("~"):
        return Element("stem", stem(text[:-1], language), optional=optional, language=language)
    if text.startswith("*"):
        return Element("suffix", text[1:], optional=optional)
    if text.endswith("*"):
        if len(text) <= _PREFIX:
            raise PatternError(f"{text!r} needs at least {_PREFIX} letters before the *")
        return Element("prefix", text[:-1], optional=optional)
    return Element("word", text, optional=optional)
