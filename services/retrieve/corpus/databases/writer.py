"""A single writer thread that commits many writes at once.

A caller submits a function and gets a future, which resolves when the transaction that contains the write is committed;
a resolved future is an acknowledged write. Writes that arrive during a commit share the next one, so bulk writes pay
for the disk once in hundreds of documents and a single write never waits for others.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from libs.runtime.errors import engine_unavailable
from services.retrieve.corpus.databases.database import Connection, Database

MAX_WRITES_PER_COMMIT = 16
"""Writes, each of up to some dozens of documents: a commit comes every 100 ms or so (taste)."""
T = TypeVar("T")
Operation = Callable[[Connection], T]


@dataclass(frozen=True, slots=True)
class _Write(Generic[T]):
    operation: Operation[T]
    future: "Future[T]"


class CorpusWriter:
    """Runs writes in order on a connection of its own. Thread-safe."""

    def __init__(self, database: Database, on_commit: Callable[[], None] = lambda: None) -> None:
        """`on_commit` is called after each commit, before its futures resolve."""
        self._database = database
        self._connection = database.connect_writer()
        self._on_commit = on_commit
        self._queue: SimpleQueue[_Write[Any] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="corpus-writer", daemon=True)
        self._thread.start()

    def submit(self, operation: Operation[T]) -> "Future[T]":
        """Queue a write; raises Unavailable if closed. The future has the result, or the error, after the commit."""
        if self._closed:
            raise engine_unavailable("The corpus is being closed: try again in a moment.")
        write = _Write(operation, Future[T]())
        self._queue.put(write)
        return write.future

    def close(self) -> None:
        """Commit what is queued, then stop."""
        self._closed = True
        self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while (write := self._queue.get()) is not None:
            batch = [write]
            while len(batch) < MAX_WRITES_PER_COMMIT and not self._queue.empty():
                if (following := self._queue.get()) is None:
                    self._queue.put(None)
                    break
                batch.append(following)
            self._commit(batch)

    def _commit(self, batch: list[_Write[Any]]) -> None:
        """Run one transaction for the batch; a write that fails is rolled back alone."""
        outcomes: list[tuple[_Write[Any], Any, BaseException | None]] = []
        try:
            self._begin()
            for write in batch:
                if write.future.set_running_or_notify_cancel():
                    outcomes.append((write, *self._attempt(write)))
            self._connection.execute("COMMIT")
            self._on_commit()
        except Exception as error:  # nothing of the batch was written, and the thread goes on, whatever it was
            self._recover()
            failure = self._database.failure_of(error)
            outcomes = [(write, None, failure) for write in batch if not write.future.cancelled()]
        for write, result, exception in outcomes:
            if exception is None:
                write.future.set_result(result)
            else:
                write.future.set_exception(exception)

    def _begin(self) -> None:
        """Begin a transaction; the connection may have been lost since the last one."""
        try:
            self._database.begin_write(self._connection)
        except self._database.failures:
            self._recover()
            self._database.begin_write(self._connection)

    def _recover(self) -> None:
        """Leave the transaction; a lost connection is replaced."""
        try:
            self._connection.execute("ROLLBACK")
        except Exception:
            with suppress(Exception):
                self._connection = self._database.connect_writer()

    def _attempt(self, write: _Write[Any]) -> tuple[Any, BaseException | None]:
        self._connection.execute("SAVEPOINT one")
        try:
            result = write.operation(self._connection)
        except self._database.failures:
            raise
        except Exception as error:
            self._connection.execute("ROLLBACK TO one")
            self._connection.execute("RELEASE one")
            return None, error
        self._connection.execute("RELEASE one")
        return result, None
