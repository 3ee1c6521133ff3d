"""The corpus in PostgreSQL: opening, locking, and hearing of the writes of other processes.

Writes of all processes come one after the other, by an advisory lock, so that the sequence numbers of changes are
committed in their order: whoever has seen number n has seen all before it. A write is announced by NOTIFY.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import structlog
from pydantic import Field, SecretStr

from libs.runtime.errors import Unavailable
from libs.runtime.settings import AreaSettings
from services.retrieve.corpus.databases.database import Connection, Rows
from services.retrieve.corpus.databases.listener import Listener
from services.retrieve.corpus.databases.postgres_schema import bring_up_to_date, write_lock
from services.retrieve.corpus.databases.schema import UnusableCorpus

if TYPE_CHECKING:
    import psycopg


LOCK_SECONDS: Final = 5
"""How long a process waits for one that indexes; then it looks again later."""
RETRY_SECONDS: Final = 0.5
"""Pause between attempts to reach the database at the start."""
KEEPALIVE: Final[Mapping[str, Any]] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A connection to a host that is gone fails within some ten seconds (milliseconds for the last one)."""
_log = structlog.get_logger("parley.retrieve")


class PostgresSettings(AreaSettings, area="retrieve_postgres"):
    """Which PostgreSQL database holds the corpus. All retrieve processes of a suite name the same one."""

    url: SecretStr = SecretStr("")
    """Connection string, such as `postgresql://parley@db:5432/parley`; empty: the corpus is a file. What it leaves out
    comes from libpq's own variables (PGPASSWORD, PGSSLMODE)."""
    schema_name: str = Field(default="parley", pattern=r"^[a-z_][a-z0-9_]{0,39}$")
    """Schema of the corpus in the database, created if missing."""
    connect_seconds: int = Field(default=5, ge=2, le=60)
    """Longest time to connect."""
    statement_seconds: float = Field(default=30.0, gt=0, le=600)
    """Longest time that one statement may take."""
    start_seconds: float = Field(default=60.0, ge=0)
    """How long a process that starts waits for the database."""


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


class PostgresDatabase:
    """A Database; opened by `postgres_database`."""

    is_shared = True
    name = "postgresql"

    def __init__(self, settings: PostgresSettings) -> None:
        import psycopg

        self.failures: tuple[type[Exception], ...] = (
            psycopg.OperationalError,
            psycopg.InterfaceError,
            psycopg.InternalError,  # it cannot write its own log, and restarts
        )
        self._settings = settings
        self._listener: Listener | None = None

    def connect(self) -> Connection:
        """See Database. A transaction sees one state, and cannot write."""
        options = "-c default_transaction_isolation=repeatable\\ read -c default_transaction_read_only=on"
        return PostgresConnection(self.session(options))

    def connect_writer(self) -> Connection:
        """See Database."""
        return PostgresConnection(self.session())

    def session(self, options: str = "") -> "psycopg.Connection[Any]":
        """Return a new connection in autocommit mode.

        Raises:
            psycopg.OperationalError: the database cannot be reached.
        """
        import psycopg

        milliseconds = round(1000 * self._settings.statement_seconds)
        return psycopg.connect(
            self._settings.url.get_secret_value(),
            autocommit=True,
            connect_timeout=self._settings.connect_seconds,
            application_name="parley",
            options=f"-c search_path={self._settings.schema_name} -c statement_timeout={milliseconds} {options}",
            **KEEPALIVE,
        )

    def begin_write(self, connection: Connection) -> None:
        """See Database. Not `repeatable read`: the state is that after the wait for the lock."""
        connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (write_lock(self._settings.schema_name),)
        )

    def announce(self, connection: Connection) -> None:
        """See Database."""
        connection.execute("SELECT pg_notify(?, '')", (self._channel,))

    @contextmanager
    def exclusive(self, task: str) -> Iterator[None]:
        """See Database. The lock goes with its connection, so a killed process does not keep it."""
        try:
            session = self.session(f"-c lock_timeout={LOCK_SECONDS}s")
        except self.failures as error:
            raise Unavailable("ENGINE_UNAVAILABLE", "The corpus cannot be read.") from error
        with session:
            try:
                session.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (self._lock(task),))
            except self.failures as error:
                raise Unavailable("ENGINE_UNAVAILABLE", "Another process is indexing.") from error
            yield

    def watch(self, on_change: Callable[[], None], on_trust: Callable[[bool], None]) -> None:
        """See Database."""
        self._listener = Listener(self.session, self.failures, self._channel, on_change, on_trust)

    def close(self) -> None:
        """See Database."""
        if self._listener is not None:
            self._listener.close()

    @property
    def _channel(self) -> str:
        return f"parley_{self._settings.schema_name}"

    def _lock(self, task: str) -> str:
        return f"{self._settings.schema_name}:{task}"


@contextmanager
def postgres_database(settings: PostgresSettings) -> Iterator[PostgresDatabase]:
    """Open the database, wait for it if it is not up yet, and bring its tables up to date.

    Raises:
        UnusableCorpus: it cannot be reached or upgraded in time, or its tables are of another version.
    """
    database = PostgresDatabase(settings)
    _prepare(database, settings)
    try:
        yield database
    finally:
        database.close()


def _prepare(database: PostgresDatabase, settings: PostgresSettings) -> None:
    import psycopg

    end = time.monotonic() + settings.start_seconds
    while True:
        try:
            with database.session() as session:
                bring_up_to_date(session, settings.schema_name)
            return
        except database.failures as error:
            if time.monotonic() > end:
                raise UnusableCorpus(_reason(error)) from error
            _log.info("waiting for the database")
            time.sleep(RETRY_SECONDS)
        except psycopg.Error as error:
            raise UnusableCorpus(f"the database refuses ({error.sqlstate or type(error).__name__})") from error


def _reason(error: Exception) -> str:
    """Why the tables could not be brought up to date in time."""
    import psycopg

    if isinstance(error, psycopg.errors.LockNotAvailable):
        return "the tables must be upgraded, and another program uses them (pg_dump, for example)"
    return "the database cannot be reached"


NUL = "\x00"
REPLACEMENT = "\ufffd"


@lru_cache(maxsize=512)
def translated(statement: str) -> str:
    """A statement in psycopg's form. An empty list, which SQLite accepts, is one without any equal value."""
    return statement.replace("IN ()", "IN (NULL)").replace("%", "%%").replace("?", "%s")


def storable(value: Any) -> Any:
    """A value as PostgreSQL can store it: it has no NUL in texts; offsets into the text stay the same."""
    return value.replace(NUL, REPLACEMENT) if isinstance(value, str) and NUL in value else value
