"""The corpus in a SQLite file, `corpus.db`, which one process owns."""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from services.retrieve.corpus.databases import schema
from services.retrieve.corpus.databases.database import Connection


class SqliteDatabase:
    """A Database; opened by `sqlite_database`."""

    failures: tuple[type[Exception], ...] = (sqlite3.Error,)
    is_shared = False
    name = "sqlite"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Connection = schema.open_or_create(path)

    def connect(self) -> Connection:
        """See Database."""
        return schema.connect(self._path)

    def connect_writer(self) -> Connection:
        """See Database."""
        return self._writer

    def begin_write(self, connection: Connection) -> None:
        """See Database."""
        connection.execute("BEGIN IMMEDIATE")

    def announce(self, connection: Connection) -> None:
        """See Database: there is nobody to tell."""

    def exclusive(self, task: str) -> AbstractContextManager[None]:
        """See Database: there is no other process."""
        return nullcontext()

    def watch(self, on_change: Callable[[], None], on_trust: Callable[[bool], None]) -> None:
        """See Database: nobody else writes."""

    def close(self) -> None:
        """See Database: the corpus closes its connections."""


@contextmanager
def sqlite_database(directory: Path) -> Iterator[SqliteDatabase]:
    """Open the file in a directory, both created if missing.

    Raises:
        UnusableCorpus: another process has it open, or another version wrote it.
    """
    directory.mkdir(parents=True, exist_ok=True)
    lock = os.open(directory / "corpus.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(lock)
        yield SqliteDatabase(directory / "corpus.db")
    finally:
        os.close(lock)


def _take(lock: int) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise schema.UnusableCorpus("another process has it open") from error
