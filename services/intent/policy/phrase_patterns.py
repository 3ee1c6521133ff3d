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
from collections.abc import Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from libs.language.characters import plain_form, without_ignorable
from libs.text.tokens import stem, tokenize

GAPS: Final = MappingProxyType({"..": 2, "...": 6})
"""The longest of each kind of gap, in words."""
_HYPHENS: Final = re.compile(r"[-‐‑/]")
_ELEMENT: Final = re.compile(
    r"(?P<gap>\.\.\.?)|(?:\{(?P<list>\w+)\}|(?P<prefix>[^{].{2,})\*|\*(?P<suffix>.+)|(?P<stem>[^{].*)~|(?P<word>[^{*]+?))(?P<optional>\?)?"
)
_PREFIX: Final = 3
"""Minimum length of a prefix before `*`, and the number of letters that the index looks up (taste)."""


class PatternError(ValueError):
    """A pattern is malformed, names an unknown list, or a list refers back to itself."""


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a pattern."""

    kind: str
    """word, prefix, suffix, stem, list or gap."""
    value: str
    optional: bool = False

    @property
    def key(self) -> str:
        """Index key (see `keys_of`) of words that may fit."""
        return {"prefix": f"{self.value[:_PREFIX]}*", "stem": f"{self.value}~"}.get(self.kind, self.value)

    def fits(self, word: str, language: str) -> bool:
        """Whether a word matches this element, which is of kind word, prefix, suffix or stem."""
        if self.kind == "stem":
            return stem(word, language) == self.value
        if self.kind == "prefix":
            return word.startswith(self.value)
        return word.endswith(self.value) if self.kind == "suffix" else word == self.value


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern, with what a sentence needs for it to match."""

    elements: tuple[Element, ...]
    keys: frozenset[str]
    """Keys of its required words."""
    lists: tuple[str, ...]
    """Its required lists."""


def words_of(sentence: str) -> tuple[str, ...]:
    """Return the words as patterns see them: between `^` and `$`, in lower case, without hyphens (`husband's`)."""
    text = plain_form(without_ignorable(sentence)).lower().replace("’", "'")
    return ("^", *(part for token in tokenize(text) for part in _HYPHENS.split(token.text) if part), "$")


def keys_of(word: str, language: str) -> tuple[str, str, str]:
    """Return the index keys of a word: itself, its first letters and `*`, its stem and `~`."""
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
    elements = tuple(_element(text, language) for text in pattern.split())
    required = [element for element in elements if not element.optional]
    lists = tuple(element.value for element in elements if element.kind == "list")
    if unknown := next((name for name in lists if name not in names), None):
        raise PatternError(f"no list is called {{{unknown}}}")
    return Pattern(
        elements,
        frozenset(element.key for element in required if element.kind in ("word", "prefix", "stem")),
        tuple(element.value for element in required if element.kind == "list"),
    )


def _element(text: str, language: str) -> Element:
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise PatternError(f"{text!r} is no word, list or gap; a * needs at least {_PREFIX} letters before it")
    kind, value = next(
        (kind, match[kind]) for kind in ("gap", "list", "prefix", "suffix", "stem", "word") if match[kind]
    )
    return Element(kind, stem(value, language) if kind == "stem" else value, match["optional"] is not None)
