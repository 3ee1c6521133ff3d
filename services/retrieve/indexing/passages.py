"""Cuts a document into passages along its structure.

A passage never crosses a section boundary. A list, table or code block stays with the line that introduces it. A block
that is too long is cut between items, rows, lines or sentences, and each piece repeats the introducing line and the
table header. Text without an explicit structure is parsed as Markdown or plain text before (`libs.documents`). Pure.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, TypeGuard

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, Part, Structure
from libs.text.sentences import split_sentences
from services.retrieve.indexing.passage import JOINED, Cut

DEFAULT_SIZE: Final = 800
"""Characters of a passage.

On docsqa, our questions on documents, three passages hold the facts of .94 of them; with 400 characters .90, with 1,200
.95 in a third more words.
"""
REPEATED: Final = 0.4
"""Longest introducing text that is repeated when its block is cut, as a share of the passage size (by hand)."""
_DEPENDENT: Final = frozenset({BlockKind.LIST, BlockKind.TABLE, BlockKind.CODE, BlockKind.DEFINITION})
_COLONS: Final = (":", "：", "–", "—", "--")
_Group = tuple[Block, ...]
"""Blocks that stay together: an introduction and what it introduces."""


def cut_passages(text: str, structure: Structure, size: int = DEFAULT_SIZE, *, language: str) -> list[Cut]:
    """The passages of a document, in order, without running heads, each of at most `size` characters.

    Raises ValueError: the size is below 100.
    """
    if size < 100:  # taste
        raise ValueError(f"size must be at least 100, got {size}")
    cutter = _Cutter(text, size, language)
    cuts: list[Cut] = []
    for (_, furniture), blocks in groupby(structure.blocks, key=lambda b: (b.section, b.kind is BlockKind.FURNITURE)):
        if not furniture:
            cuts += cutter.cut(list(_grouped(list(blocks), text)))
    return cuts


def _grouped(blocks: Sequence[Block], text: str) -> Iterator[_Group]:
    """Group each introducing block with the block that it introduces."""
    group: list[Block] = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        group.append(block)
        if following is None or not _introduces(block, following, text):
            yield tuple(group)
            group = []


def _introduces(block: Block, following: Block, text: str) -> bool:
    if block.kind is BlockKind.CAPTION:
        return following.kind in _DEPENDENT
    if block.kind is not BlockKind.PARAGRAPH:
        return False
    words = block.span.of(text).rstrip()
    if words.startswith("**") and words.endswith("**") and "\n" not in words:
        return True
    return following.kind in _DEPENDENT or words.endswith(_COLONS)


class _Cutter:
    """Cuts the groups of one section at a time."""

    def __init__(self, text: str, size: int, language: str) -> None:
        self._text = text
        self._language = language
        self._size = size
        self._ruler = VisibleLengths(text)

    def cut(self, groups: Sequence[_Group]) -> Iterator[Cut]:
        """The passages of a section."""
        blocks: list[Block] = []
        for group in groups:
            if blocks and self._ruler.length(blocks[0].span.start, group[-1].span.end) > self._size:
                yield self._passage((), blocks)
                blocks = []
            length = self._ruler.length(group[0].span.start, group[-1].span.end)
            if length > self._size or any(block.kind is BlockKind.RECORDS for block in group):
                yield from self._parted(group)
            else:
                blocks += group
        if blocks:
            yield self._passage((), blocks)

    def _length(self, span: Span) -> int:
        return self._ruler.length(span.start, span.end)

    def _parted(self, group: _Group) -> Iterator[Cut]:
        """Cut a group that is too long: its last block in pieces, each with the introduction if that is short."""
        lead, block = group[:-1], group[-1]
        if lead and sum(self._length(other.span) for other in lead) > REPEATED * self._size:
            yield from self.cut([(other,) for other in lead])
            lead = ()
        if block.kind is BlockKind.RECORDS:
            yield from self._records(lead, block)
            return
        room = self._size - sum(self._length(other.span) for other in lead)
        if self._repeats(block.header):
            room -= self._length(block.header)
        pieces = list(self._pieces(block, max(room, self._size // 3)))  # taste
        partial = len(pieces) > 1 and bool(block.parts)
        for number, piece in enumerate(replace(each, partial=partial) for each in pieces):
            if number == 0:
                yield self._passage((), [*lead, piece])
            else:
                yield self._passage(self._repeated(lead, block, piece), [piece])

    def _records(self, lead: _Group, block: Block) -> Iterator[Cut]:
        """One passage for each row."""
        if lead:
            yield self._passage((), list(lead))
        for part in block.parts:
            for piece in self._fitting(replace(block, parts=()), part, self._size):
                yield self._passage((), [piece])

    def _repeated(self, lead: _Group, block: Block, piece: Block) -> _Group:
        """The blocks to repeat before a piece that does not follow them."""
        header = block.header
        if piece.header is not None or not self._repeats(header):
            return lead
        return (*lead, Block(BlockKind.TABLE, header, block.section, (), header, block.page))

    def _repeats(self, header: Span | None) -> TypeGuard[Span]:
        """Whether there is a header that fits into a passage."""
        return header is not None and self._length(header) <= self._size

    def _pieces(self, block: Block, room: int) -> Iterator[Block]:
        """A block cut between its parts, its lines or its sentences."""
        if block.parts:
            yield from self._between_parts(block, room)
            return
        cuts = self._line_starts(block) if block.kind is BlockKind.CODE else self._sentence_starts(block)
        for span in self._worded(self._packed(block.span, cuts, room)):
            yield replace(block, span=span)

    def _between_parts(self, block: Block, room: int) -> Iterator[Block]:
        waiting: list[Part] = []
        start = block.span.start
        for part in block.parts:
            if waiting and self._ruler.length(start, part.span.end) > room:
                yield self._piece(block, start, waiting)
                waiting, start = [], part.span.start
            if self._length(part.span) > room:
                pieces = self._fitting(replace(block, header=None), part, room)
                if start == block.span.start and (first := next(pieces, None)) is not None:
                    # The header directly precedes it.
                    yield replace(first, span=Span(start, first.span.end), header=block.header)
                yield from pieces
                start = part.span.end
                continue
            start = start if waiting or start == block.span.start else part.span.start
            waiting.append(part)
        if waiting:
            yield self._piece(block, start, waiting)

    def _piece(self, block: Block, start: int, parts: Sequence[Part]) -> Block:
        span = self._stripped(Span(start, parts[-1].span.end))
        header = block.header if block.header is not None and block.header.start >= span.start else None
        return replace(block, span=span, parts=tuple(parts), header=header)

    def _fitting(self, block: Block, part: Part, room: int) -> Iterator[Block]:
        """A part as blocks of at most `room` characters."""
        if self._length(part.span) <= room:
            yield replace(block, span=part.span, parts=(part,))
            return
        for span in self._worded(self._packed(part.span, self._sentence_starts(replace(block, span=part.span)), room)):
            yield replace(block, span=span, parts=(replace(part, span=span),))

    def _packed(self, span: Span, starts: Sequence[int], room: int) -> Iterator[Span]:
        """A span cut at some of `starts`, in pieces of at most `room`; between words where no start fits."""
        begin, last = span.start, span.start
        for place in (*starts, span.end):
            if self._ruler.length(begin, place) > room and last > begin:
                yield Span(begin, last)
                begin = last
            while self._ruler.length(begin, place) > room:
                end = self._word_end(begin, room)
                yield Span(begin, end)
                begin = end
            last = max(place, begin)
        if begin < span.end:
            yield Span(begin, span.end)

    def _word_end(self, begin: int, room: int) -> int:
        """End of a piece that starts at `begin`: after the last white space in its second half, else at full length."""
        spaces = (self._text.rfind(space, begin + room // 2, begin + room) for space in " \n\t")
        return max(spaces) + 1 or begin + room

    def _worded(self, spans: Iterator[Span]) -> Iterator[Span]:
        """The spans that are not blank, without blank lines at their ends."""
        return (inner_span for span in spans if (inner_span := self._stripped(span)).start < inner_span.end)

    def _line_starts(self, block: Block) -> list[int]:
        """Offsets at which lines begin."""
        text = block.span.of(self._text)
        return [block.span.start + at + 1 for at, character in enumerate(text) if character == "\n"]

    def _sentence_starts(self, block: Block) -> list[int]:
        sentences = split_sentences(block.span.of(self._text), self._language, longest=None)
        return [block.span.start + sentence.start for sentence in sentences]

    def _stripped(self, span: Span) -> Span:
        stretch = span.of(self._text)
        return Span(span.start + len(stretch) - len(stretch.lstrip("\n")), span.start + len(stretch.rstrip()))

    def _passage(self, lead_text: Sequence[Block], blocks: Sequence[Block]) -> Cut:
        """A passage of repeated blocks and of consecutive blocks."""
        own_span = Span(blocks[0].span.start, blocks[-1].span.end)
        spans = (*(block.span for block in lead_text), own_span)
        moved_blocks, offset = [], 0
        for block in lead_text:
            moved_blocks.append(replace(block.shifted(offset - block.span.start), section=0))
            offset += block.span.end - block.span.start + len(JOINED)
        moved_blocks += [replace(block.shifted(offset - own_span.start), section=0) for block in blocks]
        return Cut(spans, tuple(moved_blocks), blocks[0].section, next((b.page for b in blocks if b.page), 0))


_UNSEEN: Final = re.compile(
    r"(?<=\])\(<?(?:https?|mailto):[^()\s]{1,2000}>?\)|(?<=[ \t])[ \t]+|(?<=\n)[ \t\n]+|(?<=---)-+"
)
"""Addresses of links, of at most 2,000 characters (taste: a bound of the search), repeated white space and dashes."""


class VisibleLengths:
    """Measures the visible length of a text: link addresses and repeated white space do not count."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._sums: list[int] = [0]
        for match in _UNSEEN.finditer(text):
            self._starts.append(match.start())
            self._sums.append(self._sums[-1] + match.end() - match.start())

    def length(self, start: int, end: int) -> int:
        """Visible characters of a span; if it begins within an address, the rest of the address counts."""
        hidden = self._sums[bisect_left(self._starts, end)] - self._sums[bisect_left(self._starts, start)]
        return max(0, end - start - hidden)
