"""Failures of files and disks: a status for the caller while serving, one line for the operator at the start."""

import errno
import sqlite3
from pathlib import Path
from typing import Final

from libs.runtime.errors import InternalError, Overloaded, ParleyError, engine_unavailable

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
DISK_FULL_STATE: Final = "53100"
"""PostgreSQL's SQLSTATE of a full disk."""
COPY: Final = 0x434F5059
"""`PRAGMA application_id` of a SQLite file that was copied, until its owner has made it a database of its own."""


class UnusableFile(ValueError):  # noqa: N818 - it names what is wrong
    """A file of a store cannot be used; the message names it and says what to do. The process ends with it."""


def unusable_file(file: Path, error: Exception) -> UnusableFile:
    """The error of a database file that cannot be opened."""
    if is_damage(error):
        return UnusableFile(
            f"{file} is damaged or no SQLite database: stop the suite and restore it from a backup, or move it away to"
            " begin with an empty one"
        )
    return UnusableFile(f"{file} cannot be used: {error}")


def is_damage(error: BaseException) -> bool:
    """Whether the content of a database file is broken."""
    return isinstance(error, sqlite3.Error) and _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def typed_error(error: Exception) -> ParleyError:
    """The typed error of any exception: that of a store, else an InternalError; the exception is its cause."""
    typed = storage_error(error) or InternalError()
    typed.__cause__ = error
    return typed


def storage_error(error: BaseException) -> ParleyError | None:
    """The typed error of a failure to read or write a store; None for any other exception."""
    typed: ParleyError | None = None
    is_full = (isinstance(error, OSError) and error.errno in FULL) or getattr(error, "sqlstate", "") == DISK_FULL_STATE
    if is_full or (isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_FULL):
        # No time to retry after: somebody has to make space.
        typed = Overloaded(None, "The disk of a store is full: make space, then try again.", "STORAGE_FULL")
    elif is_damage(error) or (isinstance(error, sqlite3.OperationalError) and _code(error) != sqlite3.SQLITE_ERROR):
        # SQLITE_ERROR: the statement is wrong, which is our own fault.
        typed = engine_unavailable("A store of the suite cannot be used: its process's log says why.")
    if typed is not None:
        typed.__cause__ = error
    return typed


def _code(error: sqlite3.Error) -> int:
    """The primary result code; extended ones hold more in their upper bits."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
