"""Vectors as they are stored with their passages: rows of half-precision numbers, one for each window."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libs.runtime.storage import DamagedContent
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.documents import Vectors
from services.retrieve.corpus.reading import StoredVersion

_PLACE = (
    "SELECT d.document_id, c.name FROM passages p JOIN documents d ON d.id = p.document "
    "JOIN collections c ON c.id = d.collection WHERE p.id = ?"
)


def stored_vectors(
    connection: Connection, passages: Sequence[int], contents: Sequence[bytes], width: int
) -> tuple[Vectors, NDArray[np.int64]]:
    """Return the vectors of passages, shape (windows, width), and how many windows each of them has.

    Raises:
        DamagedContent: what is stored for a passage is no whole vectors.
    """
    row_size = 2 * max(width, 1)
    counts = [divmod(len(content), row_size) if isinstance(content, bytes) else (0, 0) for content in contents]
    for passage, (count, rest) in zip(passages, counts, strict=True):
        if rest or not count:
            document_id, collection = connection.execute(_PLACE, (passage,)).fetchone()
            raise DamagedContent(f"damaged vectors of the document {document_id!r} in the collection {collection!r}")
    numbers = np.array([count for count, _ in counts], np.int64)
    return np.frombuffer(b"".join(contents), np.float16).reshape(numbers.sum(), width), numbers


def vectors_of(connection: Connection, document: StoredVersion) -> tuple[Vectors, tuple[int, ...]] | None:
    """The vectors of a document's windows, of 2 bytes a value, and how many windows each passage has.

    None if a passage has none, or if the document has changed.
    """
    rows = connection.execute(
        "SELECT p.id, p.vector, c.width FROM passages p JOIN documents d ON d.id = p.document "
        "JOIN collections c ON c.id = d.collection WHERE d.id = ? AND d.content = ? ORDER BY p.id",
        (document.row, document.content),
    ).fetchall()
    if not rows or any(vector is None for _, vector, _ in rows):
        return None
    passages, contents, widths = zip(*rows, strict=True)
    vectors, counts = stored_vectors(connection, passages, contents, widths[0])
    return vectors, tuple(counts.tolist())
