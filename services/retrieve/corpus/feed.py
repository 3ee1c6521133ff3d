"""The change feed that engines follow: batches of changes, each with the current passages.

Every engine does the same: for each changed document delete all its passages, insert the given ones, and store
`through`. Applying a batch twice is harmless, so an engine may always fall back to an older position. The functions
block, and raise the errors of the database. A window is a part of a passage that has a vector, of 2 bytes a value.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libs.language.known import ENGLISH
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.documents import Vectors
from services.retrieve.corpus.filtering import Admission
from services.retrieve.corpus.permissions import marks
from services.retrieve.corpus.stored_vectors import stored_vectors
from services.retrieve.indexing.passage import first_windows, joined, searched_place


@dataclass(frozen=True, slots=True)
class TextPassage:
    """A passage for a full-text engine."""

    key: int
    document: int
    place: str
    """Title and headings, which are searched with the text."""
    text: str
    language: str
    """ISO 639-1; an unknown one counts as English."""
    labels: tuple[str, ...]
    first_second: int | None
    last_second: int | None


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Changed documents and all their current passages."""

    documents: tuple[int, ...]
    through: int
    passages: tuple[TextPassage, ...]


@dataclass(frozen=True, slots=True)
class VectorBatch:
    """Changed documents and their current vectors, aligned by row."""

    documents: NDArray[np.int64]
    through: int
    keys: NDArray[np.int64]
    """Keys of windows, ascending (`services.retrieve.indexing.passage`)."""
    owners: NDArray[np.int64]
    """The document of each window."""
    restricted: NDArray[np.bool_]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Marks:
    """What filters and permissions apply to."""

    labels: tuple[str, ...]
    first_second: int | None
    last_second: int | None
    """None for a document without a date; so is `first_second`."""


def last_change(connection: Connection, collection: int) -> int:
    """The sequence number that an engine must reach; 0 if nothing was ever written."""
    row = connection.execute("SELECT max(sequence) FROM changes WHERE collection = ?", (collection,)).fetchone()
    return int(row[0] or 0)


def vector_width(connection: Connection, collection: int) -> int:
    """Values in each vector of a collection; 0 while it has none."""
    row = connection.execute("SELECT width FROM collections WHERE id = ?", (collection,)).fetchone()
    return int(row[0]) if row else 0


def collection_rows(connection: Connection) -> set[int]:
    """The row numbers of all collections."""
    return {row for (row,) in connection.execute("SELECT id FROM collections")}


def text_changes(connection: Connection, collection: int, after: int, limit: int) -> TextBatch | None:
    """The next changes for a full-text engine; None if there are no more."""
    with one_state(connection):
        changes = _changes(connection, collection, after, limit)
        if not changes:
            return None
        through = changes[-1][0]
        passages = _text_passages(connection, (collection, after, through))
        return TextBatch(tuple(document for _, document in changes), through, passages)


def vector_changes(connection: Connection, collection: int, after: int, limit: int, width: int) -> VectorBatch | None:
    """The next changes for a vector engine; None when there are no more."""
    with one_state(connection):
        changes = _changes(connection, collection, after, limit)
        if not changes:
            return None
        rows = connection.execute(
            "SELECT p.id, p.document, d.principals <> '[]', p.vector FROM changes c "
            "JOIN documents d ON d.id = c.document JOIN passages p ON p.document = d.id "
            "WHERE c.collection = ? AND c.sequence > ? AND c.sequence <= ? AND p.vector IS NOT NULL ORDER BY p.id",
            (collection, after, changes[-1][0]),
        ).fetchall()
        vectors, counts = stored_vectors(connection, [row[0] for row in rows], [row[3] for row in rows], width)
        return _vector_batch(changes, rows, vectors, counts)


def _vector_batch(
    changes: Sequence[tuple[int, int]], rows: Sequence[Any], vectors: Vectors, counts: NDArray[np.int64]
) -> VectorBatch:
    """Turn rows of passages into rows of windows, of which each passage has so many."""
    numbers = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    passages = np.array([row[0] for row in rows], np.int64)
    return VectorBatch(
        np.array([document for _, document in changes], np.int64),
        changes[-1][0],
        np.repeat(first_windows(passages), counts) + numbers,
        np.repeat(np.array([row[1] for row in rows], np.int64), counts),
        np.repeat(np.array([row[2] for row in rows], np.bool_), counts),
        vectors,
    )


