"""A passage in its section: where it stands, then the section's text with a bar at the left of the passage's lines."""

from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Final

from cli.output import one_line, printable
from parley.context.v1 import evidence_pb2
from parley.retrieve.v1 import corpus_pb2

BAR: Final = "┃ "
BLANK: Final = "  "
MOST_AROUND: Final = 1500
"""Characters of a section that are shown before and after a passage."""
WIDTH: Final = 100
"""Columns of a line, its bar left out."""
CUT: Final = "…"
PARTED: Final = " > "

Place = tuple[int, int]
"""First character, and the one after the last."""


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A section of a document, and what is marked in it."""

    document_id: str
    place: str
    """Title and headings."""
    details: str
    """Id, page, date, url."""
    text: str
    """The document's."""
    start: int
    end: int
    """Of the section."""
    marks: tuple[Place, ...]
    """In the order of the text; they do not overlap."""

    def joined(self, other: "MarkedSection") -> "MarkedSection":
        """The same section with the marks of both."""
        marks: list[Place] = []
        for start, end in sorted((*self.marks, *other.marks)):
            first = max(start, marks[-1][1]) if marks else start
            if first < end:
                marks.append((first, end))
        return replace(self, marks=tuple(marks))


def marked_section(passage: evidence_pb2.Passage, document: corpus_pb2.Document) -> MarkedSection:
    """The section that a passage stands in; the passage alone where its document is not to be had, or has changed."""
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
    return MarkedSection(passage.document_id, place, details, text, start, max(end, mark[1]), (mark,))


def section_lines(section: MarkedSection) -> list[str]:
    """The lines to be printed; what lies far from the passage is left out."""
    first, last = _shown(section)
    lines = [f"{BLANK}{CUT}"] if first > section.start else []
    place = first
    for start, end in section.marks:
        lines += [*_lines(section.text[place:start], BLANK), *_lines(section.text[start:end], BAR)]
        place = end
    lines += _lines(section.text[place:last], BLANK)
    while lines and not lines[-1].strip():
        lines.pop()
    if last < section.end:
        lines.append(f"{BLANK}{CUT}")
    return [one_line(section.place), one_line(section.details), "", *lines]


def _shown(section: MarkedSection) -> Place:
    """What of a section is printed: whole lines around the passage."""
    first, last = section.start, section.end
    if section.marks[0][0] - first > MOST_AROUND:
        near = section.marks[0][0] - MOST_AROUND
        first = section.text.find("\n", near, section.marks[0][0]) + 1 or near
    if last - section.marks[-1][1] > MOST_AROUND:
        near = section.marks[-1][1] + MOST_AROUND
        last = max(section.text.rfind("\n", section.marks[-1][1], near), section.marks[-1][1])
    return first, last


def _section(document: corpus_pb2.Document, place: int) -> Place:
    """The innermost section that a place lies in, up to the next heading."""
    starts = [section.start for section in document.structure.sections]
    start = max((start for start in starts if start <= place), default=0)
    return start, min((start for start in starts if start > place), default=len(document.text))


def _lines(text: str, mark: str) -> list[str]:
    """The text behind a mark, its long lines wrapped. A line's end beside a mark is no line of its own."""
    text = printable(text)
    if text in ("", "\n"):
        return []
    lines = text.removeprefix("\n").removesuffix("\n").split("\n")
    return [f"{mark}{part}".rstrip() for line in lines for part in _wrapped(line)]


def _wrapped(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
