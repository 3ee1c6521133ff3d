"""The corpus's writer goes on whatever its database does."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from services.retrieve.corpus.databases.database import Connection, Rows
from services.retrieve.corpus.databases.sqlite import SqliteDatabase, sqlite_database
from services.retrieve.corpus.databases.writer import CorpusWriter


class Breaking:
    """A connection of which one statement fails once, in a way that nobody foresaw."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.fails_at = ""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        if self.fails_at and statement.startswith(self.fails_at):
            self.fails_at = ""
            raise RuntimeError("it cannot write its own log")
        return self._connection.execute(statement, values)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        return self._connection.executemany(statement, rows)

    def close(self) -> None:
        self._connection.close()


class BreakingDatabase(SqliteDatabase):
    """Its writer breaks at will."""

    connection: Breaking

    def connect_writer(self) -> Connection:
        self.connection = Breaking(super().connect_writer())
        return self.connection


@pytest.fixture
def database(tmp_path: Path) -> BreakingDatabase:
    with sqlite_database(tmp_path):
        pass  # makes the file
    return BreakingDatabase(tmp_path / "corpus.db")


def count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM collections").fetchone()[0])


@pytest.mark.parametrize("statement", ["BEGIN", "SAVEPOINT", "COMMIT"])
def test_an_unforeseen_error_fails_one_write_and_not_the_next(database: BreakingDatabase, statement: str) -> None:
    writer = CorpusWriter(database)
    before = writer.submit(count).result(5)
    database.connection.fails_at = statement
    failed = writer.submit(count)
    with pytest.raises(RuntimeError, match="its own log"):
        failed.result(5)
    assert writer.submit(count).result(5) == before
    writer.close()
