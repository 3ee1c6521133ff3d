"""Infers the structure of plain text: numbered, lone headings, bullets, columns, indented code. No I/O of its own.

Groups of lines between blank lines are the blocks. A group is classified by its indentation relative to the body text,
by how its lines begin, and by their width. Numbers that name no source are chosen by hand.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, Part, Section, Structure
from libs.documents.bibliographies import mark_bibliographies
from libs.documents.furniture import is_contents
from libs.documents.lines import PROMPT, Group, Lines
from libs.documents.plain_headings import find_heading
from libs.documents.ruled_headings import ruled_heading
from libs.documents.structure import sections_of

_BULLET: Final = re.compile(r"\s*(?:[-*+•‣▪·–—][ \t]+|o[ \t]{2,}|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)][ \t]+)(?=\S)")
_COLUMNS: Final = re.compile(r"\S[ ]{2,}\S|\S\t+\S|\|")
_BORDER: Final = re.compile(r"\s*[+|=-][-+=|\s]{3,}\Z")
_CODE_SIGNS: Final = re.compile(r"[{}=;<>\\/%$&|_()\[\]*#:@^~`]")
_ASSIGNMENT: Final = re.compile(r"\s*[\w.-]+\s*(?:=|:=|::=)\s")
_WORD_SIGNS: Final = re.compile(r"[^\W\d_]")
_SENTENCE_END: Final = re.compile(r"[.!?。！？][\"'”’)\]]*\Z")
_RUNS_WIDE: Final = 0.75
"""Minimum length of a wrapped line, as a share of the widest line."""


def parse_plain(text: str) -> Structure:
    """The structure of a plain text."""
    lines = Lines.of(text)
    groups = list(_groups(lines))
    return _PlainTextReader(lines, groups, _body_indent(groups)).structure()


def _groups(lines: Lines) -> Iterator[Group]:
    first, blanks = 0, 0
    group_lines: list[str] = []
    for number in range(len(lines) + 1):
        line = lines.text[lines.start(number) : lines.start(number + 1)].rstrip("\n") if number < len(lines) else ""
        if line.strip():
            first = first if group_lines else number
            group_lines.append(line.expandtabs(4))
            continue
        if group_lines:
            yield from _ruled_off(Group(first, number, blanks, tuple(group_lines)))
            group_lines, blanks = [], 0
        blanks += 1


def _ruled_off(group: Group) -> Iterator[Group]:
    """Split off a heading with a rule below it, even if text follows without a blank line."""
    if (heading := ruled_heading(group.lines)) is None:
        yield group
        return
    count = heading.lines
    yield Group(group.first, group.first + count, group.blanks, (heading.text,), heading.level)
    if group.lines[count:]:
        yield Group(group.first + count, group.last, 1, group.lines[count:])


def _body_indent(groups: Sequence[Group]) -> int:
    """The most common indentation of running text."""
    counts: Counter[int] = Counter()
    for group in groups:
        counts[group.indent] += len(group.lines) if len(group.lines) > 1 else 0
    return counts.most_common(1)[0][0] if counts else 0


class _PlainTextReader:
    """Reads the blocks of one text."""

    def __init__(self, lines: Lines, groups: Sequence[Group], body: int) -> None:
        self._lines = lines
        self._groups = groups
        self._body = body
        self._headings: list[Section] = []
        self._blocks: list[Block] = []
        self._code_indent = 0
        """Indentation of the latest code block."""

    def structure(self) -> Structure:
        """Return the sections and blocks."""
        position = 0
        while position < len(self._groups):
            position += self._read_block(position)
        structure = Structure(sections_of(self._headings), tuple(self._blocks))
        return mark_bibliographies(structure, self._lines.text)

    def _read_block(self, position: int) -> int:
        """Read the block that begins at a group; return how many groups it takes."""
        heading = find_heading(self._groups, position, self._body)
        if heading is not None:
            start = self._lines.start(self._groups[position].first)
            self._headings.append(Section(heading.text, heading.level, start=start))
            return heading.groups
        group = self._groups[position]
        is_list = _BULLET.match(group.lines[0]) and not is_contents(group.lines)
        if is_list and (count := self._list(position)):
            return count
        if self._goes_on_with_code(group):
            code = self._blocks.pop()
            self._blocks.append(replace(code, span=Span(code.span.start, self._span(group).end)))
        else:
            self._add(self._kind(group), group)
        return 1

    def _goes_on_with_code(self, group: Group) -> bool:
        """Whether a group continues the previous code block, after a blank line within the code."""
        before = self._blocks[-1] if self._blocks else None
        if before is None or before.kind is not BlockKind.CODE or before.section != len(self._headings):
            return False
        return (
            group.blanks == 1
            and group.indent > self._body
            and group.indent >= self._code_indent
            and not _is_prose(group.lines)
        )

    def _kind(self, group: Group) -> BlockKind:
        if is_contents(group.lines):
            return BlockKind.FURNITURE
        if _is_table(group.lines):
            return BlockKind.TABLE
        if PROMPT.match(group.lines[0]):
            return BlockKind.CODE
        if _is_code(group.lines) and (group.indent > self._body or len(group.lines) > 2):
            return BlockKind.CODE
        return BlockKind.QUOTATION if group.indent > self._body + 1 else BlockKind.PARAGRAPH

    def _list(self, position: int) -> int:
        """Read a list: groups with bullets at the same indentation, and groups indented below; return their number.

        Returns 0 for a single item: a lone line with a number may be a sentence.
        """
        first = self._groups[position]
        count = 1
        while position + count < len(self._groups):
            group = self._groups[position + count]
            bullet = _BULLET.match(group.lines[0]) and group.indent == first.indent
            deeper = group.indent > first.indent and group.blanks == 1 and not _is_code(group.lines)
            if not (bullet or deeper) or find_heading(self._groups, position + count, self._body):
                break
            count += 1
        last = self._groups[position + count - 1]
        span = self._lines.span(first.first, last.last)
        starts = self._starts(self._groups[position : position + count], first.indent)
        parts = tuple(self._lines.parts(starts, span))
        if len(parts) < 2:
            return 0
        self._blocks.append(Block(BlockKind.LIST, span, len(self._headings), parts))
        return count

    def _starts(self, groups: Sequence[Group], indent: int) -> list[tuple[int, int]]:
        """Where the items of a list begin, and their depths."""
        return [
            (self._lines.start(group.first + offset), int(len(line) - len(line.lstrip()) > indent))
            for group in groups
            for offset, line in enumerate(group.lines)
            if _BULLET.match(line)
        ]

    def _add(self, kind: BlockKind, group: Group) -> None:
        parts: tuple[Part, ...] = ()
        if kind is BlockKind.TABLE:
            parts = tuple(Part(self._lines.span(number, number + 1)) for number in range(group.first, group.last))
        if kind is BlockKind.CODE:
            self._code_indent = group.indent
        self._blocks.append(Block(kind, self._span(group), len(self._headings), parts))

    def _span(self, group: Group) -> Span:
        return self._lines.span(group.first, group.last)


def _is_table(lines: Sequence[str]) -> bool:
    """Whether at least 80 % of the lines have columns or are borders, and columns align or borders occur."""
    if len(lines) < 3:
        return False
    borders = sum(bool(_BORDER.match(line)) for line in lines)
    columns = sum(bool(_COLUMNS.search(line.strip())) for line in lines)
    return columns + borders >= 0.8 * len(lines) and columns >= 2 and (borders > 0 or _columns_align(lines))


def _columns_align(lines: Sequence[str]) -> bool:
    """Whether a column begins at the same place in at least 70 % of the lines."""
    starts: Counter[int] = Counter()
    for line in lines:
        starts.update({gap.end() for gap in re.finditer(r"[ ]{2,}(?=\S)", line.rstrip()) if gap.start() > 0})
    return bool(starts) and starts.most_common(1)[0][1] >= 0.7 * len(lines)


def _is_code(lines: Sequence[str]) -> bool:
    """Whether lines are unwrapped and contain many symbols or an assignment."""
    text = "".join(lines)
    letters, signs = len(_WORD_SIGNS.findall(text)), len(_CODE_SIGNS.findall(text))
    width = max(map(len, lines))
    full_lines = sum(len(line) >= _RUNS_WIDE * width for line in lines[:-1])
    if len(lines) > 2 and full_lines >= 0.7 * (len(lines) - 1) and width > 50 and _SENTENCE_END.search(lines[-1]):
        return False
    return signs >= 0.08 * max(letters, 1) or any(map(_ASSIGNMENT.match, lines))


def _is_prose(lines: Sequence[str]) -> bool:
    """Whether lines are sentences: few symbols, more than six words, and a stop at the end."""
    return not _is_code(lines) and bool(_SENTENCE_END.search(lines[-1].rstrip())) and len(" ".join(lines).split()) > 6
