"""What an engine may read of its collection: it takes in the changes after the last that it knows.

Each method makes one or two blocking reads of the database, so it is called in a worker thread; raises Unavailable.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus import feed
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Admission


@dataclass(frozen=True, slots=True)
class CollectionView:
    """A collection of a corpus, and the folder for its engines' data."""

    corpus: Corpus
    row: int
    """The collection's number in the corpus; never reused for another one."""
    directory: Path

    @property
    def identity(self) -> str:
        """Identifies the corpus and the collection; an engine discards data derived from another one."""
        return f"{self.corpus.identity}:{self.row}"

    def exclusive(self, content: str) -> Callable[[], AbstractContextManager[None]] | None:
        """Keeps other processes of the corpus from writing an index ("text", "vectors"); None if no other opens it."""
        database = self.corpus.database
        return partial(database.exclusive, f"{content}-{self.row}") if database.is_shared else None

    def last_change(self) -> int:
        """The sequence number that an engine must reach."""
        return self.corpus.cached(feed.last_change, self.row)

    def width(self) -> int:
        """Values in each vector of the collection; 0 while it has none."""
        return self.corpus.read(feed.vector_width, self.row)

    def text_changes(self, after: int, limit: int) -> feed.TextBatch | None:
        """At most `limit` documents changed after the number `after`, for a full-text engine; None if none."""
        return self.corpus.read(feed.text_changes, self.row, after, limit)

    def vector_changes(self, after: int, limit: int) -> feed.VectorBatch | None:
        """At most `limit` documents changed after the number `after`, for a vector engine; None if none."""
        return self.corpus.read(feed.vector_changes, self.row, after, limit, self.width())

    def marks(self, documents: NDArray[np.int64]) -> dict[int, feed.Marks]:
        """The current labels and dates of documents, whose numbers are unique in a corpus; without deleted ones."""
        return self.corpus.read(feed.marks_of_documents, documents.tolist())

    def admitted(self, admission: Admission) -> NDArray[np.int64]:
        """The documents that meet an admission's conditions, ascending."""
        return self.corpus.cached(feed.admitted_documents, self.row, admission)

    def windows(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The position in `keys` of each window's passage, and its vector; a window is a stretch embedded by itself."""
        width, key_list = self.width(), keys.tolist()
        vectors_by_key = self.corpus.read(feed.vectors_of_keys, key_list, width)
        owners = [position for position, key in enumerate(key_list) for _ in vectors_by_key.get(key, ())]
        rows = [vector for key in key_list for vector in vectors_by_key.get(key, ())]
        vectors = np.array(rows, np.float32).reshape(len(rows), width)
        return np.array(owners, np.int64), vectors
