"""The statements that change the corpus. Each function blocks, and runs inside its caller's transaction."""

import json
import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from libs.contracts.structure import Structure
from libs.runtime.errors import InvalidInput, ParleyError
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.documents import IngestStatus, PreparedDocument, Vectors
from services.retrieve.corpus.filtering import labels_of, seconds_of_date
from services.retrieve.corpus.permissions import NOBODY, Caller, document_not_owned, marks, require_addable
from services.retrieve.corpus.reading import StoredVersion, stored_of
from services.retrieve.corpus.structures import blocks_text, structure_bytes


def put_documents(
    connection: Connection, collection: str, documents: Sequence[PreparedDocument], caller: Caller = NOBODY
) -> list[IngestStatus | ParleyError]:
    """Write documents; a rejected one is rolled back alone and its error is returned in its place."""
    outcomes: list[IngestStatus | ParleyError] = []
    for prepared_document in documents:
        connection.execute("SAVEPOINT document")
        try:
            outcomes.append(put_document(connection, collection, prepared_document, caller))
        except ParleyError as error:
            connection.execute("ROLLBACK TO document")
            outcomes.append(error)
        connection.execute("RELEASE document")
    return outcomes


def put_document(
    connection: Connection, collection: str, prepared_document: PreparedDocument, caller: Caller = NOBODY
) -> IngestStatus:
    """Write a document as a whole, replacing an earlier one with its id; creates the collection if needed.

    A document keeps its owners. One that has none gets the caller's principals. UNCHANGED means that the same document
    was stored and nothing was done.

    Raises:
        PermissionDenied: the earlier document, or all of the collection, belongs to others.
        InvalidInput: the collection's vectors are of another model or width, or ids of its passages are taken.
    """
    collection_row = row_of_collection(connection, collection, caller)
    document = prepared_document.document
    earlier = stored_of(connection, collection, [document.document_id], caller).get(document.document_id)
    if earlier is not None and not earlier.may_change:
        raise document_not_owned()
    _agree_on_model(connection, collection_row, collection, prepared_document)
    brings_vectors = earlier is not None and earlier.is_waiting and prepared_document.vectors is not None
    if earlier is not None and earlier.fingerprint == prepared_document.fingerprint and not brings_vectors:
        return IngestStatus.UNCHANGED
    owners: list[str] = []
    if earlier is not None:
        rows = connection.execute("SELECT principal FROM owners WHERE document = ?", (earlier.row,))
        owners = [principal for (principal,) in rows]
        connection.execute("DELETE FROM documents WHERE id = ?", (earlier.row,))
    document_row = _insert_document(connection, collection_row, earlier, prepared_document)
    _insert_passages(connection, document_row, prepared_document)
    drop_slices(connection, prepared_document.content)
    if prepared_document.width:
        enqueue(connection, collection_row, document_row, len(prepared_document.passages))
    labels = [(collection_row, label, document_row) for label in labels_of(document)]
    connection.executemany("INSERT INTO labels VALUES (?, ?, ?)", labels)
    owner_rows = [(document_row, owner) for owner in dict.fromkeys(owners or caller.principals)]
    connection.executemany("INSERT INTO owners VALUES (?, ?)", owner_rows)
    _insert_images(connection, document_row, prepared_document)
    _require_own_ids(connection, collection_row, document_row)
    if document.original:
        connection.execute("INSERT INTO originals VALUES (?, ?)", (document_row, document.original))
    growth = len(prepared_document.passages) - (earlier.passages if earlier is not None else 0)
    record_change(connection, collection_row, document_row, 1 if earlier is None else 0, growth)
    return IngestStatus.ADDED if earlier is None else IngestStatus.REPLACED


def row_of_collection(connection: Connection, name: str, caller: Caller) -> int:
    """The row number of a collection, to which the caller adds; created if needed. Raises PermissionDenied."""
    row = connection.execute("SELECT id, documents FROM collections WHERE name = ?", (name,)).fetchone()
    if row:
        if row[1] and name != "default":
            require_addable(connection, name, caller)
        return int(row[0])
    return int(connection.execute("INSERT INTO collections(name) VALUES (?) RETURNING id", (name,)).fetchone()[0])


def _agree_on_model(connection: Connection, row: int, name: str, prepared_document: PreparedDocument) -> None:
    """Check the model: the first vectors determine that of a collection; others are rejected."""
    vectors = prepared_document.vectors
    new = (prepared_document.model, prepared_document.width if vectors is None else vectors.shape[1])
    if not new[1] or not prepared_document.passages:
        return
    model, width = connection.execute("SELECT model, width FROM collections WHERE id = ?", (row,)).fetchone()
    if not model:
        connection.execute("UPDATE collections SET model = ?, width = ? WHERE id = ?", (*new, row))
    elif model != new[0]:
        raise InvalidInput(
            "document.vector_model",
            f"The collection {name} holds vectors of {model}, not of {new[0]}: use another, or delete it first.",
            "VECTOR_MODEL_MISMATCH",
        )
    elif width != new[1]:
        raise InvalidInput(
            "document.vector",
            f"The collection {name} holds vectors of width {width}, not {new[1]}.",
            "VECTOR_WIDTH_MISMATCH",
        )


