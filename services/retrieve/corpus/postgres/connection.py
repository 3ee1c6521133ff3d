"""A connection to PostgreSQL that understands the corpus's statements."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from services.retrieve.corpus.database import Rows

if TYPE_CHECKING:
    import psycopg

NUL = "\x00"
REPLACEMENT = "\ufffd"


class PostgresConnection:
    """A Connection over psycopg, in autocommit mode: transactions begin and end by statements."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        """See Connection."""
        parameters = [storable(value) for value in values] or None
        return self._connection.execute(translated(statement).encode(), parameters)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        """See Connection."""
        with self._connection.cursor() as cursor:
            cursor.executemany(translated(statement).encode(), [[storable(value) for value in row] for row in rows])
        return None

    def close(self) -> None:
        """See Connection."""
        self._connection.close()


@lru_cache(maxsize=512)
def translated(statement: str) -> str:
    """A statement in psycopg's form. An empty list, which SQLite accepts, is one without any equal value."""
    return statement.replace("IN ()", "IN (NULL)").replace("%", "%%").replace("?", "%s")


def storable(value: Any) -> Any:
    """A value as PostgreSQL can store it: it has no NUL in texts; offsets into the text stay the same."""
    return value.replace(NUL, REPLACEMENT) if isinstance(value, str) and NUL in value else value
