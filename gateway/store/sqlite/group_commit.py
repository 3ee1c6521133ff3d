"""Writes to a SQLite file, of which those that wait for its thread share a transaction.

A transaction costs far more than the statements in it, and while one runs, the writes of other turns gather.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from gateway.store.sqlite.file import SqliteFile

T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Work[Any]
    future: asyncio.Future[Any]


class GroupCommit:
    """Writes to one file."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._waiting: list[_Waiting] = []
        self._commits: asyncio.Task[None] | None = None

    async def write(self, work: Work[T]) -> T:
        """Run the work within a transaction; it is committed when this returns.

        Writes are carried out in the order in which they are called, even those whose caller is cancelled. An error of
        one rolls back those of the same transaction, and all their callers get it.
        """
        waiting = _Waiting(work, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._commits is None:
            self._commits = asyncio.create_task(self._commit_all())
        result: T = await waiting.future
        return result

    async def drain(self) -> None:
        """Wait for the writes that are still waiting."""
        if self._commits is not None:
            await self._commits

    async def _commit_all(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting, []
                try:
                    results = await self._file.write(partial(_run_all, group))
                except Exception as error:
                    _fail(group, error)
                else:
                    _finish(group, results)
        finally:
            self._commits = None


def _run_all(group: list[_Waiting], connection: sqlite3.Connection) -> list[Any]:
    return [waiting.work(connection) for waiting in group]


def _finish(group: list[_Waiting], results: list[Any]) -> None:
    for waiting, result in zip(group, results, strict=True):
        if not waiting.future.done():
            waiting.future.set_result(result)


def _fail(group: list[_Waiting], error: Exception) -> None:
    for waiting in group:
        if not waiting.future.done():
            waiting.future.set_exception(error)
