"""Infers a document's title from its text, without I/O. Numbers that name no source are chosen by hand."""

import re
from functools import lru_cache
from typing import Final

from libs.contracts.structure import Structure
from libs.documents.ruled_headings import ruled_heading
from libs.language.known import any_word

SEARCHED: Final = 40
"""How many lines at the beginning of a plain text are searched for a title."""

_MADE_UP: Final = re.compile(  # what Office programs, TeX and converters to PDF write as a title by themselves
    r"(?:untitled|unbenannt|sans titre|new|neues)?(?: ?document\d*| ?dokument\d*)?|(?:word|google) document"
    r"|microsoft (?:word|powerpoint|excel) - .*|(?:powerpoint|slide) (?:presentation|deck)|workbook"
    r"|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|pdf)",
    re.IGNORECASE,
)


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
    """The title of a plain text: a `Title:` line, or a ruled heading at the beginning; else empty."""
    lines = text.split("\n", SEARCHED)[:SEARCHED]
    first_lines = [line for line in lines if line.strip()][:3]
    match = next((candidate for line in lines if (candidate := _title_pattern().fullmatch(line))), None)
    if match:
        return " ".join(match[1].split())
    heading = ruled_heading(first_lines)
    return heading.text if heading else ""


def is_made_up(title: str) -> bool:
    """Whether a title was inserted by a program rather than written by the author."""
    return _MADE_UP.fullmatch(title) is not None


@lru_cache(maxsize=1)
def _title_pattern() -> re.Pattern[str]:
    """A pattern for `Title: Moby Dick`; compiled on first use."""
    return re.compile(
        rf"\s*(?:{any_word(lambda language: language.title_words)})\s*[:：]\s*(\S.{{0,200}})", re.IGNORECASE
    )
