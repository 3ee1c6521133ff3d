"""Infers a document's title from its text, without I/O. Numbers that name no source are chosen by hand."""

import re
from functools import lru_cache
from typing import Final

from libs.contracts.structure import Structure
from libs.documents.ruled_headings import ruled_level, ruled_title
from libs.language.known import any_word

SEARCHED: Final = 40
"""How many lines at the beginning of a plain text are searched for a title."""
MAX_LINES: Final = 4
"""Most lines of a title."""
CENTRED: Final = 3
"""Minimum indentation of a centred line."""
_WORDED: Final = re.compile(r"[^\W\d_]{3}")
_BRACKETED: Final = re.compile(r"\s*[\[<({*_].*[\])}>*_]\s*")


def main_heading(structure: Structure) -> str:
    """The first heading of the highest level; empty if several share a highest level below 1."""
    headings = structure.sections[1:]
    if not headings:
        return ""
    highest = min(section.level for section in headings)
    if highest > 1 and sum(section.level == highest for section in headings) > 1:
        return ""
    return next(section.heading for section in headings if section.level == highest)


def plain_title(text: str) -> str:
    """The title of a plain text: a `Title:` line, a ruled heading, or centred first lines; else empty."""
    lines = text.split("\n", SEARCHED)[:SEARCHED]
    first_lines = [line for line in lines if line.strip()][:3]
    match = next((candidate for line in lines if (candidate := _title_pattern().fullmatch(line))), None)
    if match:
        return " ".join(match[1].split())
    return ruled_title(first_lines) if ruled_level(first_lines) else _centred_title(lines)


@lru_cache(maxsize=1)
def _title_pattern() -> re.Pattern[str]:
    """A pattern for `Title: Moby Dick`; compiled on first use."""
    return re.compile(
        rf"\s*(?:{any_word(lambda language: language.title_words)})\s*[:：]\s*(\S.{{0,200}})", re.IGNORECASE
    )


def _centred_title(lines: list[str]) -> str:
    """The first group of centred lines; empty if it does not look like a title."""
    title_lines: list[str] = []
    for line in [*lines, ""]:
        if not line.strip():
            title = " ".join(" ".join(title_lines).split())
            if title:
                return title if len(title_lines) <= MAX_LINES and not title.endswith(".") else ""
            continue
        indent = len(line) - len(line.lstrip())
        gaps = re.search(r"\S\s{3,}\S", line)
        if indent >= CENTRED and not gaps and _WORDED.search(line) and not _BRACKETED.fullmatch(line):
            title_lines.append(line)
        elif title_lines:
            return ""
    return ""
