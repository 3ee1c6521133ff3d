"""The corpus in a SQLite file, `corpus.db`, which one process owns, by a lock on `corpus.lock`. Blocks on the disk.

Durability: write-ahead log with synchronous=FULL. A commit is on disk when it returns, so neither `kill -9` nor a power
failure loses an acknowledged document; bulk writes share commits, so the cost is small.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from libs.runtime.storage import COPY, DamagedContent, check_whole, is_damage, unusable_file
from services.retrieve.corpus.databases.database import Connection, Database
from services.retrieve.corpus.databases.schema import VERSION, Dialect, UnusableCorpus

SQLITE: Final = Dialect(
    key="INTEGER PRIMARY KEY AUTOINCREMENT",
    name="TEXT",
    content="BLOB",
    by_key="WITHOUT ROWID",
    identity="lower(hex(randomblob(16)))",
)
_PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY", "cache_size=-4096")


class SqliteDatabase(Database):
    """Opened by `sqlite_database`. There is no other process to tell of writes or to wait for."""

    failures = (sqlite3.Error, DamagedContent)
    is_shared = False
    name = "sqlite"

    def __init__(self, path: Path) -> None:
        self.file = self._path = path
        self._writer: Connection = open_or_create(path)

    def connect(self) -> Connection:
        """See Database."""
        return connect(self._path)

    def connect_writer(self) -> Connection:
        """See Database."""
        return self._writer

    def begin_write(self, connection: Connection) -> None:
        """See Database."""
        connection.execute("BEGIN IMMEDIATE")


@contextmanager
def sqlite_database(directory: Path) -> Iterator[SqliteDatabase]:
    """Open the file in a directory, both created if missing.

    Raises:
        UnusableCorpus: another process has it open, or another version wrote it.
        UnusableFile: it is damaged, or not a SQLite file.
    """
    directory.mkdir(parents=True, exist_ok=True)
    lock = os.open(directory / "corpus.lock", os.O_RDWR | os.O_CREAT, 0o600)  # its owner's alone
    try:
        _take(lock)
        yield SqliteDatabase(directory / "corpus.db")
    finally:
        os.close(lock)


def connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode (transactions begin explicitly), usable from any one thread at a time."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)  # seconds (taste)
    for pragma in _PRAGMAS:  # a cache of 4,096 KiB (taste)
        connection.execute(f"PRAGMA {pragma}").close()
    return connection


def open_or_create(path: Path) -> sqlite3.Connection:
    """Open a file, creating its tables atomically if it is new; a copy becomes a corpus of its own.

    Raises:
        UnusableCorpus: it cannot be opened, or has tables of another version.
        UnusableFile: it is damaged, or not a SQLite file.
    """
    check_whole(path)
    try:
        connection = connect(path)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {SQLITE.tables} PRAGMA user_version = {VERSION}; COMMIT;")
            version = VERSION
        if version == VERSION:
            connection.executescript(SQLITE.later_tables)
        if connection.execute("PRAGMA application_id").fetchone() == (COPY,):
            # No index or cached answer of the original is taken for the copy's.
            renewal = f"UPDATE identity SET corpus = {SQLITE.identity}; PRAGMA application_id = 0;"
            connection.executescript(f"BEGIN IMMEDIATE; {renewal} COMMIT;")
    except sqlite3.Error as error:
        if is_damage(error):
            raise unusable_file(path, error) from None
        raise UnusableCorpus(f"corpus.db cannot be opened: {error}") from error
    if version != VERSION:
        connection.close()
        raise UnusableCorpus.of_version("corpus.db", version)
    return connection


def _take(lock: int) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise UnusableCorpus(
            "another process has it open, as a suite that runs there: stop that one, or choose another folder"
        ) from error
