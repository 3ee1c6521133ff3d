"""Texts that are too long for one document, divided: the first part keeps the id, the next ones are `id#2`, `id#3` …"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gateway.ingest.documents import SourceDocument


def part_id(document_id: str, number: int) -> str:
    """The id of a part, from 1."""
    return document_id if number == 1 else f"{document_id}#{number}"


def in_parts(
    document: SourceDocument, sections: Iterable[tuple[str, Iterable[str]]], most: int
) -> Iterator[SourceDocument]:
    """Documents of at most about `most` bytes from sections of rows, which come as a stream of any length.

    Each part repeats the heading of the section that it goes on with. A document comes out even if there is no row.
    """
    number, size = 1, 0
    lines: list[str] = []
    for heading, rows in sections:
        begun = False
        for row in rows:
            if begun and size + _size(row) > most:
                yield _part(document, number, lines)
                number, size, lines, begun = number + 1, 0, [], False
            added = [row] if begun else [*([""] if lines else []), *([heading, ""] if heading else []), row]
            begun = True
            lines += added
            size += sum(map(_size, added))
    if lines or number == 1:
        yield _part(document, number, lines)


def divided(document: SourceDocument, most: int) -> Iterator[SourceDocument]:
    """A document of any length, divided where a paragraph ends, or else a line, or anywhere."""
    data = document.text.encode("utf-8", "surrogatepass")
    if len(data) <= most:
        yield document
        return
    number, start = 1, 0
    while start < len(data):
        end = _cut(data, start, most)
        text = data[start:end].decode("utf-8", "surrogatepass")
        yield replace(_part(document, number, [text]), images=document.images if number == 1 else ())
        number, start = number + 1, end


def _size(line: str) -> int:
    return len(line.encode()) + 1


def _cut(data: bytes, start: int, most: int) -> int:
    """Where the part from `start` on ends, never within a character."""
    end = start + most
    if end >= len(data):
        return len(data)
    for mark in (b"\n\n", b"\n", b" "):
        found = data.rfind(mark, start + most // 2, end)
        if found >= 0:
            return found + len(mark)
    while data[end] & 0xC0 == 0x80:
        end -= 1
    return end


def _part(document: SourceDocument, number: int, lines: list[str]) -> SourceDocument:
    title = document.title if number == 1 else f"{document.title} (part {number})"
    return replace(document, document_id=part_id(document.document_id, number), title=title, text="\n".join(lines))
