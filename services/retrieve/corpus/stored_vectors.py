"""Vectors as they are stored with their passages: rows of half-precision numbers, one for each window."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libs.runtime.storage import DamagedContent
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.documents import Vectors

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
