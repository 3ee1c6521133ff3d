"""The engines of one collection, kept in sync with the corpus.

An acknowledged write is found by the next search: before each search an engine applies what was committed since its
last update. Between searches a background task does the same, so that searches have little to apply.
"""

import shutil
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libs.runtime.errors import Unavailable
from services.retrieve.corpus import feed
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.feed import TextBatch, VectorBatch
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.engine_sync import EngineSync
from services.retrieve.engines.opening import EngineMakers, embedded_lexical, embedded_vector
from services.retrieve.engines.protocols import LexicalEngine, VectorEngine


class CollectionEngines:
    """Lexical and vector search over one collection. Blocking and thread-safe."""

    def __init__(self, view: CollectionView, makers: EngineMakers) -> None:
        """Nothing is opened or followed yet."""
        self._view = view
        self._makers = makers
        self._lexical: EngineSync[LexicalEngine, TextBatch] = EngineSync(
            partial(makers.lexical, view),
            view.last_change,
            view.text_changes,
            view.exclusive("text") if makers.lexical is not embedded_lexical else None,
        )
        self._vector: EngineSync[VectorEngine, VectorBatch] = EngineSync(
            lambda: makers.vector(view, width) if (width := view.width()) else None,
            view.last_change,
            view.vector_changes,
            view.exclusive("vectors") if makers.vector is not embedded_vector else None,
        )

    @property
    def are_embedded(self) -> bool:
        """Whether both engines run in this process."""
        return self._makers.are_embedded

    def lexical(self) -> LexicalEngine:
        """The full-text engine with every acknowledged write applied. Raises Unavailable: see `EngineSync.current`."""
        engine = self._lexical.current(self._makers.lexical_patience)
        assert engine is not None  # every collection has text
        return engine

    def vector(self) -> VectorEngine | None:
        """The same for the vector engine; None while the collection has no vectors."""
        return self._vector.current(self._makers.vector_patience)

    def vectors(self, keys: NDArray[np.int64]) -> NDArray[np.float32] | None:
        """The passages' vectors, aligned with `keys`, zeros for one without vectors; None while the engine is not open.

        Changes are not applied first: this is for passages that a search has just found.
        """
        engine = self._vector.engine
        return None if engine is None else engine.vectors(keys)

    def catch_up(self) -> None:
        """Bring both engines up to date, however long it takes.

        Raises:
            Unavailable: one of them is a server that does not answer; the other one is up to date.
        """
        try:
            self._lexical.catch_up()
        finally:
            self._vector.catch_up()

    def stop(self) -> None:
        """Stop long work: the process is about to end."""
        self._lexical.stop()
        self._vector.stop()

    def close(self, *, destroy: bool = False) -> None:
        """Close both engines; stored data remains, or is deleted with the collection."""
        self._lexical.close(destroy=destroy)
        self._vector.close(destroy=destroy)
        if destroy:
            shutil.rmtree(self._view.directory, ignore_errors=True)


class Engines:
    """The engines of all collections of a corpus, opened on first use. Blocking and thread-safe."""

    def __init__(self, corpus: Corpus, directory: Path, makers: EngineMakers | None = None) -> None:
        """`directory` holds only data derived from this corpus; without makers all engines are embedded."""
        self._corpus = corpus
        self._directory = directory
        self._makers = makers or EngineMakers()
        self._open: dict[int, CollectionEngines] = {}
        self._opening = threading.Lock()
        self._swept: set[int] | None = None

    def of(self, collection: str) -> CollectionEngines:
        """A collection's engines; raises NotFound if it does not exist."""
        return self.of_row(self._corpus.collection(collection)[0])

    def of_row(self, row: int) -> CollectionEngines:
        """As `of`, if the collection's row number is known."""
        with self._opening:
            if row not in self._open:
                view = CollectionView(self._corpus, row, self._directory / str(row))
                self._open[row] = CollectionEngines(view, self._makers)
            return self._open[row]

    def catch_up(self) -> None:
        """Bring every collection's engines up to date; discard those whose collection was deleted.

        Raises:
            Unavailable: a server does not answer; all other engines are up to date.
        """
        rows = self._corpus.read(feed.collection_rows)
        works: list[Callable[[], None]] = [partial(self._forget_all_but, rows)]
        works += [self.of_row(row).catch_up for row in rows]
        failures = []
        for work in works:
            try:
                work()
            except Unavailable as failure:
                failures.append(failure)
        if failures:
            raise failures[0]

    def stop(self) -> None:
        """Stop long work: the process is about to end."""
        for engines in list(self._open.values()):
            engines.stop()

    def close(self) -> None:
        """Close all engines; data on disk remains."""
        for engines in self._open.values():
            engines.close()
        self._open.clear()

    def _forget_all_but(self, rows: set[int]) -> None:
        """Discard the engines of deleted collections.

        Folders and servers are swept at startup and whenever the set of collections changes.
        """
        with self._opening:
            deleted_engines = [self._open.pop(row) for row in self._open.keys() - rows]
        for engines in deleted_engines:
            engines.close(destroy=True)
        if rows == self._swept:
            return
        for folder in self._directory.iterdir() if self._directory.is_dir() else ():
            if folder.name.isdecimal() and int(folder.name) not in rows:
                shutil.rmtree(folder, ignore_errors=True)
        for sweep in self._makers.sweeps:
            sweep(self._corpus.identity, rows)
        self._swept = rows
