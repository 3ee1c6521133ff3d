"""Whether another process can be reached, as all calls to it find out together.

A call that cannot reach the process begins an outage. While it lasts, the process's health is asked in the background
until it is SERVING again. Calls wait for that, but no longer than `patience` seconds from the outage's begin: a
restart is waited out, and a process that stays away costs later calls nothing.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from typing import Final

import structlog

from libs.runtime.errors import Unavailable

FIRST_PAUSE: Final = 0.05
MAX_PAUSE: Final = 1.0
"""Seconds between two checks of a process that cannot be reached; turns are served again within that time."""

_log = structlog.get_logger("parley.outage")


class Outage:
    """The reachability of one process, shared by all calls to it; open until `end`."""

    def __init__(self, server: str, is_serving: Callable[[], Awaitable[bool]], patience: float) -> None:
        """Create it for a process that is assumed to be up.

        Args:
            server: a name for logs and messages.
            is_serving: asks for the process's health once, for at most about a second.
            patience: how long calls wait, in seconds from the begin of an outage; 0: they fail at once.
        """
        self._server = server
        self._is_serving = is_serving
        self._patience = patience
        self._begin_time = 0.0
        self._over = asyncio.Event()
        self._over.set()
        self._checks: asyncio.Task[None] | None = None

    async def wait(self, seconds: float | None = None) -> None:
        """Return at once if the process can be reached, else when it can be again.

        Args:
            seconds: how long this call may wait; None: as long as the outage's patience lasts.

        Raises:
            Unavailable: it cannot be reached (reason STAGE_UNAVAILABLE).
        """
        if self._over.is_set():
            return
        left = self._begin_time + self._patience - time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, left if seconds is None else min(left, seconds))):
                await self._over.wait()
        if not self._over.is_set():
            raise self.error()

    def error(self) -> Unavailable:
        """The error of a call that cannot reach the process."""
        return Unavailable("STAGE_UNAVAILABLE", f"The {self._server} stage cannot be reached: start it.", MAX_PAUSE)

    def begin(self) -> None:
        """Report a call that could not reach the process; during an outage it changes nothing."""
        if not self._over.is_set():
            return
        self._over.clear()
        self._begin_time = time.monotonic()
        self._checks = asyncio.create_task(self._check(), context=Context())  # without the call's deadline
        _log.warning("a stage cannot be reached", stage=self._server)

    async def end(self) -> None:
        """Stop asking for the process's health."""
        if self._checks is not None:
            self._checks.cancel()
            with suppress(asyncio.CancelledError):
                await self._checks

    async def _check(self) -> None:
        pause = FIRST_PAUSE
        while not await self._is_serving():
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)
        self._over.set()
        _log.info(
            "a stage serves again", stage=self._server, after_seconds=round(time.monotonic() - self._begin_time, 1)
        )
