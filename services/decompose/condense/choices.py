"""Picking an option of a clarifying question: "the second one", "yes", or the option's own words."""

from collections.abc import Sequence

from libs.text.calendar_words import ordinal_number
from libs.text.tokens import content_stems, words
from services.decompose.condense.ellipsis import body_of

_FILLING = frozenset(("the", "one", "option", "choice", "number", "please", "i", "mean", "meant", "about"))


def picked(turn: str, offered: Sequence[str]) -> str | None:
    """Return the offered option that a turn picks; None if it picks none or is ambiguous."""
    said = [word for word in words(turn) if word not in _FILLING]
    if len(said) == 1 and (position := _position(said[0], len(offered))) is not None:
        return offered[position]
    if said in (["yes"], ["yeah"], ["sure"]):
        return offered[0] if len(offered) == 1 else None
    wanted = set(content_stems(body_of(turn)))
    matching = [choice for choice in offered if wanted and wanted <= set(content_stems(choice))]
    exact = [choice for choice in offered if wanted and wanted == set(content_stems(choice))]
    found = exact or matching
    return found[0] if len(found) == 1 else None


def _position(word: str, count: int) -> int | None:
    if word == "last":
        return count - 1 if count else None
    number = int(word) if word.isdecimal() else ordinal_number(word) or {"a": 1, "b": 2, "c": 3}.get(word)
    return number - 1 if number and number <= count else None
