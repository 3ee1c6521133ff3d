"""Finds names in a question: capitalised words within a sentence."""

from typing import Final

import regex

from libs.language.known import language_of

_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[.'’_-][\p{L}\p{M}\p{N}]+)*")
_CAPITAL: Final = regex.compile(r"\p{Lu}")
_ENDS: Final = regex.compile(r"[.!?:…]\s*[\"'“‘«(]*\s*\Z")


def names_in(text: str, language: str) -> tuple[str, ...]:
    """The names in a text, without duplicates; none for a language that capitalises all nouns.

    The first word of a sentence counts only if it has a second capital.
    """
    if language_of(language).capitalises_nouns:
        return ()
    return tuple(dict.fromkeys(word[0] for word in _WORD.finditer(text) if _is_name(text, word)))


def _is_name(text: str, word: "regex.Match[str]") -> bool:
    opens = not text[: word.start()].strip("\"'“‘«( ") or _ENDS.search(text, 0, word.start())
    capitals = _CAPITAL.findall(word[0])
    if len(word[0]) == 1:
        return False
    return len(capitals) > 1 or (bool(capitals) and word[0][0].isupper() and not opens)
