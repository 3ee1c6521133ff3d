"""A turn that runs on this gateway: its work, and those who follow it.

The work is a task of its own, so a stream that breaks need not end it. A turn without followers is cancelled: at once,
or after a grace if its client said that it may come back. It is also cancelled when its deadline passes. A turn is
detached when its log belongs to another gateway, or is left to one: then it stops without being stored as cancelled.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from gateway.events.event_sender import EventSender
from libs.runtime import deadline

AT_DEADLINE: Final = 0.05
"""A stream that ends with less time left, in seconds, ended because of its deadline (taste)."""

Work = Callable[["RunningTurn"], Coroutine[Any, Any, None]]
"""Runs the turn: emits its events, the last one being Completed, or raises its error."""


@dataclass(slots=True, eq=False)
class RunningTurn(EventSender):
    """One turn, from `start` until it has ended and its end is logged; all on the event loop, without blocking it."""

    grace_seconds: float = 0.0
    """How long the turn goes on without followers."""
    followed_until: float = 0.0
    """Until when a client of another gateway follows the turn, in seconds of time.time."""
    _followers: int = 0
    is_cancelling: bool = False
    _grace: asyncio.TimerHandle | None = None
    _deadline: asyncio.TimerHandle | None = None
    _work: asyncio.Task[None] | None = None
    _sender: asyncio.Task[None] | None = None

    def start(self, work: Work, begin: Callable[[], Awaitable[object]] | None = None) -> asyncio.Task[None]:
        """Start the work; the returned task ends when all of the turn has ended.

        Args:
            work: runs the turn.
            begin: logs the turn's begin; None if it is logged.
        """
        self._work = asyncio.create_task(work(self))
        self._sender = asyncio.create_task(self.send_all(self._work, begin))
        self._sender.add_done_callback(self._stop_timers)
        seconds_left = deadline.remaining()
        if seconds_left is not None:
            self._deadline = asyncio.get_running_loop().call_later(seconds_left, self.begin_cancel)
        return self._sender

    def _stop_timers(self, _: object) -> None:
        for timer in (self._grace, self._deadline):
            if timer is not None:
                timer.cancel()

    @asynccontextmanager
    async def followed(self) -> AsyncIterator[None]:
        """Count a follower within the block; the last one who leaves a running turn cancels it, maybe after a grace."""
        self._followers += 1
        try:
            yield
        finally:
            self._followers -= 1
            await self._leave()

    async def _leave(self) -> None:
        if self._followers or self.has_ended:
            return
        seconds_left = deadline.remaining()
        if self.grace_seconds and (seconds_left is None or seconds_left > AT_DEADLINE):
            self._wait_for_followers(self.grace_seconds)
        else:
            await self.cancel()

    def _wait_for_followers(self, seconds: float) -> None:
        if self._grace is not None:
            self._grace.cancel()
        self._grace = asyncio.get_running_loop().call_later(seconds, self._cancel_unless_followed)

    def _cancel_unless_followed(self) -> None:
        seconds_followed = self.followed_until - time.time()
        if seconds_followed > 0:
            self._wait_for_followers(seconds_followed)
        elif not self._followers:
            self.begin_cancel()

    def begin_cancel(self) -> None:
        """Cancel the work; a turn that is already being stored as completed completes."""
        if self._work is not None and self.ending is None and not self.is_cancelling:
            self.is_cancelling = True
            self._work.cancel()

    async def cancel(self) -> None:
        """Cancel the work and wait until everything has stopped."""
        self.begin_cancel()
        await self.until_ended()

    def detach(self) -> None:
        """Stop the work; the turn is another gateway's."""
        self.is_detached = True
        self.begin_cancel()

    async def until_ended(self) -> None:
        """Wait until all of the turn has ended."""
        if self._sender is not None:
            await asyncio.wait({self._sender})
