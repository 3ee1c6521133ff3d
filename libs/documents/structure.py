"""Validates and slices the structure of a document: sections under headings, blocks with their spans.

All formats share one model (`libs.contracts.structure`). File readers build it (`building`); Markdown and plain text
are parsed (`markdown`, `plain`). The corpus stores it, passages follow it, and answers quote whole blocks. No I/O.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.structure import Block, Part, Section, Structure

MAX_HEADING: Final = 4096  # characters; the limit of a heading in the API contract
MAX_DEPTH: Final = 100  # of sections in each other, as of list items in the API contract
MAX_PATH: Final = 2 * MAX_HEADING
"""Characters of the headings that lead to a section, as each of its passages is searched with them (taste)."""
_Place = tuple[int, int]
"""A section's depth, and the characters of the headings that lead to it."""


def check_structure(structure: Structure, length: int) -> None:
    """Check that a structure is valid for a text of this length.

    Raises:
        ValueError: a section or block doesn't fit; the message names it: `blocks[3].span: …`.
    """
    if not structure.sections:
        raise ValueError("sections: the first one is the document itself, and there is none")
    places: list[_Place] = []
    for position, section in enumerate(structure.sections):
        _check_section(section, position, length)
        places.append(_place(section, places))
        if not _fits(places[-1]):
            raise ValueError(
                f"sections[{position}].parent: at most {MAX_DEPTH} sections are in each other,"
                f" with {MAX_PATH:,} characters in their headings"
            )
    end = 0
    for position, block in enumerate(structure.blocks):
        place = f"blocks[{position}]"
        _check_within(block.span, Span(end, length), f"{place}.span")
        if not 0 <= block.section < len(structure.sections):
            raise ValueError(f"{place}.section: there are {len(structure.sections)} sections")
        _check_parts(block, place)
        end = block.span.end


def _place(section: Section, places: Sequence[_Place]) -> _Place:
    """The place of a section, given those of the earlier ones."""
    depth, characters = places[section.parent] if section.parent >= 0 else (-1, 0)
    return depth + 1, characters + len(section.heading)


def _fits(place: _Place) -> bool:
    return place[0] <= MAX_DEPTH and place[1] <= MAX_PATH


def _check_section(section: Section, position: int, length: int) -> None:
    place = f"sections[{position}]"
    if not -1 <= section.parent < position or (position > 0) != (section.parent >= 0):
        raise ValueError(f"{place}.parent: must be an earlier section, and -1 for the first one alone")
    if not 0 <= section.start <= length:
        raise ValueError(f"{place}.start: lies outside of the text")


def _check_parts(block: Block, place: str) -> None:
    end = block.span.start
    if block.header is not None:
        _check_within(block.header, block.span, f"{place}.header")
        end = block.header.end
    for position, part in enumerate(block.parts):
        _check_within(part.span, Span(end, block.span.end), f"{place}.parts[{position}].span")
        end = part.span.end


def _check_within(span: Span, bounds: Span, place: str) -> None:
    if not bounds.start <= span.start < span.end <= bounds.end:
        raise ValueError(f"{place}: must not be empty, and must lie in [{bounds.start}, {bounds.end})")


def slice_structure(structure: Structure, span: Span) -> Structure:
    """The structure of a span of the text: all sections, and the blocks clipped to the span."""

    def within(inner: Span) -> Span:
        """The span clipped and shifted; empty if it lies outside."""
        start, end = (min(max(place, span.start), span.end) - span.start for place in (inner.start, inner.end))
        return Span(start, end)

    sections = (replace(s, start=min(max(s.start, span.start), span.end) - span.start) for s in structure.sections)
    blocks = (
        replace(
            block,
            span=within(block.span),
            parts=tuple(Part(within(part.span), part.depth, part.row) for part in _parts_within(block.parts, span)),
            header=within(block.header) if block.header and block.header.overlaps(span) else None,
        )
        for block in structure.blocks
        if block.span.overlaps(span)
    )
    return Structure(tuple(sections), tuple(blocks))


def _parts_within(parts: Sequence[Part], span: Span) -> Sequence[Part]:
    """The parts that lie in a span at least partly; a table may have a million rows."""
    first = bisect_right(parts, span.start, key=lambda part: part.span.end)
    return parts[first : bisect_left(parts, span.end, key=lambda part: part.span.start)]


def sections_of(headings: Iterable[Section]) -> tuple[Section, ...]:
    """The document, and its headings in order, each with its parent.

    That is the nearest preceding heading of a higher level, else the document; 1 is the highest level. A heading that
    would be too deep for `check_structure` is in a section further out, and one that is too long is cut.
    """
    sections, above, places = [Section()], [0], [(0, 0)]
    for position, heading in enumerate(headings, start=1):
        section = replace(heading, heading=heading.heading[:MAX_HEADING], parent=above[-1])
        while sections[above[-1]].level >= heading.level or not _fits(_place(section, places)):
            above.pop()
            section = replace(section, parent=above[-1])
        sections.append(section)
        places.append(_place(section, places))
        above.append(position)
    return tuple(sections)
