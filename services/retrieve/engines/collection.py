"""The engines of one collection, kept at the corpus's heels.

An acknowledged write is found by the next search: before each search an engine takes in what has been committed since
it looked last. Between searches a background task does the same, so that no search has much to take in.
"""

import shutil
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus import feed
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.engines.home import EngineHome
from services.retrieve.engines.makers import EngineMakers
from services.retrieve.engines.protocols import FollowingEngine, LexicalEngine, VectorEngine

Batch = TypeVar("Batch")
Given = TypeVar("Given", contravariant=True)

_BATCH = 1000
"""Documents read from the corpus at once."""


class _Follower(FollowingEngine, Protocol[Given]):
    def follow(self, batch: Given) -> None: ...


class CollectionEngines:
    """Lexical and vector search over one collection. Blocking; safe for any number of threads."""

    def __init__(self, home: EngineHome, makers: EngineMakers) -> None:
        """Nothing is opened or followed yet."""
        self._home = home
        self._makers = makers
        self._lexical: LexicalEngine | None = None
        self._vector: VectorEngine | None = None
        self._lexical_follows = threading.Lock()
        self._vector_follows = threading.Lock()

    def lexical(self) -> LexicalEngine:
        """The full-text engine with every acknowledged write in it.

        Raises:
            Unavailable: it is a server that does not answer.
        """
        if self._lexical is None or self._lexical.sequence < self._home.last_change():
            with self._lexical_follows:
                self._lexical = self._lexical or self._makers.lexical(self._home)
                _bring_up(self._lexical, self._home.last_change(), self._home.text_changes)
        return self._lexical

    def vector(self) -> VectorEngine | None:
        """The vector engine with every acknowledged write in it; None while the collection has no vectors.

        Raises:
            Unavailable: it is a server that does not answer.
        """
        if self._vector is None or self._vector.sequence < self._home.last_change():
            with self._vector_follows:
                width = self._home.width()
                if not width:
                    return None
                self._vector = self._vector or self._makers.vector(self._home, width)
                changes = partial(self._home.vector_changes, width=width)
                _bring_up(self._vector, self._home.last_change(), changes)
        return self._vector

    def vectors(self, keys: NDArray[np.int64]) -> NDArray[np.float32] | None:
        """The passages' vectors, aligned with `keys`, zeros for one that has none; None while the engine is not open.

        Nothing is followed: this is for passages that a search has just found.
        """
        return None if self._vector is None else self._vector.vectors(keys)

    def catch_up(self) -> None:
        """Bring both engines up to date.

        Raises:
            Unavailable: one of them is a server that does not answer; the other one has been brought up to date.
        """
        try:
            self.lexical()
        finally:
            self.vector()

    def condense(self) -> None:
        """Make a large collection's searches fast; may take long, searches go on meanwhile."""
        for engine in self._opened():
            engine.condense()

    def stop(self) -> None:
        """Let nothing long go on: the process is about to end."""
        for engine in self._opened():
            engine.stop()

    def close(self) -> None:
        """Keep what is kept."""
        for engine in self._opened():
            engine.close()

    def destroy(self) -> None:
        """Close, and delete what is kept: the collection is gone."""
        for engine in self._opened():
            engine.destroy()
        shutil.rmtree(self._home.directory, ignore_errors=True)

    def _opened(self) -> list[FollowingEngine]:
        return [engine for engine in (self._lexical, self._vector) if engine is not None]


def _bring_up(engine: _Follower[Batch], target: int, changes: Callable[[int, int], Batch | None]) -> None:
    """Let an engine take in all changes up to a target, in batches."""
    while engine.followed < target and (batch := changes(engine.followed, _BATCH)) is not None:
        engine.follow(batch)
    engine.commit()


class Engines:
    """The engines of all collections of a corpus, opened when first asked for."""

    def __init__(self, corpus: Corpus, directory: Path, makers: EngineMakers | None = None) -> None:
        """`directory` holds nothing but what is derived from this corpus; without makers all engines are embedded."""
        self._corpus = corpus
        self._directory = directory
        self._makers = makers or EngineMakers()
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
                engines = CollectionEngines(self._home(collection, row), self._makers)
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

    def _home(self, collection: str, row: int) -> EngineHome:
        return EngineHome(self._corpus, collection, row, self._directory / str(row))

    def _forget_all_but(self, rows: set[int]) -> None:
        with self._opening:
            for row in self._open.keys() - rows:
                self._open.pop(row).destroy()
            for folder in self._directory.iterdir() if self._directory.is_dir() else ():
                if folder.name.isdecimal() and int(folder.name) not in rows:
                    shutil.rmtree(folder, ignore_errors=True)
