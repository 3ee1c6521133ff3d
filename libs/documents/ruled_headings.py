"""Recognises plain text headings with a rule (`=====`, `-----`) below, and optionally above.

Numbers that name no source are chosen by hand.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_RULE: Final = re.compile(r"\s*([=\-~^*#+_])\1{2,}\s*")
_COLUMNS: Final = re.compile(r"\S(?:[ ]{3,}|[ ]*[\t|][ ]*)\S")
_WORDS: Final = re.compile(r"[^\W_]")
LEVELS: Final = {"=": 1, "-": 2}
"""Heading level by the character of the rule; other characters give `LOWEST`."""
LOWEST: Final = 3  # heading level (taste)


@dataclass(frozen=True, slots=True)
class RuledHeading:
    """A heading with its rules."""

    text: str
    level: int
    lines: int
    """How many lines it takes."""


def ruled_heading(lines: Sequence[str]) -> RuledHeading | None:
    """The ruled heading at the start of the lines; a rule is about as long as its heading, a longer one parts pages."""
    above = [line.strip()[0] for line in lines[:1] if _RULE.fullmatch(line)]
    title, rule = (" ".join(line.split()) for line in (*lines, "", "", "")[len(above) : len(above) + 2])
    if not _RULE.fullmatch(rule) or above not in ([], [rule[0]]):
        return None
    if not _WORDS.search(title) or _COLUMNS.search(lines[len(above)].strip()):
        return None
    fits = 0.6 * len(title) <= len(rule) <= 1.5 * len(title) + 3
    return RuledHeading(title, LEVELS.get(rule[0], LOWEST), len(above) + 2) if fits else None
