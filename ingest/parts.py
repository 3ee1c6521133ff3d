"""Divide texts that are too long for one document: the first part keeps the id, later ones are `id#2`, etc. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from ingest.documents import ParsedDocument
from libs.contracts.spans import Span
from libs.contracts.structure import Structure
from libs.documents.structure import slice_structure


def part_id(document_id: str, number: int) -> str:
    """The id of a part, counted from 1."""
    return document_id if number == 1 else f"{document_id}#{number}"


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
        yield part_of(document, number, text, structure)
        number, start, characters = number + 1, end, characters + len(text)


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


def part_of(document: ParsedDocument, number: int, text: str, structure: Structure | None) -> ParsedDocument:
    """A part of a document, by its number from 1; its pictures and what was left out of it belong to the first."""
    return replace(
        document,
        document_id=part_id(document.document_id, number),
        title=document.title if number == 1 else f"{document.title} (part {number})",
        text=text,
        structure=structure,
        images=document.images if number == 1 else (),
        omissions=document.omissions if number == 1 else (),
    )
