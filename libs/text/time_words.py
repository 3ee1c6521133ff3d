"""Values of words in time phrases: `last` and `next` as steps, the day of a month as a number."""

import re

_STEPS = {"last": -1, "previous": -1, "this past": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}


def words_of(phrase: str) -> str:
    """The phrase in lower case, with single spaces and straight apostrophes."""
    return " ".join(phrase.lower().replace("’", "'").split())


def day_number(word: str) -> int:
    """The number of a day of a month: `5`, `5th`."""
    return int(re.sub(r"\D", "", word))


def step_told(match: re.Match[str]) -> int:
    """-1 for `last`, 0 for `this`, 1 for `next`, from the group `which`."""
    return _STEPS[words_of(match["which"]).removeprefix("the ")]


def step_if_told(match: re.Match[str]) -> int | None:
    """The same as `step_told`, but None if the group did not match."""
    return step_told(match) if match["which"] else None
