"""What the corpus asks of a database. SQLite and PostgreSQL run the same statements; only opening them differs.

Statements use `?` for values. Both databases understand `RETURNING`, for new row numbers, and `ON CONFLICT`.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol

from libs.runtime.errors import engine_unavailable
from libs.runtime.storage import storage_error


class Rows(Protocol):
    """The result of a statement."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection, used by one thread at a time. A transaction begins and ends by statements of its own.

    A read transaction (`BEGIN` to `COMMIT`) sees one state of the database.
    """

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        """Run a statement."""

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Run a statement for each row of values."""

    def close(self) -> None:
        """Close the connection."""


class Database(Protocol):
    """An opened database. Everything blocks. What is about other processes does nothing by default."""

    failures: tuple[type[Exception], ...]
    """Errors of the database itself (it is down, full or locked), not of a statement."""
    is_shared: bool
    """Whether other processes write it, too."""
    name: str
    """For people: "sqlite", "postgresql"."""
    file: Path | None = None
    """The file of a database that is one."""

    def failure_of(self, error: Exception) -> Exception:
        """Return the typed error if the database is damaged, full or out of reach; a fault of ours as it is."""
        typed = storage_error(error, self.file)
        if typed is None and isinstance(error, self.failures):
            typed = engine_unavailable("The corpus cannot be used: retrieve's log says why.")
            typed.__cause__ = error
        return typed or error

    @abstractmethod
    def connect(self) -> Connection:
        """Open a connection for reading."""

    @abstractmethod
    def connect_writer(self) -> Connection:
        """Open the connection of this process's writer."""

    @abstractmethod
    def begin_write(self, connection: Connection) -> None:
        """Begin a transaction that writes, and wait for those of other processes."""

    def exclusive(self, task: str) -> AbstractContextManager[None]:
        """Wait until no other process does a task, and keep it from others in the block.

        Raises:
            Unavailable: the database does not answer.
        """
        return nullcontext()
