"""Reads what an answer lists, so that a later turn may count in it: `the second one`.

The items of a list, numbers within a sentence, or what a sentence joins: `A, B and C`. Of several, the last counts.
"""

from itertools import chain, takewhile
from typing import Final

import regex

from libs.language.known import language_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.turns import Picks
from libs.language.turns.wordings import WORD

LONGEST: Final = 80
"""Maximum characters of an item that is a name and not a statement (taste)."""
MAX_WORDS: Final = 5
"""Maximum words of an item within a sentence (taste)."""
_MARKUP: Final = regex.compile(r"\*\*|\s?(?<!\\)\[\d{1,3}\](?!\()")
_ITEM: Final = regex.compile(r"(?m)^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+(?P<item>\S.*)$")
_NUMBERED: Final = regex.compile(
    r"(?<![\p{N}.])(?P<number>\d{1,2})[.)]\s(?P<item>.+?)(?=[,;]?\s\d{1,2}[.)]\s|[.;]?\s{0,8}\Z|\n)"
)
_HEAD_END: Final = regex.compile(r":\s|\s[-–—|(]\s?|[.;]\s|,\s")
_SENTENCE_END: Final = regex.compile(r"(?<=[.!?。])\s+|\n+")


def listed_items(text: str, language: str) -> tuple[str, ...]:
    """The things that an answer lists, in order, without what it says about each; empty unless two or more."""
    plain = _MARKUP.sub("", text)
    marked = [_head(match["item"]) for match in _ITEM.finditer(plain)]
    numbered = list(_NUMBERED.finditer(plain))
    counts = [int(match["number"]) for match in numbered] == list(range(1, len(numbered) + 1))
    heads = [_head(match["item"]) for match in numbered] if counts else []
    in_sentences = (_joined_in(sentence.strip(" .!?"), language) for sentence in reversed(_SENTENCE_END.split(plain)))
    return next((tuple(items) for items in chain((marked, heads), in_sentences) if len(items) > 1), ())


def _head(item: str) -> str:
    """The name at the beginning of an item: `Haus Linde` of `Haus Linde: 45 euros a night`."""
    head: str = _HEAD_END.split(item.strip(), maxsplit=1)[0].strip(" .,;:")
    return head if len(head) <= LONGEST else head[:LONGEST].rsplit(" ", 1)[0]


def _joined_in(sentence: str, language: str) -> list[str]:
    """What a sentence joins by commas and `and`; empty if it joins nothing, or more than names."""
    conjunctions = "|".join(map(regex.escape, sorted(Picks.of(language).conjunctions))) or r"(?!)"
    parts = regex.split(rf",?\s(?:{conjunctions})\s|,\s", sentence.rsplit(": ", 1)[-1])
    joins = regex.search(rf"\s(?:{conjunctions})\s", sentence) is not None
    if len(parts) < (2 if joins else 3):
        return []
    items = [_bare(part, language) for part in parts]
    return items if all(0 < len(WORD.findall(item)) <= MAX_WORDS for item in items) else []


def _bare(part: str, language: str) -> str:
    """A part without the stop words and ordinals before it: `the second from Dundee` is `Dundee`."""
    little, places = language_of(language).stop_words, {*Picks.of(language).last, *Calendar.of(language).ordinals}
    words = list(WORD.finditer(part))
    skipped = len(list(takewhile(lambda word: word[0].lower() in little or word[0] in places, words)))
    return part[words[skipped].start() :].strip() if skipped < len(words) else ""
