"""Picking an option of a clarifying question: "the second one", "yes", or the option's own words."""

from collections.abc import Sequence

from libs.text.calendar_words import ordinal_number
from libs.text.tokens import content_stems, words
from services.decompose.condense.ellipsis import body_of

_FILLING = frozenset(("the", "one", "option", "choice", "number", "please", "i", "mean", "meant", "about"))


def pick_option(turn: str, options: Sequence[str]) -> str | None:
    """Return the offered option that a turn picks; None if it picks none or is ambiguous."""
    content = [word for word in words(turn) if word not in _FILLING]
    if len(content) == 1 and (position := _position(content[0], len(options))) is not None:
        return options[position]
    if content in (["yes"], ["yeah"], ["sure"]):
        return options[0] if len(options) == 1 else None
    stems = set(content_stems(body_of(turn)))
    matching = [option for option in options if stems and stems <= set(content_stems(option))]
    exact = [option for option in options if stems and stems == set(content_stems(option))]
    matches = exact or matching
    return matches[0] if len(matches) == 1 else None


def _position(word: str, count: int) -> int | None:
    if word == "last":
        return count - 1 if count else None
    number = int(word) if word.isdecimal() else ordinal_number(word) or {"a": 1, "b": 2, "c": 3}.get(word)
    return number - 1 if number and number <= count else None
