"""Vectors of a document that is not whole yet, kept by slices. Each function runs inside its caller's transaction."""

import sqlite3
import time
from typing import Final

import numpy as np

from services.retrieve.corpus.documents import Vectors

MOST_SECONDS: Final = 7 * 24 * 3600.0
"""After that nobody goes on with a document whose ingest broke off."""


def keep_slice(connection: sqlite3.Connection, content: bytes, number: int, vectors: Vectors) -> None:
    """Keep a slice of a document's vectors, by the document's content digest; what is too old is dropped."""
    now = time.time()
    if number == 0:
        connection.execute("DELETE FROM kept_vectors WHERE kept_at < ?", (now - MOST_SECONDS,))
    values = (content, number, vectors.tobytes(), now)
    connection.execute("INSERT OR REPLACE INTO kept_vectors VALUES (?, ?, ?, ?)", values)


def kept_slices(connection: sqlite3.Connection, content: bytes, width: int) -> dict[int, Vectors]:
    """The slices that are kept of a document, by their numbers; each of shape (rows, width)."""
    rows = connection.execute("SELECT slice, vectors FROM kept_vectors WHERE content = ?", (content,))
    return {number: np.frombuffer(vectors, np.float16).reshape(-1, width) for number, vectors in rows}


def drop_slices(connection: sqlite3.Connection, content: bytes) -> None:
    """The document is whole: its passages hold the vectors."""
    connection.execute("DELETE FROM kept_vectors WHERE content = ?", (content,))