def _insert_document(
    connection: Connection, collection_row: int, earlier: StoredVersion | None, prepared_document: PreparedDocument
) -> int:
    """The row number, which is that of the earlier version."""
    document = prepared_document.document
    seconds = seconds_of_date(document.date) if document.date else None
    values = {
        "collection": collection_row,
        "document_id": document.document_id,
        "title": document.title,
        "text": document.text,
        "url": document.url,
        "date": document.date,
        "first_second": seconds.first if seconds else None,
        "last_second": seconds.last if seconds else None,
        "source": document.source,
        "metadata": json.dumps(document.metadata),
        "principals": json.dumps(document.principals),
        "fingerprint": prepared_document.fingerprint,
        "passages": len(prepared_document.passages),
        "images": len(document.images),
        "ingested_at": time.time(),
        "content": prepared_document.content,
        "language": document.language,
        "structure": structure_bytes(document.structure) if document.structure else b"",
        **({"id": earlier.row} if earlier is not None else {}),
    }
    statement = f"INSERT INTO documents({', '.join(values)}) VALUES ({marks(values)}) RETURNING id"
    return int(connection.execute(statement, list(values.values())).fetchone()[0])


def _insert_passages(connection: Connection, document_row: int, prepared_document: PreparedDocument) -> None:
    columns = "document, passage_id, first, last, vector, repeated, headings, section, page, front, blocks"
    document = prepared_document.document
    structure = document.structure or Structure()
    vectors: list[bytes | None] = [None] * len(prepared_document.passages)
    if prepared_document.vectors is not None:
        ends = np.cumsum(prepared_document.windows)
        vectors = [rows.tobytes() for rows in np.split(prepared_document.vectors, ends)[:-1]]
    rows = [
        (
            *(document_row, prepared_document.passage_id(position), cut.span.start, cut.span.end, vector),
            *(cut.repeated(document.text), json.dumps(structure.headings(cut.section), ensure_ascii=False)),
            *(cut.section, cut.page, cut.front, blocks_text(cut.blocks)),
        )
        for position, (cut, vector) in enumerate(zip(prepared_document.passages, vectors, strict=True))
    ]
    connection.executemany(f"INSERT INTO passages({columns}) VALUES ({','.join('?' * 11)})", rows)  # one a column


def _insert_images(connection: Connection, document_row: int, prepared_document: PreparedDocument) -> None:
    """Insert the pictures; measured sizes take precedence over stated ones."""
    document = prepared_document.document
    measures = prepared_document.measures or (None,) * len(document.images)
    for position, (image, measure) in enumerate(zip(document.images, measures, strict=True)):
        values = (
            *(document_row, position, document.image_id(position), image.caption, image.url),
            *((measure.width, measure.height) if measure else (image.width, image.height)),
            *(image.media_type, image.data, measure.entropy if measure else None),
        )
        connection.execute(f"INSERT INTO images VALUES ({marks(values)})", values)


def _require_own_ids(connection: Connection, collection_row: int, document_row: int) -> None:
    """Check that no other document has a passage or a picture of the same id: `a#0` of `a`, and the whole text `a#0`.

    Raises:
        InvalidInput: one has, and keeps it: citations of its passages go on to show its text.
    """
    for table, name in (("passages", "passage_id"), ("images", "image_id")):
        taken = connection.execute(
            f"SELECT own.{name} FROM {table} own CROSS JOIN {table} other CROSS JOIN documents d "  # in this order
            f"WHERE own.document = ? AND other.{name} = own.{name} AND other.document <> own.document "
            "AND d.id = other.document AND d.collection = ? LIMIT 1",
            (document_row, collection_row),
        ).fetchone()
        if taken:
            description = f"{taken[0]} is already part of another document in the collection: choose another id."
            raise InvalidInput("document.document_id", description, "DOCUMENT_UNUSABLE")


def record_change(connection: Connection, collection_row: int, document_row: int, new: int, growth: int) -> None:
    """Record that a document changed, and by how many documents and passages its collection grew."""
    connection.execute("DELETE FROM changes WHERE document = ?", (document_row,))
    connection.execute("INSERT INTO changes(collection, document) VALUES (?, ?)", (collection_row, document_row))
    connection.execute(
        "UPDATE collections SET documents = documents + ?, passages = passages + ? WHERE id = ?",
        (new, growth, collection_row),
    )


def enqueue(connection: Connection, collection_row: int, document_row: int, passages: int) -> None:
    """Let a document wait, behind all others, until the vectors of its passages are made."""
    values = (document_row, collection_row, passages)
    connection.execute("INSERT INTO waiting(document, collection, passages) VALUES (?, ?, ?)", values)


MAX_AGE_SECONDS: Final = 7 * 24 * 3600.0
"""Age after which slices, the vectors of parts of a document whose ingest was interrupted, are deleted (taste)."""


def keep_slice(connection: Connection, content: bytes, number: int, vectors: Vectors) -> None:
    """Store a slice of a document's vectors, by the document's content digest; old slices are deleted."""
    now = time.time()
    if number == 0:
        connection.execute("DELETE FROM kept_vectors WHERE kept_at < ?", (now - MAX_AGE_SECONDS,))
    values = (content, number, vectors.tobytes(), now)
    connection.execute(
        "INSERT INTO kept_vectors(content, slice, vectors, kept_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (content, slice) DO UPDATE SET vectors = excluded.vectors, kept_at = excluded.kept_at",
        values,
    )


def kept_slices(connection: Connection, content: bytes, width: int) -> dict[int, Vectors]:
    """The stored slices of a document, by number, without damaged ones; each of shape (rows, width)."""
    rows = connection.execute("SELECT slice, vectors FROM kept_vectors WHERE content = ?", (content,))
    whole = [(number, vectors) for number, vectors in rows if not len(vectors) % (2 * width)]
    return {number: np.frombuffer(vectors, np.float16).reshape(-1, width) for number, vectors in whole}


def drop_slices(connection: Connection, content: bytes) -> None:
    """Delete the slices of a complete document: its passages hold the vectors."""
    connection.execute("DELETE FROM kept_vectors WHERE content = ?", (content,))
