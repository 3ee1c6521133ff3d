"""A passage in its section: its location, then the section's text with a bar beside the passage's lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from cli.view.output import one_line, printable
from parley.context.v1 import evidence_pb2
from parley.retrieve.v1 import corpus_pb2

BAR: Final = "┃ "
BLANK: Final = "  "
MAX_AROUND: Final = 1500
"""Maximum characters of a section that are shown before and after a passage."""
WIDTH: Final = 100
"""Columns of a line, without its bar."""
CUT: Final = "…"
PARTED: Final = " > "

Place = tuple[int, int]
"""Start and end of a range of characters; the end is exclusive."""


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A section of a document with a marked range."""

    document_id: str
    place: str
    """Title and headings."""
    details: str
    """Id, page, date, url."""
    text: str
    """Text of the document."""
    start: int
    end: int
    """Start and end of the section in the text."""
    mark: Place


def marked_section(passage: evidence_pb2.Passage, document: corpus_pb2.Document) -> MarkedSection:
    """Return the section that contains a passage; the passage alone if its document is missing or has changed."""
    mark, text = (passage.span.start, passage.span.end), document.text
    if mark[0] < mark[1] <= len(text):
        start, end = _section(document, mark[0])
    else:
        text, mark = passage.text, (0, len(passage.text))
        start, end = mark
    headings = [heading for heading in passage.headings if heading != passage.title]
    place = PARTED.join([passage.title or passage.document_id, *headings])
    page = f"page {passage.page}" if passage.page else ""
    details = ", ".join(filter(None, (passage.passage_id, page, passage.date, passage.url)))
    return MarkedSection(passage.document_id, place, details, text, start, max(end, mark[1]), mark)


def section_lines(section: MarkedSection, marks: Sequence[Place]) -> list[str]:
    """Return the lines to print; text far from the marked ranges, which may overlap, is left out."""
    marks = sorted(marks)
    first, last = _shown_range(section, marks[0][0], max(end for _, end in marks))
    lines = [f"{BLANK}{CUT}"] if first > section.start else []
    place = first
    for start, end in marks:
        lines += [*_lines(section.text[place:start], BLANK), *_lines(section.text[max(start, place) : end], BAR)]
        place = max(place, end)
    lines += _lines(section.text[place:last], BLANK)
    while lines and not lines[-1].strip():
        lines.pop()
    if last < section.end:
        lines.append(f"{BLANK}{CUT}")
    return [one_line(section.place), one_line(section.details), "", *lines]


def _shown_range(section: MarkedSection, start: int, end: int) -> Place:
    """The part of a section to print: whole lines around what is marked."""
    first, last = section.start, section.end
    if start - first > MAX_AROUND:
        near = start - MAX_AROUND
        first = section.text.find("\n", near, start) + 1 or near
    if last - end > MAX_AROUND:
        last = max(section.text.rfind("\n", end, end + MAX_AROUND), end)
    return first, last


def _section(document: corpus_pb2.Document, place: int) -> Place:
    """The innermost section that contains a position, up to the next heading."""
    starts = [section.start for section in document.structure.sections]
    start = max((start for start in starts if start <= place), default=0)
    return start, min((start for start in starts if start > place), default=len(document.text))


def _lines(text: str, mark: str) -> list[str]:
    """Return the text as wrapped lines with a mark before each; line breaks at its ends add no empty lines."""
    text = printable(text)
    if text in ("", "\n"):
        return []
    lines = text.removeprefix("\n").removesuffix("\n").split("\n")
    return [f"{mark}{part}".rstrip() for line in lines for part in _wrap(line)]


def _wrap(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
