"""Finds names in a question: capitalised words within a sentence."""

from collections.abc import Iterator
from typing import Final

import regex

from libs.language.known import language_of

_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[.'’_-][\p{L}\p{M}\p{N}]+)*")
_CAPITAL: Final = regex.compile(r"\p{Lu}")
_ENDS: Final = regex.compile(r"[.!?:…]\s*+[\"'“‘«(]*+\s*+\Z")


def names_in(text: str, language: str) -> tuple[str, ...]:
    """The names in a text, without duplicates; none for a language that capitalises all nouns.

    The first word of a sentence counts only if it has a second capital.
    """
    if language_of(language).capitalises_nouns:
        return ()
    return tuple(dict.fromkeys(_names(text)))


def _names(text: str) -> Iterator[str]:
    end = 0
    for word in _WORD.finditer(text):
        before = text[end : word.start()]
        opens = _ENDS.search(before) is not None or (end == 0 and not before.strip("\"'“‘«( "))
        if _is_name(word[0], opens):
            yield word[0]
        end = word.end()


def _is_name(word: str, opens: bool) -> bool:
    """Whether a word is a name; `opens`: it is the first of its sentence."""
    capitals = len(_CAPITAL.findall(word))
    return len(word) > 1 and (capitals > 1 or (capitals == 1 and word[0].isupper() and not opens))
