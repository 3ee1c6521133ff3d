"""Replaces like by like in the previous question: the weekday, number, code or name that a short turn is alone.

"0.46.0?" after "When was Starlette 0.44.0 released?" asks when 0.46.0 was. Of two names the one behind the same
preposition, or none, is the like: "And Spirit?" after "When did Phoenix land on Mars?" asks of Spirit. Times are read
before (`time_shift`), things elsewhere. No I/O of its own.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import regex

from libs.language.topics.calendar import Calendar
from libs.language.topics.grammar import Grammar
from libs.language.topics.numbers import Numbers
from libs.text.names import find_names
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems

_SHORTEST_NAME: Final = 3
"""Letters of a short form of a weekday that may also be another word: `sun` (taste)."""
_TOKEN: Final = regex.compile(r"[\p{L}\p{N}]+(?:[.,:+/_'’-][\p{L}\p{N}]+)*")
_NUMBER: Final = regex.compile(r"\p{N}+(?:[.,]\p{N}{3})*")
_CODE: Final = regex.compile(r"(?=.*\p{N}).+|\p{L}+(?:[+/_]\p{L}+)+")
"""A code has a digit, or letters joined as in `Ctrl+S`."""


class Part(NamedTuple):
    """A word of a kind, or a name, that another of its kind can replace."""

    text: str
    start: int
    end: int
    kind: str
    is_sure: bool = True


def replace_like(fragment: str, frame: str, language: str) -> str | None:
    """Return the previous question with what a fragment names in place of its like.

    Returns None if the fragment asks or names anything else, or if the question has nothing of its kind.
    """
    slots = [slot for slot in _parts(frame, language) if slot.is_sure]
    asked = {slot.text.lower() for slot in slots}
    parts = _without_inner(part for part in _parts(fragment, language) if part.text.lower() not in asked)
    if len(parts) != 1 or not _says_nothing(fragment, parts[0], frame, language):
        return None
    alike = [slot for slot in slots if slot.kind == parts[0].kind]
    place = _preposition(fragment, parts[0], language)
    like = next((slot for slot in alike if _preposition(frame, slot, language) == place), alike[0] if alike else None)
    return f"{frame[: like.start]}{parts[0].text}{frame[like.end :]}" if like else None


def _without_inner(parts: Iterable[Part]) -> list[Part]:
    """The parts without those within another one: `Pioneer 11` is no number."""
    every = list(parts)
    return [part for part in every if not any(o.start < part.start and part.end <= o.end for o in every)]


def _preposition(text: str, part: Part, language: str) -> str:
    """The preposition before a part; empty if there is none."""
    last = next(reversed(text[: part.start].lower().split()), "")
    return last if last in Grammar.of(language).prepositions else ""


def _says_nothing(fragment: str, part: Part, frame: str, language: str) -> bool:
    """Whether the words around a part only ask about it: `and …`, `what about …?`, `…?`."""
    grammar, before, after = Grammar.of(language), fragment[: part.start].lower(), fragment[part.end :].lower()
    opening, rest = before.split(), {*_TOKEN.findall(f"{before} {after}")}
    if not set(content_stems(f"{before} {after}", language)) <= set(content_stems(frame, language)):
        return False
    is_asked = bool(opening) or "?" in after or part.kind != "name"
    asks_more = not grammar.wh_words.isdisjoint(rest) and grammar.prepositions.isdisjoint(opening[-1:])
    return is_asked and not asks_more and grammar.auxiliaries.isdisjoint(rest)


def _parts(text: str, language: str) -> Iterator[Part]:
    """Yield the words of a kind, and the names of a single sentence; a code is no name."""
    for match in _TOKEN.finditer(text):
        if kind := _kind(match[0], language):
            yield Part(match[0], match.start(), match.end(), kind)
    for name in find_names(text, language) if len(split_sentences(text, language)) == 1 else ():
        if " " in name.text or not _kind(name.text, language):
            yield Part(name.text, name.start, name.end, "name", name.is_sure)


def _kind(word: str, language: str) -> str:
    """The kind of a word; empty if it has none."""
    weekdays, numbers, lower = Calendar.of(language).weekdays, Numbers.of(language), word.lower()
    is_name = len(word) > _SHORTEST_NAME or word[:1].isupper()
    if is_name and (lower in weekdays or lower.removesuffix("s") in weekdays):
        return "weekday"
    if _NUMBER.fullmatch(word) or (lower in numbers.values and lower not in numbers.pronouns | numbers.articles):
        return "number"
    return "code" if _CODE.fullmatch(word) else ""
