"""Hears of other processes' writes, by LISTEN of PostgreSQL: in a daemon thread, on a connection of its own."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import structlog

if TYPE_CHECKING:
    import psycopg


POLL_SECONDS: Final = 0.5
"""How often the thread looks whether it is to stop, and whether the connection still works (taste)."""
_log = structlog.get_logger("parley.retrieve")


class Listener:
    """Listens until it is closed; a lost connection is opened again."""

    def __init__(
        self,
        connect: Callable[[], "psycopg.Connection[Any]"],
        failures: tuple[type[Exception], ...],
        channel: str,
        on_change: Callable[[], None],
        on_trust: Callable[[bool], None],
    ) -> None:
        """Start listening; see `Database.watch`.

        Args:
            connect: opens a connection.
            failures: errors of a lost one.
            channel: of NOTIFY, in lower case.
            on_change: called after each write.
            on_trust: called with whether writes are heard of.
        """
        self._connect = connect
        self._failures = failures
        self._channel = channel
        self._on_change = on_change
        self._on_trust = on_trust
        self._over = threading.Event()
        self._hears = True
        """Whether the last attempt succeeded; a loss is logged once."""
        on_trust(False)
        self._thread = threading.Thread(target=self._run, name="corpus-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                with self._connect() as connection:
                    self._listen(connection)
            except self._failures:
                self._on_trust(False)
                if self._hears:
                    _log.warning("writes of other processes are not heard of; nothing is cached until they are")
                self._hears = False
                self._over.wait(POLL_SECONDS)

    def _listen(self, connection: "psycopg.Connection[Any]") -> None:
        connection.execute(f"LISTEN {self._channel}".encode())
        self._on_trust(True)
        self._hears = True
        while not self._over.is_set():
            for _ in connection.notifies(timeout=POLL_SECONDS, stop_after=1):
                self._on_change()
            connection.execute("SELECT 1")
