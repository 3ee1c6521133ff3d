"""Documents whose passages have no vectors yet: they wait in the order in which they came, also through a restart.

A document that is replaced or deleted leaves with its entry, whose place is given to no other, so vectors are never
written to passages that they were not made for. Everything blocks; what writes runs inside its caller's transaction.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np

from libs.contracts.structure import Block
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.documents import Vectors
from services.retrieve.corpus.feed import one_state
from services.retrieve.corpus.structures import blocks_from
from services.retrieve.corpus.writing import drop_slices, enqueue, record_change
from services.retrieve.indexing.passage import joined, searched_place

MOST_PASSAGES: Final = 128
"""Passages of the documents that are read at once, if there is more than one: some seconds of embedding (taste)."""
Cutting = Callable[[str, str, Sequence[Block], str], list[str]]
"""Returns the texts of a passage's windows, given its place (title and headings), its text and blocks, its language."""


@dataclass(frozen=True, slots=True)
class WaitingDocument:
    """A stored document whose vectors are to be made."""

    place: int
    """Where it stands among all that wait."""
    row: int
    collection: int
    passages: tuple[int, ...]
    """Their row numbers."""
    texts: tuple[list[str], ...]
    """What is embedded of each passage."""


def first_waiting(connection: Connection, model: str, limit: int, cut: Cutting) -> list[WaitingDocument]:
    """The first documents that wait for vectors of a model, at most `limit`; empty if none waits."""
    with one_state(connection):
        rows = connection.execute(
            "SELECT w.passages, w.place, w.document, w.collection FROM waiting w "
            "JOIN collections c ON c.id = w.collection WHERE c.model = ? ORDER BY w.place LIMIT ?",
            (model, limit),
        ).fetchall()
        fitting = sum(total <= MOST_PASSAGES for total in accumulate(row[0] for row in rows))
        return [_document(connection, cut, *row[1:]) for row in rows[: max(fitting, 1)]]


def _document(connection: Connection, cut: Cutting, place: int, row: int, collection: int) -> WaitingDocument:
    fields = "document_id, language, title, text"
    name, language, title, text = connection.execute(f"SELECT {fields} FROM documents WHERE id = ?", (row,)).fetchone()
    columns = "id, passage_id, first, last, repeated, headings, front, blocks"
    keys, texts = list[int](), list[list[str]]()
    passages = connection.execute(f"SELECT {columns} FROM passages WHERE document = ? ORDER BY id", (row,))
    for key, passage_id, first, last, repeated, headings, front, blocks in passages:
        above = searched_place(title, json.loads(headings), language, bool(front))
        words = joined(repeated, text[first:last])
        keys.append(key)
        is_whole = passage_id == name  # see PreparedDocument.passage_id
        texts.append([words] if is_whole else cut(above, words, blocks_from(blocks), language))
    return WaitingDocument(place, row, collection, tuple(keys), tuple(texts))


def put_vectors(
    connection: Connection, documents: Sequence[WaitingDocument], vectors: Sequence[Vectors], slices: Sequence[bytes]
) -> None:
    """Write the vectors of documents, a row per window; those that were replaced or deleted meanwhile are left out.

    `slices` has the key of each document's kept slices, which are deleted.
    """
    for document, rows, key in zip(documents, vectors, slices, strict=True):
        if _leave(connection, document):
            parts = np.split(rows, np.cumsum(list(map(len, document.texts)))[:-1])
            values = [(part.tobytes(), passage) for part, passage in zip(parts, document.passages, strict=True)]
            connection.executemany("UPDATE passages SET vector = ? WHERE id = ?", values)
            drop_slices(connection, key)
            record_change(connection, document.collection, document.row, 0, 0)


def postpone(connection: Connection, document: WaitingDocument) -> None:
    """Let a document that could not be embedded wait behind all others."""
    if _leave(connection, document):
        enqueue(connection, document.collection, document.row, len(document.passages))


def _leave(connection: Connection, document: WaitingDocument) -> bool:
    """Take a document out of those that wait; False if it is not there any more."""
    row = connection.execute("DELETE FROM waiting WHERE place = ? RETURNING place", (document.place,)).fetchone()
    return row is not None
