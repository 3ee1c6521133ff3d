"""Splits a text into blocks, whose boundaries no sentence crosses.

A blank line, a Markdown heading, a list item, a table row, a rule and a deliberate line break each end a block.
Structure marks (`#`, `-`, `1.`, `>`, `---`, code fences) are not part of a block. Lengths: CommonMark's, or taste.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_LINE_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_ONLY_MARKS = re.compile(r"[\s\-*_=~`#>|:+]*\Z|\s*(?:```|~~~)")
_QUOTE_MARK = re.compile(r"[ \t>]*")
_HEADING_MARK = re.compile(r"#{1,6}[ \t]+")
_ITEM_MARK = re.compile(r"(?:[-*+•‣▪·]|\(?\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|(?=\|)")

_WORD = re.compile(r"\S+")

_Line: TypeAlias = tuple[int, int]
"""Start and end offsets of a line."""

_RAGGED = 0.7
"""A line shorter than this share of the widest one was broken deliberately, not wrapped (taste)."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A span [start, end) of the text, without leading marks and surrounding white space."""

    start: int
    end: int
    heading: bool = False


def split_blocks(text: str) -> Iterator[TextBlock]:
    """The blocks of a text, in order; each has content besides white space and structure marks."""
    paragraph: list[_Line] = []
    end_of_last = 0
    for line in _LINE.finditer(text):
        start, end = line.span()
        if start - end_of_last > 1 and len(_LINE_BREAKS.findall(text, end_of_last, start)) > 1:
            yield from _close(text, paragraph)
        end_of_last = end
        if text[start].isalpha():  # no mark is a letter
            paragraph.append((start, end))
            continue
        if _ONLY_MARKS.match(line[0]):
            yield from _close(text, paragraph)
            continue
        start += len(_QUOTE_MARK.match(line[0])[0])  # type: ignore[index]  # matches the empty string too
        if heading := _HEADING_MARK.match(text, start, end):
            yield from _close(text, paragraph)
            yield from _trim(text, heading.end(), end, heading=True)
        elif item := _ITEM_MARK.match(text, start, end):
            yield from _close(text, paragraph)
            paragraph.append((item.end(), end))
        else:
            paragraph.append((start, end))
    yield from _close(text, paragraph)


def _close(text: str, lines: list[_Line]) -> Iterator[TextBlock]:
    """Yield the collected lines as one block, or several at deliberate line breaks; empty `lines`."""
    if not lines:
        return
    first = lines[0][0]
    if len(lines) > 1:
        most = _RAGGED * max([end - start for start, end in lines])
        for line, following in pairwise(lines):
            if _broken_on_purpose(text, line, following, most):
                yield from _trim(text, first, line[1])
                first = following[0]
    yield from _trim(text, first, lines[-1][1])
    lines.clear()


def _broken_on_purpose(text: str, line: _Line, following: _Line, most: float) -> bool:
    """Whether the next line's first word would have fitted into this line, and the line does not continue there."""
    room = most - (line[1] - line[0] + 1)
    if room < 1:
        return False
    first_word = _WORD.search(text, *following)[0]  # type: ignore[index]  # a line of a paragraph has one
    goes_on = first_word[0].islower() or text[line[0] : line[1]].rstrip().endswith((",", ";", "-", "–", "—"))
    return len(first_word) <= room and not goes_on


def _trim(text: str, start: int, end: int, heading: bool = False) -> Iterator[TextBlock]:
    if start < end and (text[start].isspace() or text[end - 1].isspace()):
        stretch = text[start:end]
        start += len(stretch) - len(stretch.lstrip())
        end -= len(stretch) - len(stretch.rstrip())
    if start < end:
        yield TextBlock(start, end, heading)
