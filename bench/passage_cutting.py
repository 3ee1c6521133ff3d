"""Passages as retrieval cuts them, for benches and tests that need no collection. Does no I/O."""

from libs.contracts.evidence import Passage
from libs.documents.reading import structure_of
from services.retrieve.indexing.passages import DEFAULT_SIZE, cut_passages


def passages_of(
    document_id: str, text: str, title: str = "", date: str = "", source: str = "", size: int = DEFAULT_SIZE
) -> list[Passage]:
    """The passages of a document; ids are `document#number`, and what is repeated in a passage stands in none."""
    structure = structure_of(text)
    return [
        Passage(
            f"{document_id}#{number}",
            document_id,
            piece.span.of(text),
            title=title,
            date=date,
            source=source,
            span=piece.span,
            headings=structure.headings(piece.section),
            blocks=piece.blocks,
        )
        for number, piece in enumerate(cut_passages(text, structure, size, language="en"))
    ]
