"""Blocks: the pieces of a text that no sentence crosses.

A blank line, a Markdown or wiki heading, a list item, a table row, a rule and a deliberate line break each end a block.
Structure marks (`#`, `-`, `1.`, `>`, `---`, code fences) belong to no block.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_LINE_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_ONLY_MARKS = re.compile(r"[\s\-*_=~`#>|:+]*\Z|\s*(?:```|~~~)")
_UNDERLINE = re.compile(r"\s*(?:={2,}|-{2,})\s*\Z")
_QUOTE_MARK = re.compile(r"[ \t>]*")
_HEADING_MARK = re.compile(r"#{1,6}[ \t]+|={2,6}[ \t]*(?=[^=\s].*={2,6}\s*\Z)")
_HEADING_TAIL = re.compile(r"[ \t]*(?:#+|={2,6})?[ \t]*\Z")
_ITEM_MARK = re.compile(r"(?:[-*+•‣▪·]|\(?\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|(?=\|)")

_RAGGED = 0.7
"""A line shorter than this part of the widest one was broken on purpose, not wrapped."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch [start, end) of the text, without the marks before and the white space around it."""

    start: int
    end: int
    heading: bool = False


def split_blocks(text: str) -> Iterator[Block]:
    """The blocks of a text, in order; each holds something besides white space and structure marks."""
    paragraph: list[Block] = []
    end_of_last = 0
    for line in _LINE.finditer(text):
        if line.start() - end_of_last > 1 and len(_LINE_BREAKS.findall(text, end_of_last, line.start())) > 1:
            yield from _close(text, paragraph)
        end_of_last = line.end()
        if text[line.start()].isalpha():  # no mark is a letter
            paragraph.append(Block(line.start(), line.end()))
            continue
        if _ONLY_MARKS.match(line[0]):
            underlined = len(paragraph) == 1 and _UNDERLINE.match(line[0]) is not None
            yield from _close(text, paragraph, heading=underlined)
            continue
        start = line.start() + len(_QUOTE_MARK.match(line[0])[0])  # type: ignore[index]  # matches the empty string too
        if heading := _HEADING_MARK.match(text, start, line.end()):
            yield from _close(text, paragraph)
            tail = _HEADING_TAIL.search(text, heading.end(), line.end())
            yield from _close(text, [Block(heading.end(), tail.start() if tail else line.end())], heading=True)
        elif item := _ITEM_MARK.match(text, start, line.end()):
            yield from _close(text, paragraph)
            paragraph.append(Block(item.end(), line.end()))
        else:
            paragraph.append(Block(start, line.end()))
    yield from _close(text, paragraph)


def _close(text: str, lines: list[Block], heading: bool = False) -> Iterator[Block]:
    """Hand out the collected lines as one block, or as several where lines were broken on purpose; empties `lines`."""
    if not lines:
        return
    first = lines[0].start
    if len(lines) > 1:
        widest = max(line.end - line.start for line in lines)
        for line, following in pairwise(lines):
            if _broken_on_purpose(text, line, following, widest):
                yield from _trimmed(text, first, line.end, heading)
                first = following.start
    yield from _trimmed(text, first, lines[-1].end, heading)
    lines.clear()


def _broken_on_purpose(text: str, line: Block, following: Block, widest: int) -> bool:
    """Whether the next line's first word would have fitted well into this line, and the line is not going on."""
    first_word = text[following.start : following.end].split(maxsplit=1)[0]
    fits = line.end - line.start + 1 + len(first_word) <= _RAGGED * widest
    goes_on = first_word[0].islower() or text[line.start : line.end].rstrip().endswith((",", ";", "-", "–", "—"))
    return fits and not goes_on


def _trimmed(text: str, start: int, end: int, heading: bool) -> Iterator[Block]:
    stretch = text[start:end]
    start += len(stretch) - len(stretch.lstrip())
    end -= len(stretch) - len(stretch.rstrip())
    if start < end:
        yield Block(start, end, heading)
