"""Recognises greetings, thanks and approval: turns without a question, and the reply in their language.

A turn is courteous if it consists of such words, optionally followed by a statement (`thanks, that worked`). Anything
that may be a question (`thanks, and the price?`) counts as a question. The languages' data is read on first use.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

import regex

from libs.language.detection import detect_language
from libs.language.files import known_languages
from libs.language.known import ENGLISH, language_of

LONGEST: Final = 120
"""Maximum length of such a turn, in characters (taste)."""
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}]+)*")
_ASKS: Final = regex.compile(r"[?？؟]")
_CLAUSE: Final = regex.compile(r"[.!,;:…。！，、\n–—]+")


class Courtesy(StrEnum):
    """The kind of a courteous turn."""

    GREETING = "greeting"
    THANKS = "thanks"
    APPROVAL = "approval"


@dataclass(frozen=True, slots=True)
class CourteousTurn:
    """A turn without a question."""

    courtesy: Courtesy
    language: str

    @property
    def reply(self) -> str:
        """A one-sentence reply in the turn's language; empty if there is none in that language."""
        return language_of(self.language).phrases.get(f"reply_{self.courtesy}", "")


@lru_cache(maxsize=4096)  # taste
def read_courtesy(turn: str) -> CourteousTurn | None:
    """Recognise a courteous turn; None if it may contain a question."""
    if len(turn) > LONGEST or _asks(turn):
        return None
    for code in _languages(turn):
        if (courtesy := _courtesy_of(turn, code)) is not None:
            return CourteousTurn(courtesy, code)
    return None


def _asks(turn: str) -> bool:
    """Whether a turn has a question mark and is not a greeting such as `How are you?`."""
    if not _ASKS.search(turn):
        return False
    words = " ".join(word.lower() for word in _WORD.findall(turn))
    return not any(words.endswith(greeting) for code in known_languages() for greeting in language_of(code).greetings)


def _languages(turn: str) -> Sequence[str]:
    """The languages to try, the detected one first: words such as `super` occur in several."""
    language = detect_language(turn)
    first = [code for code in (language, ENGLISH) if code in known_languages()]
    return tuple(dict.fromkeys((*first, *known_languages()))) if first else known_languages()


def _courtesy_of(turn: str, code: str) -> Courtesy | None:
    language = language_of(code)
    kinds = {
        Courtesy.THANKS: language.thanks,
        Courtesy.GREETING: language.greetings,
        Courtesy.APPROVAL: language.approvals,
    }
    courtesies: set[Courtesy] = set()
    for clause in _CLAUSE.split(turn.lower().replace("’", "'")):
        rest = clause.strip()
        while rest and (opening := _leading(rest, kinds)) is not None:
            kind, end = opening
            courtesies.add(kind)
            rest = rest[end:].strip()
        if rest and not (courtesies and _is_statement(rest, language.statement_openers)):
            return None
    return next((kind for kind in kinds if kind in courtesies), None)


def _leading(text: str, kinds: dict[Courtesy, tuple[str, ...]]) -> tuple[Courtesy, int] | None:
    """The kind and end of the longest phrase that a text begins with; None if there is none."""
    best: tuple[Courtesy, int] | None = None
    for kind, phrases in kinds.items():
        match = _pattern(phrases).match(text) if phrases else None
        if match and (best is None or match.end() > best[1]):
            best = kind, match.end()
    return best


@lru_cache(maxsize=64)  # taste
def _pattern(phrases: Iterable[str]) -> "regex.Pattern[str]":
    longest_first = sorted(phrases, key=len, reverse=True)
    return regex.compile("(?:" + "|".join(map(_whole_words, longest_first)) + ")")


def _whole_words(phrase: str) -> str:
    """A pattern of whole words, except in scripts without spaces."""
    words = regex.escape(phrase)
    return words if regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", phrase) else rf"{words}(?![\p{{L}}\p{{N}}])"


def _is_statement(rest: str, openers: frozenset[str]) -> bool:
    words = _WORD.findall(rest)
    return not words or words[0] in openers
