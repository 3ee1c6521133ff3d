"""The corpus: one writer in each process, any number of readers.

The database is the source of truth. A resolved write is acknowledged and survives `kill -9`. A document is replaced or
deleted as a whole, in one transaction, so no reader sees part of one. Everything but `knows` blocks: call it from a
thread. Reads, and the futures of writes, raise Unavailable if the database does not answer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Concatenate, Final, ParamSpec, TypeVar

from libs.contracts.evidence import Passage
from libs.runtime.errors import NotFound
from services.retrieve.corpus import permissions, reading
from services.retrieve.corpus.databases.cache import QueryCache
from services.retrieve.corpus.databases.database import Connection, Database
from services.retrieve.corpus.databases.postgres import START_SECONDS, PostgresSettings, postgres_database
from services.retrieve.corpus.databases.sqlite import sqlite_database
from services.retrieve.corpus.databases.writer import CorpusWriter
from services.retrieve.corpus.documents import Collection
from services.retrieve.corpus.permissions import NOBODY, Caller

T = TypeVar("T")
P = ParamSpec("P")
MAIN: Final = 0.05
"""Least share of the documents whose language is one of the collection's: fewer may be misread, or in passing (taste).
"""


class Corpus:
    """A corpus over an opened database. Close it after everything that reads it, and before the database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._idle: LifoQueue[Connection] = LifoQueue()
        self._cache = QueryCache()
        self.identity: str = self.read(reading.identity)
        """Unique id of this corpus; data derived from it carries the id."""
        self._writer = CorpusWriter(database, self._cache.forget)
        self._version: tuple[int, ...] = ()
        """What `reading.version` said when a shared database was last read."""

    @classmethod
    @contextmanager
    def open(cls, directory: Path) -> Iterator["Corpus"]:
        """Open the corpus in a directory of this machine, created if missing.

        Raises:
            UnusableCorpus: another process has it open, or another version wrote it.
        """
        with sqlite_database(directory) as database, closing(cls(database)) as corpus:
            yield corpus

    @classmethod
    @contextmanager
    def open_shared(cls, settings: PostgresSettings, start_seconds: float = START_SECONDS) -> Iterator["Corpus"]:
        """Open the corpus in a PostgreSQL database that processes share, created if missing; raises as `open`."""
        with closing(cls(postgres_database(settings, start_seconds))) as corpus:
            yield corpus

    def read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query on a connection, which it takes first. Raises Unavailable or DataLoss: it does not answer."""
        while True:
            connection, is_new = self._connection()
            try:
                result = query(connection, *args, **kwargs)
            except self.database.failures as error:
                connection.close()
                if is_new or not self.database.is_shared:  # an idle connection may have been lost long ago
                    failure = self.database.failure_of(error)
                    raise failure from failure.__cause__
            except BaseException:
                self._idle.put(connection)
                raise
            else:
                self._idle.put(connection)
                return result

    def _connection(self) -> tuple[Connection, bool]:
        """Return a connection, and whether it is new."""
        try:
            return self._idle.get_nowait(), False
        except Empty:
            pass
        try:
            return self.database.connect(), True
        except self.database.failures as error:
            failure = self.database.failure_of(error)
            raise failure from failure.__cause__

    def cached(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a query, cached until the next write."""
        self._refresh()
        return self._cache.answer((query, *args, *kwargs.items()), lambda: self.read(query, *args, **kwargs))

    def _refresh(self) -> None:
        """Forget what was cached before another process wrote."""
        if self.database.is_shared and (version := self.read(reading.version)) != self._version:
            self._cache.forget()
            self._version = version

    def write(self, change: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Run statements in one transaction, on the connection that they take first; resolves after the commit."""
        return self._writer.submit(lambda connection: change(connection, *args, **kwargs))

    def collections(self, caller: Caller) -> list[Collection]:
        """The collections that exist for a caller, with the documents that do, by name; `default` always exists."""
        hidden = self.cached(permissions.hidden_from, caller)
        return [
            known_part(collection, hidden)
            for collection in self.read(reading.collections)
            if self._is_known(collection, caller)
        ]

    def collection_for(self, name: str, caller: Caller) -> Collection:
        """A collection as far as it exists for a caller; raises as `require`."""
        self.require(name, caller)
        return known_part(self.collection(name)[1], self.cached(permissions.hidden_from, caller))

    def require(self, name: str, caller: Caller) -> None:
        """Raise NotFound if no collection has that name, or the caller may read and owns nothing that is in it."""
        if not self._is_known(self.collection(name)[1], caller):
            raise NotFound("collection", name)

    def _is_known(self, collection: Collection, caller: Caller) -> bool:
        if caller.is_admin or _is_open(collection):
            return True
        return self.cached(permissions.is_known, collection.name, caller)

    def knows(self, name: str, caller: Caller = NOBODY) -> bool:
        """Whether what a search needs to know of a collection is cached, so that reading it does not block."""
        peek = self._cache.peek
        known = peek((reading.collection_named, name))
        hidden = peek((permissions.hidden_from, caller))
        if self.database.is_shared or known is None or hidden is None or name in hidden:
            return False
        if peek((reading.languages_of, known[0], permissions.EVERYTHING)) is None:
            return False
        return _is_open(known[1]) or peek((permissions.is_known, name, caller)) is not None

    def collection(self, name: str) -> tuple[int, Collection]:
        """A collection's row number and its summary. Raises NotFound: no collection has that name."""
        row_and_summary = self.cached(reading.collection_named, name)
        if row_and_summary is None:
            raise NotFound("collection", name)
        return row_and_summary

    def language_counts(self, name: str, caller: Caller) -> Mapping[str, int]:
        """How many documents that exist for the caller are in each language, most first; raises as `collection`."""
        is_known = name not in self.cached(permissions.hidden_from, caller)
        known = permissions.EVERYTHING if is_known else permissions.known_to(caller)
        return self.cached(reading.languages_of, self.collection(name)[0], known)

    def main_languages(self, name: str, caller: Caller) -> tuple[str, ...]:
        """Those of at least MAIN of a collection's documents; raises as `require`."""
        self.require(name, caller)
        counts = self.language_counts(name, caller)
        return tuple(language for language, count in counts.items() if count >= MAIN * sum(counts.values()))

    def passages(self, keys: Iterable[int]) -> dict[int, Passage]:
        """Passages by their row numbers; deleted ones are left out."""
        self._refresh()
        return self._cache.by_keys(keys, lambda missing: self.read(reading.passages_of_keys, missing))

    def close(self) -> None:
        """Commit what is queued, and close all connections."""
        self._writer.close()
        while not self._idle.empty():
            self._idle.get_nowait().close()


def _is_open(collection: Collection) -> bool:
    """Whether a collection exists for everybody."""
    return collection.name == "default" or not collection.documents


def known_part(collection: Collection, hidden: Mapping[str, permissions.Hidden]) -> Collection:
    """A collection without what is hidden."""
    own = hidden.get(collection.name, permissions.Hidden())
    return replace(
        collection,
        documents=max(collection.documents - own.documents, 0),
        passages=max(collection.passages - own.passages, 0),
        passages_without_vectors=max(collection.passages_without_vectors - own.without_vectors, 0),
    )
