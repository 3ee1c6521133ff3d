"""Vectors of incompletely embedded documents, stored by slice. Each function runs inside its caller's transaction."""

import time
from typing import Final

import numpy as np

from services.retrieve.corpus.database import Connection
from services.retrieve.corpus.documents import Vectors

MOST_SECONDS: Final = 7 * 24 * 3600.0
"""Age in seconds after which the slices of an interrupted ingest are deleted."""


def keep_slice(connection: Connection, content: bytes, number: int, vectors: Vectors) -> None:
    """Store a slice of a document's vectors, by the document's content digest; old slices are deleted."""
    now = time.time()
    if number == 0:
        connection.execute("DELETE FROM kept_vectors WHERE kept_at < ?", (now - MOST_SECONDS,))
    values = (content, number, vectors.tobytes(), now)
    connection.execute(
        "INSERT INTO kept_vectors(content, slice, vectors, kept_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (content, slice) DO UPDATE SET vectors = excluded.vectors, kept_at = excluded.kept_at",
        values,
    )


def kept_slices(connection: Connection, content: bytes, width: int) -> dict[int, Vectors]:
    """The stored slices of a document, by number; each of shape (rows, width)."""
    rows = connection.execute("SELECT slice, vectors FROM kept_vectors WHERE content = ?", (content,))
    return {number: np.frombuffer(vectors, np.float16).reshape(-1, width) for number, vectors in rows}


def drop_slices(connection: Connection, content: bytes) -> None:
    """Delete the slices of a complete document: its passages hold the vectors."""
    connection.execute("DELETE FROM kept_vectors WHERE content = ?", (content,))
