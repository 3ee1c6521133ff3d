"""Reads what an answer lists, so that a later turn may count in it: `the second one`.

The items of a list, or else numbers within a sentence.
"""

from typing import Final

import regex

LONGEST: Final = 80
"""Maximum characters of an item that is a name and not a statement (taste)."""
_MARKUP: Final = regex.compile(r"\*\*|\s?(?<!\\)\[\d{1,3}\](?!\()")
_ITEM: Final = regex.compile(r"(?m)^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+(?P<item>\S.*)$")
_NUMBERED: Final = regex.compile(
    r"(?<![\p{N}.])(?P<number>\d{1,2})[.)]\s(?P<item>.+?)(?=[,;]?\s\d{1,2}[.)]\s|[.;]?\s{0,8}\Z|\n)"
)
_HEAD_END: Final = regex.compile(r":\s|\s[-–—|(]\s?|[.;]\s|,\s")


def listed_items(text: str) -> tuple[str, ...]:
    """The things that an answer lists, in order, without what it says about each; empty unless two or more."""
    plain = _MARKUP.sub("", text)
    marked = [_head(match["item"]) for match in _ITEM.finditer(plain)]
    numbered = list(_NUMBERED.finditer(plain))
    counts = [int(match["number"]) for match in numbered] == list(range(1, len(numbered) + 1))
    heads = [_head(match["item"]) for match in numbered] if counts else []
    return next((tuple(items) for items in (marked, heads) if len(items) > 1), ())


def _head(item: str) -> str:
    """The name at the beginning of an item: `Haus Linde` of `Haus Linde: 45 euros a night`."""
    head: str = _HEAD_END.split(item.strip(), maxsplit=1)[0].strip(" .,;:")
    return head if len(head) <= LONGEST else head[:LONGEST].rsplit(" ", 1)[0]
