"""A document's structure as tests speak of it."""

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import ParsedDocument, ReadResult
from ingest.readers import read
from libs.contracts.structure import Structure
from libs.documents.structure import check_structure

Told = list[tuple[str, str]]


def read_bytes(name: str, data: bytes, bounds: ReadingBounds | None = None) -> list[ReadResult]:
    """All that is read of a file."""
    return list(read(Content(name, name, name, data=data, bounds=bounds or ReadingBounds())))


def read_one(name: str, data: bytes, bounds: ReadingBounds | None = None) -> ParsedDocument:
    """The only document of a file; its structure fits its text."""
    (document,) = read_bytes(name, data, bounds)
    assert isinstance(document, ParsedDocument), document
    check_structure(structure_of(document), len(document.text))
    return document


def structure_of(document: ParsedDocument) -> Structure:
    """Its structure, which every reader of files states."""
    assert document.structure is not None
    return document.structure


def blocks(document: ParsedDocument) -> Told:
    """Each block's kind and words."""
    return [(block.kind.value, block.span.of(document.text)) for block in structure_of(document).blocks]


def parts(document: ParsedDocument, number: int = 0) -> list[tuple[str, int]]:
    """What the parts of a block say, and how deep they lie."""
    block = structure_of(document).blocks[number]
    return [(part.span.of(document.text), part.depth) for part in block.parts]


def headings(document: ParsedDocument) -> list[tuple[str, ...]]:
    """The paths of all sections but the document itself."""
    structure = structure_of(document)
    return [structure.headings(number) for number in range(1, len(structure.sections))]


def pages(document: ParsedDocument) -> list[int]:
    """The page of each block."""
    return [block.page for block in structure_of(document).blocks]