def vectors_of_keys(connection: Connection, keys: Sequence[int], width: int) -> dict[int, Vectors]:
    """The vectors of passages' windows, shape (windows, width) each; passages without vectors are left out."""
    rows = connection.execute(
        f"SELECT id, vector FROM passages WHERE id IN ({marks(keys)}) AND vector IS NOT NULL", keys
    ).fetchall()
    passages = [key for key, _ in rows]
    vectors, counts = stored_vectors(connection, passages, [content for _, content in rows], width)
    ends = np.cumsum(counts)
    return {key: vectors[end - count : end] for key, end, count in zip(passages, ends, counts, strict=True)}


def marks_of_documents(connection: Connection, documents: Sequence[int]) -> dict[int, Marks]:
    """The labels and dates that documents are filtered by now; deleted documents are left out."""
    places = marks(documents)
    with one_state(connection):
        labels = _labels(f"SELECT document, label FROM labels WHERE document IN ({places})", documents, connection)
        dates = connection.execute(
            f"SELECT id, first_second, last_second FROM documents WHERE id IN ({places})", documents
        )
        return {document: Marks(labels[document], first, last) for document, first, last in dates}


def admitted_documents(connection: Connection, collection: int, admission: Admission) -> NDArray[np.int64]:
    """The documents of a collection that meet all conditions, ascending."""
    conditions, values = ["d.collection = ?"], [collection]  # type: tuple[list[str], list[int | str]]
    for labels in admission.labels:
        conditions.append(f"d.id IN (SELECT document FROM labels WHERE collection = ? AND label IN ({marks(labels)}))")
        values += [collection, *sorted(labels)]
    if admission.seconds is not None:
        undated = "OR d.first_second IS NULL" if admission.undated else ""
        conditions.append(f"(d.first_second <= ? AND d.last_second >= ? {undated})")
        values += [admission.seconds.last, admission.seconds.first]
    rows = connection.execute(f"SELECT d.id FROM documents d WHERE {' AND '.join(conditions)} ORDER BY d.id", values)
    return np.fromiter((row[0] for row in rows), np.int64)


def _changes(connection: Connection, collection: int, after: int, limit: int) -> Sequence[tuple[int, int]]:
    return connection.execute(
        "SELECT sequence, document FROM changes WHERE collection = ? AND sequence > ? ORDER BY sequence LIMIT ?",
        (collection, after, limit),
    ).fetchall()


def _text_passages(connection: Connection, scope: tuple[int, int, int]) -> tuple[TextPassage, ...]:
    """`scope` is a collection and the sequence numbers after which, and up to which, its changes are meant."""
    within = "WHERE c.collection = ? AND c.sequence > ? AND c.sequence <= ?"
    documents = {
        row[0]: row[1:]
        for row in connection.execute(
            "SELECT d.id, d.title, d.text, d.language, d.first_second, d.last_second FROM changes c "
            f"JOIN documents d ON d.id = c.document {within}",
            scope,
        )
    }
    labels = _labels(
        f"SELECT l.document, l.label FROM changes c JOIN labels l ON l.document = c.document {within}",
        scope,
        connection,
    )
    passages = connection.execute(
        "SELECT p.id, p.document, p.first, p.last, p.repeated, p.headings, p.front FROM changes c "
        f"JOIN passages p ON p.document = c.document {within}",
        scope,
    )
    return tuple(_text_passage(row, documents[row[1]], labels[row[1]]) for row in passages)


def _text_passage(row: Sequence[Any], document: Sequence[Any], labels: tuple[str, ...]) -> TextPassage:
    key, owner, first, last, lead, headings, front = row
    title, text, language, first_second, last_second = document
    place = searched_place(title, json.loads(headings), language, bool(front))
    passage_text = joined(lead, text[first:last])
    return TextPassage(key, owner, place, passage_text, language or ENGLISH, labels, first_second, last_second)


def _labels(statement: str, values: Sequence[int], connection: Connection) -> Mapping[int, tuple[str, ...]]:
    labels_by_document: dict[int, list[str]] = defaultdict(list)
    for document, label in connection.execute(statement, values):
        labels_by_document[document].append(label)
    return {document: tuple(labels) for document, labels in labels_by_document.items()}


@contextmanager
def one_state(connection: Connection) -> Iterator[None]:
    """The block reads one state of the database."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")
