"""Replaces like by like in the previous question: a weekday, number or code that a short turn is alone.

"0.46.0?" after "When was Starlette 0.44.0 released?" asks when 0.46.0 was. Times are read before (`time_shift`), names
and things elsewhere. No I/O of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

import regex

from libs.language.known import language_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.grammar import Grammar
from libs.language.topics.numbers import Numbers

MAX_WORDS: Final = 6
"""Maximum words of such a turn (taste)."""
_SHORTEST_NAME: Final = 3
"""Letters of a short form of a weekday that may also be another word: `sun` (taste)."""
_TOKEN: Final = regex.compile(r"[\p{L}\p{N}]+(?:[.,:+/_'’-][\p{L}\p{N}]+)*")
_NUMBER: Final = regex.compile(r"\p{N}+(?:[.,]\p{N}{3})*")
_CODE: Final = regex.compile(r"(?=.*\p{N}).+|\p{L}+(?:[+/_]\p{L}+)+")
"""A code has a digit, or letters joined as in `Ctrl+S`."""


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a kind that another of its kind can replace."""

    text: str
    start: int
    end: int
    kind: str


def replace_like(fragment: str, frame: str, language: str) -> str | None:
    """Return the previous question with what a fragment names in place of its like.

    Returns None if the fragment asks or names anything else, or if the question has nothing of its kind.
    """
    words = _TOKEN.findall(fragment)
    if not 0 < len(words) <= MAX_WORDS or _asks(words, language):
        return None
    slots, swaps = list(_parts(frame, language)), list[tuple[Part, Part]]()
    asked = {slot.text.lower() for slot in slots}
    parts = [part for part in _parts(fragment, language) if part.text.lower() not in asked]
    known = {part.text.lower() for part in parts} | {word.lower() for word in _TOKEN.findall(frame)}
    if not parts or any(word.lower() not in known | language_of(language).stop_words for word in words):
        return None
    for part in parts:
        likes = [slot for slot in slots if slot.kind == part.kind]
        if not likes:
            return None
        slot = max(likes, key=lambda like: (_likeness(part, like), -like.start))
        slots.remove(slot)
        swaps.append((slot, part))
    for slot, part in sorted(swaps, key=lambda swap: -swap[0].start):
        frame = f"{frame[: slot.start]}{part.text}{frame[slot.end :]}"
    return frame


def _asks(words: Sequence[str], language: str) -> bool:
    """Whether a fragment has a question word or an auxiliary."""
    grammar = Grammar.of(language)
    return not (grammar.wh_words | grammar.auxiliaries).isdisjoint(word.lower() for word in words)


def _parts(text: str, language: str) -> tuple[Part, ...]:
    found = ((match, _kind(match[0], language)) for match in _TOKEN.finditer(text))
    return tuple(Part(match[0], match.start(), match.end(), kind) for match, kind in found if kind)


def _kind(word: str, language: str) -> str:
    """The kind of a word; empty if it has none."""
    weekdays, numbers, lower = Calendar.of(language).weekdays, Numbers.of(language), word.lower()
    is_name = len(word) > _SHORTEST_NAME or word[:1].isupper()
    if is_name and (lower in weekdays or lower.removesuffix("s") in weekdays):
        return "weekday"
    if _NUMBER.fullmatch(word) or (lower in numbers.values and lower not in numbers.pronouns | numbers.articles):
        return "number"
    return "code" if _CODE.fullmatch(word) else ""


def _likeness(part: Part, slot: Part) -> tuple[int, bool]:
    """How alike two words are written: the letters that they begin with alike, and whether they have one shape."""
    shapes = [regex.sub(r"\p{N}+", "0", each.text) for each in (part, slot)]
    pairs = zip(part.text.lower(), slot.text.lower(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)), shapes[0] == shapes[1]
