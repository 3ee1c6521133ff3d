"""A turn that runs on this gateway: its events are numbered, logged, and then sent to whoever follows it.

The work of the turn is a task of its own, so a stream that breaks need not end it. Another task takes the events that
the work has emitted since the last time, logs them as one batch and hands them to the followers; while a batch is being
logged, the next one gathers. Nobody gets an event that is not logged.

A turn without followers is cancelled: at once, or after a grace if its client said that it may come back. It is also
cancelled when its deadline passes. A turn is `detached` when its log belongs to another gateway, or is left to one:
then it stops without being stored as cancelled.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import structlog

from gateway.events import Completed, Event, State, TurnEvent
from gateway.store.event_log import Appended, Batch, Ending, EventLog, LoggedCall, LoggedEvent, TurnState
from libs.contracts.usage import Degraded, Stage
from libs.runtime import deadline
from libs.runtime.errors import Cancelled, InternalError, ParleyError, Unavailable

HEARTBEAT_SECONDS: Final = 10.0
AT_DEADLINE: Final = 0.05
"""A stream that ends with less time left, in seconds, ended because of its deadline."""
NOT_RESUMABLE: Final = "The turn cannot be resumed: its events are not logged."

_log = structlog.get_logger("parley.turns")


class EventCodec(Protocol):
    """Encodes what is logged of a turn."""

    def event_to_bytes(self, event: Event) -> bytes:
        """Encode an event."""
        ...

    def error_to_bytes(self, error: ParleyError) -> bytes:
        """Encode the error that a turn ended with."""
        ...


Work = Callable[["RunningTurn"], Awaitable[None]]
"""Runs the turn: emits its events, the last one being Completed, or raises its error."""


@dataclass(slots=True, eq=False)
class RunningTurn:
    """One turn, from `start` until it has ended and its end is logged."""

    turn_id: str
    log: EventLog
    owner: str
    codec: EventCodec
    grace_seconds: float = 0.0
    """How long the turn goes on without followers."""
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    events: list[Event] = field(default_factory=list)
    """What was logged and sent; the event with the number n is at n - 1."""
    followed_until: float = 0.0
    """Until when a client of another gateway follows the turn, in seconds of time.time."""
    is_logged: bool = False
    """Whether the log knows the turn."""
    is_detached: bool = False
    ending: Ending | None = None
    _is_cancelling: bool = False
    _is_sending: bool = False
    _error: BaseException | None = None
    _emitted: list[TurnEvent] = field(default_factory=list)
    _calls: list[Callable[[], LoggedCall]] = field(default_factory=list)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _followers: int = 0
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
        self.is_logged = begin is None
        self._work = asyncio.create_task(self._run(work))
        self._work.add_done_callback(lambda _: self._wake.set())
        self._sender = asyncio.create_task(self._send_all(begin))
        seconds_left = deadline.remaining()
        if seconds_left is not None:
            self._deadline = asyncio.get_running_loop().call_later(seconds_left, self.begin_cancel)
        return self._sender

    def emit(self, event: TurnEvent) -> None:
        """Emit the next event."""
        self._emitted.append(event)
        self._wake.set()

    def record(self, call: Callable[[], LoggedCall]) -> None:
        """Log the result of a stage call with the next events; it is encoded when the work waits for the next one."""
        self._calls.append(call)

    async def flush(self) -> None:
        """Wait until everything that was emitted is logged."""
        while (self._emitted or self._is_sending) and not self.has_ended:
            await self._news.wait()

    @property
    def has_ended(self) -> bool:
        """Whether nothing more comes."""
        return self.ending is not None or self.is_detached

    async def follow(self, after_seq: int = 0) -> AsyncGenerator[Event, None]:
        """Yield the events after `after_seq`, those of the past and those to come; closing it ends the following.

        Returns early if the turn is detached.

        Raises:
            Cancelled: the turn was cancelled.
            ParleyError: the turn failed.
        """
        self._followers += 1
        try:
            while True:
                while after_seq < len(self.events):
                    event = self.events[after_seq]
                    after_seq += 1
                    yield event
                if self.has_ended:
                    break
                await self._news.wait()
        finally:
            self._followers -= 1
            await self._leave()
        if self._error is not None and not self.is_detached:
            raise self._error

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
        if self._work is not None and self.ending is None and not self._is_cancelling:
            self._is_cancelling = True
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

    async def _run(self, work: Work) -> None:
        await work(self)

    async def _send_all(self, begin: Callable[[], Awaitable[object]] | None) -> None:
        try:
            if begin is not None:
                await self._begin(begin)
            assert self._work is not None
            while not self._work.done():
                await self._wait()
                await self._send(self._take())
            await self._end(self._work)
        except BaseException as error:
            self._error = self._error or error
            raise
        finally:
            self.ending = self.ending or Ending(TurnState.FAILED)
            for timer in (self._grace, self._deadline):
                if timer is not None:
                    timer.cancel()
            self._tell()

    async def _begin(self, begin: Callable[[], Awaitable[object]]) -> None:
        try:
            await begin()
        except Unavailable as error:
            self._go_unlogged(error)
        else:
            self.is_logged = True

    async def _wait(self) -> None:
        """Wait for the next event; after a pause it is a sign of life."""
        if not self._emitted:
            try:
                async with asyncio.timeout(self.heartbeat_seconds):
                    await self._wake.wait()
            except TimeoutError:
                self._emitted.append(State(Stage.GATEWAY, "still working"))
        self._wake.clear()

    def _take(self) -> Sequence[TurnEvent]:
        emitted, self._emitted = self._emitted, []
        self._is_sending = True
        return emitted

    async def _end(self, work: asyncio.Task[None]) -> None:
        """Send what is left, and log how the turn ended."""
        await self._send(self._take())
        if self.has_ended:
            return
        error = Cancelled() if work.cancelled() else work.exception()
        self._error = error or InternalError("The turn ended without its result.")
        await self._send((), self._ending_of(self._error))

    def _ending_of(self, error: BaseException) -> Ending:
        state = TurnState.CANCELLED if isinstance(error, Cancelled) else TurnState.FAILED
        known_error = error if isinstance(error, ParleyError) else InternalError()
        return Ending(state, self.codec.error_to_bytes(known_error))

    async def _send(self, emitted: Sequence[TurnEvent], ending: Ending | None = None) -> None:
        """Log events and hand them to the followers; a Completed among them ends the turn."""
        if not self.has_ended and (emitted or ending):
            await self._log_and_keep(emitted, ending)
        self._is_sending = False
        self._tell()

    async def _log_and_keep(self, emitted: Sequence[TurnEvent], ending: Ending | None) -> None:
        first = len(self.events) + 1
        events = [self._encoded(Event(self.turn_id, first + place, content)) for place, content in enumerate(emitted)]
        if any(isinstance(content, Completed) for content in emitted):
            ending = Ending(TurnState.COMPLETED)
        calls, self._calls = self._calls, []
        if self.is_logged:
            logged = [LoggedEvent(event.seq, event.encoded) for event in events]
            await self._append(Batch(logged, [call() for call in calls] if ending is None else (), ending))
        if not self.is_detached:
            self.events += events
            self.ending = ending

    def _encoded(self, event: Event) -> Event:
        return replace(event, encoded=self.codec.event_to_bytes(event))

    async def _append(self, batch: Batch) -> None:
        try:
            outcome = await self.log.append(self.turn_id, self.owner, batch)
        except Unavailable as error:
            self._go_unlogged(error)
            return
        if outcome is Appended.LOST:
            _log.warning("turn lost to another gateway", turn_id=self.turn_id)
            self.detach()

    def _go_unlogged(self, error: ParleyError) -> None:
        """Go on without the log, and say so."""
        _log.warning("turn is not logged", turn_id=self.turn_id, reason=error.reason)
        self.is_logged = False
        self.emit(Degraded(Stage.GATEWAY, error.reason, NOT_RESUMABLE))

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
