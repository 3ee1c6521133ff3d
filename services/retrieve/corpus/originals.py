"""The files that documents were read from. Each statement blocks, on a connection of its thread."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.permissions import seen_by
from services.retrieve.corpus.reading import document


@dataclass(frozen=True, slots=True)
class Original:
    """A stored document that has a file, which is read when it is needed."""

    document: Document
    row: int
    fingerprint: bytes
    """Of the document with its file."""


def original(connection: Connection, collection: str, document_id: str, principals: Sequence[str]) -> Original | None:
    """One document that has a file, if the principals may see it."""
    found, seen = document(connection, collection, document_id, principals), seen_by(principals)
    row = connection.execute(  # by the permissions of the version that it names
        "SELECT d.id, d.fingerprint FROM originals o JOIN documents d ON d.id = o.document "
        "JOIN collections c ON c.id = d.collection "
        f"WHERE c.name = ? AND d.document_id = ? AND {seen.sql}",
        (collection, document_id, *seen.values),
    ).fetchone()
    return Original(found, row[0], bytes(row[1])) if found is not None and row else None


def file_of(connection: Connection, original: Original) -> bytes:
    """The file of a document; empty if the document has been replaced or deleted since it was read."""
    row = connection.execute(
        "SELECT o.data FROM originals o JOIN documents d ON d.id = o.document WHERE d.id = ? AND d.fingerprint = ?",
        (original.row, original.fingerprint),
    ).fetchone()
    return bytes(row[0]) if row else b""
