"""Results of an ingest: a receipt per document, and the progress of a long one."""

from dataclasses import dataclass

from libs.runtime.errors import ParleyError
from services.retrieve.corpus.documents import IngestStatus


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of one document."""

    document_id: str
    status: IngestStatus
    passages: int = 0
    error: ParleyError | None = None
    """Why it failed; nothing of it was written."""
    vectors_ignored: bool = False
    """Whether it brought vectors of its passages that did not fit."""


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """The progress of a long document."""

    document_id: str
    place: int
    """Position among the documents that have no receipt yet, from 0."""
    passages: int
    """Passages that are done, and kept if the process is killed."""
