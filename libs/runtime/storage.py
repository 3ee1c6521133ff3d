"""Failures of files and disks: a status for the caller while serving, one line for the operator at the start."""

import errno
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Final

from google.protobuf.message import DecodeError

from libs.runtime.errors import DataLoss, InternalError, Overloaded, ParleyError, engine_unavailable

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
DISK_FULL_STATE: Final = "53100"
"""PostgreSQL's SQLSTATE of a full disk."""
COPY: Final = 0x434F5059
"""`PRAGMA application_id` of a SQLite file that was copied, until its owner has made it a database of its own."""
CHECK_SECONDS: Final = 5.0
"""How long a file is checked at the start (taste); 1.3 GB took 0.7 s of processor time, and 3 s from a busy disk."""

DAMAGED: Final = (
    "{} is damaged or no SQLite database: stop the suite and restore it from a backup, or move it away to begin with an"
    " empty one"
)


class UnusableFile(ValueError):  # noqa: N818 - it names what is wrong
    """A file of a store cannot be used; the message names it and says what to do. The process ends with it."""


class DamagedContent(Exception):  # noqa: N818 - it names what is wrong
    """What a store holds is not what was written there; the message says which part of it."""


def unusable_file(file: Path, error: Exception) -> UnusableFile:
    """The error of a database file that cannot be opened, or holds what cannot be read."""
    place = f"{file} ({error})" if isinstance(error, DamagedContent) else file
    return UnusableFile(DAMAGED.format(place) if is_damage(error) else f"{file} cannot be used: {error}")


def check_whole(file: Path, seconds: float = CHECK_SECONDS) -> None:
    """Check the pages and indexes of a database as far as there is time; whoever reads it meets damage beyond.

    Raises:
        UnusableFile: it is damaged, or cannot be read.
    """
    answer = "ok"
    try:
        with closing(sqlite3.connect(file, check_same_thread=False)) as connection:
            timer = Timer(seconds, connection.interrupt)
            timer.start()
            try:
                (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            finally:
                timer.cancel()
                timer.join()  # a connection that is closed is not interrupted
    except sqlite3.Error as error:
        if _code(error) != sqlite3.SQLITE_INTERRUPT:
            raise unusable_file(file, error) from None
    if answer != "ok":
        raise UnusableFile(DAMAGED.format(file))


def is_damage(error: BaseException) -> bool:
    """Whether the content of a database file is broken, or of something that is stored packed."""
    is_broken = isinstance(error, sqlite3.Error) and _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return is_broken or isinstance(error, zlib.error | DecodeError | DamagedContent)


def typed_error(error: Exception) -> ParleyError:
    """The typed error of any exception: that of a store, else an InternalError; the exception is its cause."""
    typed = storage_error(error) or InternalError()
    typed.__cause__ = error
    return typed


def storage_error(error: BaseException, file: Path | None = None) -> ParleyError | None:
    """The typed error of a failure to read or write a store, whose cause names a damaged file; else None."""
    typed: ParleyError | None = None
    if file is not None and isinstance(error, Exception) and is_damage(error):
        error = unusable_file(file, error)
    is_full = (isinstance(error, OSError) and error.errno in FULL) or getattr(error, "sqlstate", "") == DISK_FULL_STATE
    if is_full or (isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_FULL):
        # No time to retry after: somebody has to make space.
        typed = Overloaded(None, "The disk of a store is full: make space, then try again.", "STORAGE_FULL")
    elif isinstance(error, UnusableFile) or is_damage(error):
        typed = DataLoss()
    elif isinstance(error, sqlite3.OperationalError) and _code(error) != sqlite3.SQLITE_ERROR:
        # SQLITE_ERROR: the statement is wrong, which is our own fault.
        typed = engine_unavailable("A store of the suite cannot be used: its process's log says why.")
    if typed is not None:
        typed.__cause__ = error
    return typed


def _code(error: sqlite3.Error) -> int:
    """The primary result code; extended ones hold more in their upper bits."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
