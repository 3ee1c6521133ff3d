"""Divide texts that are too long for one document: the first part keeps the id, later ones are `id#2`, etc. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from ingest.documents import Omission, OmissionReason, ParsedDocument, SourceImage
from libs.contracts.spans import Span
from libs.contracts.structure import BlockKind, Structure
from libs.documents.building import PARTED, DocumentBuilder
from libs.documents.structure import slice_structure
from libs.text.tables import rows_in_words

SMALL_TABLE: Final = 6000
"""Characters of a table that is shown whole, about eight passages (taste).

Of docsqa's questions on data sets, three hits held the facts of .9 with 3,000, with 6,000 and with every row alone, and
of .8 with all as tables.
"""


def part_id(document_id: str, number: int) -> str:
    """The id of a part, counted from 1."""
    return document_id if number == 1 else f"{document_id}#{number}"


class PartsWriter:
    """Writes sections with rows of tables as documents of at most about `most` bytes.

    Each part repeats the heading of the section that it continues.

    Args:
        document: what the parts have in common.
        most: bytes of a part.
        left_out: filled while the rows are read; each part takes what it then holds.
    """

    def __init__(self, document: ParsedDocument, most: int, left_out: list[Omission]) -> None:
        self.builder = DocumentBuilder()
        """Takes what is no table; it belongs to the part that is being written."""
        self._left_out = left_out
        self._document = document
        self._most = most
        self._number = 1
        self._heading = ""
        self._is_headed = True

    def section(self, heading: str) -> None:
        """Begin a section; one without contents is not written."""
        self._heading = heading
        self._is_headed = False

    def paragraph(self, text: str, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        """Add a paragraph to the section."""
        self.section_head()
        self.builder.block(kind, text)

    def table(self, rows: Iterable[Sequence[str]]) -> Iterator[ParsedDocument]:
        """Add a table whose first row is the head; yield the parts that are full.

        A small one is shown whole; of a larger one each row repeats the names of the columns, so that it is understood
        alone.
        """
        filled = (row for row in rows if any(cell.strip() for cell in row))
        first: list[Sequence[str]] = []
        size = 0
        small = min(SMALL_TABLE, self._most)
        for row in filled:
            first.append(row)
            size += _size(" | ".join(row))
            if size > small:
                break
        if len(first) > 2 and size <= small:
            self.section_head()
            self.builder.table(first)
        elif len(first) == 1 and len(first[0]) == 1:
            self.paragraph(first[0][0])
        elif first:
            used = set[int]()
            yield from self._records(rows_in_words(_noting(chain(first, filled), used)))
            unused = (name for column, name in enumerate(first[0]) if len(first) > 1 and column not in used)
            self._left_out += (Omission.of(OmissionReason.FURNITURE, self._heading, name) for name in unused if name)

    def finish(self, images: tuple[SourceImage, ...] = ()) -> Iterator[ParsedDocument]:
        """Yield the last part, with the pictures of the whole document."""
        if len(self.builder) or self._number == 1 or self._left_out:
            yield replace(self._build(), images=images)

    def _records(self, rows: Iterable[str]) -> Iterator[ParsedDocument]:
        records: list[str] = []
        size = len(self.builder)
        for row in rows:
            growth = _size(row) + (0 if self._is_headed else _size_of_heading(self._heading))
            if size and size + growth > self._most:
                self.builder.records(records)
                yield self._build()
                size, records = 0, []
            if not self._is_headed:
                self.section_head()
                size += _size_of_heading(self._heading)
            records.append(row)
            size += _size(row)
        self.builder.records(records)

    def section_head(self) -> None:
        """Write the heading of the section, before something is given to the builder."""
        if not self._is_headed:
            self.builder.heading(self._heading, 2)
            self._is_headed = True

    def _build(self) -> ParsedDocument:
        part = _part(self._document, self._number, *self.builder.build())
        part = replace(part, omissions=(*part.omissions, *self._left_out))
        self._left_out.clear()
        self._number, self.builder, self._is_headed = self._number + 1, DocumentBuilder(), False
        return part


def divide_document(document: ParsedDocument, most: int) -> Iterator[ParsedDocument]:
    """Divide a document at the end of a paragraph, else of a line or word, else anywhere."""
    data = document.text.encode("utf-8", "surrogatepass")
    if len(data) <= most:
        yield document
        return
    number, start, characters = 1, 0, 0
    while start < len(data):
        end = _end_of_part(data, start, most)
        text = data[start:end].decode("utf-8", "surrogatepass")
        structure = document.structure and slice_structure(document.structure, Span(characters, characters + len(text)))
        part = _part(document, number, text, structure)
        yield replace(part, images=document.images if number == 1 else ())
        number, start, characters = number + 1, end, characters + len(text)


def _noting(rows: Iterable[Sequence[str]], used: set[int]) -> Iterator[Sequence[str]]:
    """The rows; the columns with cells below the head are added to `used`."""
    for number, row in enumerate(rows):
        if number:
            used.update(column for column, cell in enumerate(row) if cell)
        yield row


def _size(line: str) -> int:
    return len(line.encode()) + 1


def _size_of_heading(heading: str) -> int:
    """Size of a heading with the blank lines around it."""
    return len(heading.encode()) + len(f"{PARTED}## {PARTED}")


def _end_of_part(data: bytes, start: int, most: int) -> int:
    """Where the part that begins at `start` ends, at least half full (taste), never within a character of UTF-8."""
    end = start + most
    if end >= len(data):
        return len(data)
    for mark in (b"\n\n", b"\n", b" "):
        break_start = data.rfind(mark, start + most // 2, end)
        if break_start >= 0:
            return break_start + len(mark)
    while data[end] & 0xC0 == 0x80:  # a byte that continues a character
        end -= 1
    return end


def _part(document: ParsedDocument, number: int, text: str, structure: Structure | None) -> ParsedDocument:
    """A part of a document; what was left out of the document is told with the first."""
    return replace(
        document,
        document_id=part_id(document.document_id, number),
        title=document.title if number == 1 else f"{document.title} (part {number})",
        text=text,
        structure=structure,
        omissions=document.omissions if number == 1 else (),
    )
