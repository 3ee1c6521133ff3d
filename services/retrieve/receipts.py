"""What an ingest answers with: a receipt a document, and how far a long one is."""

from dataclasses import dataclass

from libs.runtime.errors import ParleyError
from services.retrieve.corpus.documents import IngestStatus


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one document."""

    document_id: str
    status: IngestStatus
    passages: int = 0
    error: ParleyError | None = None
    """Why it failed; nothing of it was written."""


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """How far a long document is that is worked on."""

    document_id: str
    place: int
    """Among the documents that have no receipt yet, from 0."""
    passages: int
    """That are done, and kept if the process is killed."""
