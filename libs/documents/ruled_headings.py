"""Recognises plain text headings with a rule (`=====`, `-----`) below, and optionally above.

Numbers that name no source are chosen by hand.
"""

import re
from collections.abc import Sequence
from typing import Final

_RULE: Final = re.compile(r"\s*(?P<sign>[=\-~^*#+_])(?P=sign){2,}\s*")
_COLUMNS: Final = re.compile(r"\S(?:[ ]{3,}|[ ]*[\t|][ ]*)\S")
_WORDS: Final = re.compile(r"[^\W_]")
LEVELS: Final = {"=": 1, "-": 2}
"""Heading level by the character of the rule; other characters give `LOWEST`."""
LOWEST: Final = 3  # heading level (taste)
_LONGEST: Final = 100
"""Maximum length of a heading, in characters."""


def ruled_level(lines: Sequence[str]) -> int:
    """The level of the ruled heading at the start of the lines, 1 the highest; 0 if there is none."""
    above = _sign(lines[0]) if lines else ""
    first = 1 if above else 0
    if len(lines) < first + 2:
        return 0
    title, sign = lines[first].strip(), _sign(lines[first + 1])
    if not sign or (above and above != sign) or not _is_title(title) or not _fits(title, lines[first + 1]):
        return 0
    return LEVELS.get(sign, LOWEST)


def ruled_lines(lines: Sequence[str]) -> int:
    """How many lines a ruled heading takes with its rules; valid only if `ruled_level` is not 0."""
    return 3 if _sign(lines[0]) else 2


def ruled_title(lines: Sequence[str]) -> str:
    """The text of a ruled heading; valid only if `ruled_level` is not 0."""
    return " ".join(lines[1 if _sign(lines[0]) else 0].split())


def _sign(line: str) -> str:
    rule = _RULE.fullmatch(line)
    return rule["sign"] if rule else ""


def _is_title(line: str) -> bool:
    return len(line) <= _LONGEST and bool(_WORDS.search(line)) and not _COLUMNS.search(line)


def _fits(title: str, rule: str) -> bool:
    """Whether a rule is about as long as the title; a rule across the page is a separator instead."""
    return 0.6 * len(title) <= len(rule.strip()) <= 1.5 * len(title) + 3
