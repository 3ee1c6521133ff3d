"""The engines of one collection, kept at the corpus's heels.

An acknowledged write is found by the next search: before each search an engine takes in what has been committed since
it looked last. Between searches a background task does the same, so that no search has much to take in.
"""

import shutil
import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus import feed
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Admission
from services.retrieve.engines.lexical import LexicalIndex
from services.retrieve.engines.vector import VectorIndex

_BATCH = 1000
"""Documents read from the corpus at once."""


class CollectionEngines:
    """Lexical and vector search over one collection. Blocking; safe for any number of threads."""

    def __init__(self, corpus: Corpus, name: str, row: int, directory: Path) -> None:
        """Open what is on disk; nothing is followed yet."""
        self.name = name
        self.row = row
        self._corpus = corpus
        self._directory = directory
        self._lexical = LexicalIndex(directory, f"{corpus.identity}:{row}")
        self._vector: VectorIndex | None = None
        self._lexical_follows = threading.Lock()
        self._vector_follows = threading.Lock()

    def lexical(self) -> LexicalIndex:
        """The full-text index with every acknowledged write in it."""
        index = self._lexical
        if index.sequence < self._last_change():
            with self._lexical_follows:
                target = self._last_change()
                while index.followed < target and (batch := self._text_batch(index.followed)):
                    index.follow(batch)
                index.commit()
        return index

    def vector(self) -> VectorIndex | None:
        """The vector index with every acknowledged write in it; None while the collection has no vectors."""
        if self._vector is None or self._vector.sequence < self._last_change():
            with self._vector_follows:
                self._follow_vectors()
        return self._vector

    def passages(self) -> int:
        """How many passages the collection holds, as the full-text index counts them."""
        return self._lexical.passages

    def catch_up(self) -> None:
        """Bring both engines up to date."""
        self.lexical()
        self.vector()

    def condense(self) -> None:
        """Make a large collection's vector search fast; may take long, searches go on meanwhile."""
        if self._vector is not None:
            self._vector.condense()

    def stop(self) -> None:
        """Let nothing long go on: the process is about to end."""
        if self._vector is not None:
            self._vector.close()

    def close(self) -> None:
        """Keep what is on disk."""
        self.stop()
        self._lexical.close()

    def destroy(self) -> None:
        """Close, and delete what is on disk: the collection is gone."""
        self.close()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _last_change(self) -> int:
        return self._corpus.read(lambda connection: feed.last_change(connection, self.row))

    def _text_batch(self, after: int) -> feed.TextBatch | None:
        return self._corpus.read(lambda connection: feed.text_changes(connection, self.row, after, _BATCH))

    def _follow_vectors(self) -> None:
        width = self._corpus.read(lambda connection: feed.vector_width(connection, self.row))
        if not width:
            return
        index = self._vector or self._open_vectors(width)
        target = self._last_change()
        while index.sequence < target and (batch := self._vector_batch(index.sequence, width)):
            index.follow(batch)
        self._vector = index

    def _open_vectors(self, width: int) -> VectorIndex:
        return VectorIndex(width, self._admitted, self._directory / "graphs", f"{self._corpus.identity}:{self.row}")

    def _vector_batch(self, after: int, width: int) -> feed.VectorBatch | None:
        return self._corpus.read(lambda connection: feed.vector_changes(connection, self.row, after, _BATCH, width))

    def _admitted(self, admission: Admission) -> NDArray[np.int64]:
        return self._corpus.read(lambda connection: feed.admitted_documents(connection, self.row, admission))


class Engines:
    """The engines of all collections of a corpus, opened when first asked for."""

    def __init__(self, corpus: Corpus, directory: Path) -> None:
        """`directory` holds nothing but what is derived from this corpus."""
        self._corpus = corpus
        self._directory = directory
        self._open: dict[int, CollectionEngines] = {}
        self._opening = threading.Lock()

    def of(self, collection: str) -> CollectionEngines:
        """A collection's engines.

        Raises:
            NotFound: there is no such collection.
        """
        row, _ = self._corpus.collection(collection)
        with self._opening:
            engines = self._open.get(row)
            if engines is None:
                engines = CollectionEngines(self._corpus, collection, row, self._directory / str(row))
                self._open[row] = engines
            return engines

    def catch_up(self) -> None:
        """Bring every collection's engines up to date; forget those whose collection is gone."""
        present = self._corpus.read(feed.collection_rows)
        self._forget_all_but(set(present))
        for name in present.values():
            self.of(name).catch_up()

    def condense(self) -> None:
        """Make large collections fast; may take long, searches go on meanwhile."""
        for engines in list(self._open.values()):
            engines.condense()

    def stop(self) -> None:
        """Let nothing long go on: the process is about to end."""
        for engines in list(self._open.values()):
            engines.stop()

    def close(self) -> None:
        """Keep what is on disk."""
        for engines in self._open.values():
            engines.close()
        self._open.clear()

    def _forget_all_but(self, rows: set[int]) -> None:
        with self._opening:
            for row in self._open.keys() - rows:
                self._open.pop(row).destroy()
            for folder in self._directory.iterdir() if self._directory.is_dir() else ():
                if folder.name.isdecimal() and int(folder.name) not in rows:
                    shutil.rmtree(folder, ignore_errors=True)
