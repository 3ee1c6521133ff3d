"""Divide texts that are too long for one document: the first part keeps the id, later ones are `id#2`, etc. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ingest.documents import Omission, ParsedDocument
from libs.contracts.spans import Span
from libs.contracts.structure import Structure
from libs.documents.building import PARTED, DocumentBuilder
from libs.documents.structure import slice_structure


def part_id(document_id: str, number: int) -> str:
    """The id of a part, counted from 1."""
    return document_id if number == 1 else f"{document_id}#{number}"


def in_parts(
    document: ParsedDocument,
    sections: Iterable[tuple[str, Iterable[str]]],
    most: int,
    left_out: list[Omission] | None = None,
) -> Iterator[ParsedDocument]:
    """Yield documents of at most about `most` bytes from a stream of sections with rows.

    Each part repeats the heading of the section that it continues, and takes what is in `left_out` at its end, which is
    filled while the rows are read. A document is yielded even if there are no rows.
    """
    left_out = [] if left_out is None else left_out
    number, size = 1, 0
    builder, records = DocumentBuilder(), list[str]()
    for heading, rows in sections:
        has_heading = False
        for row in rows:
            growth = _size(row) + (0 if has_heading else _size_of_heading(heading))
            if size and size + growth > most:
                builder.records(records)
                yield _build_part(document, number, builder, left_out)
                number, size, has_heading = number + 1, 0, False
                builder, records = DocumentBuilder(), []
            if not has_heading:
                builder.heading(heading, 2)
                size += _size_of_heading(heading)
                has_heading = True
            records.append(row)
            size += _size(row)
        builder.records(records)
        records = []
    if len(builder) or number == 1:
        yield _build_part(document, number, builder, left_out)


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


def _build_part(
    document: ParsedDocument, number: int, builder: DocumentBuilder, left_out: list[Omission]
) -> ParsedDocument:
    part = _part(document, number, *builder.build())
    omissions = (*part.omissions, *left_out)
    left_out.clear()
    return replace(part, omissions=omissions)


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
