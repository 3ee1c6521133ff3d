"""The events of a turn on their way: numbered, logged, and only then handed to whoever follows the turn.

A task takes the events that the work of the turn has emitted since the last time and logs them as one batch; while a
batch is being logged, the next one gathers. Nobody gets an event that is not logged.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import structlog

from gateway.convert import encoded_event
from gateway.events.events import Completed, Event, State, TurnEvent
from gateway.store.event_log import EventLog
from gateway.store.logged_turns import Appended, Batch, Ending, TurnState
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import Cancelled, InternalError, ParleyError, Unavailable
from libs.runtime.status import status_of
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import ambient

HEARTBEAT_SECONDS: Final = 10.0  # without an event, until a heartbeat is sent (taste)
NOT_RESUMABLE: Final = "The turn cannot be resumed: its events are not logged."

R = TypeVar("R")

_log = structlog.get_logger("parley.turns")


@dataclass(slots=True, eq=False)
class EventSender:
    """Logs and sends the events of one turn; all its methods are called on the event loop."""

    turn_id: str
    log: EventLog
    owner: str
    events: list[Event] = field(default_factory=list)
    """What was logged and sent; the event with the number n is at n - 1."""
    is_logged: bool = False
    """Whether the log knows the turn."""
    is_detached: bool = False
    """Whether the turn is another gateway's by now."""
    ending: Ending | None = None
    error: BaseException | None = None
    """What the turn ended with, unless it completed."""
    _is_degraded: bool = False
    _emitted: list[TurnEvent] = field(default_factory=list)
    _is_sending: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def emit(self, event: TurnEvent) -> None:
        """Emit the next event."""
        self._is_degraded = self._is_degraded or isinstance(event, Degraded)
        count_event(event, self._is_degraded)
        self._emitted.append(event)
        self._wake.set()

    async def flush(self) -> None:
        """Wait until everything that was emitted is logged."""
        while (self._emitted or self._is_sending) and not self.has_ended:
            await self._news.wait()

    async def events_after(self, seq: int) -> Sequence[Event]:
        """Return the events after `seq` as soon as there are any; none if the turn has completed or is detached.

        Raises:
            Cancelled: the turn was cancelled.
            ParleyError: the turn failed.
        """
        while len(self.events) <= seq and not self.has_ended:
            await self._news.wait()
        if len(self.events) <= seq and self.error is not None and not self.is_detached:
            raise self.error
        return self.events[seq:]

    @property
    def has_ended(self) -> bool:
        """Whether nothing more comes."""
        return self.ending is not None or self.is_detached

    def detach(self) -> None:
        """Send and log nothing more: the turn is another gateway's."""
        self.is_detached = True

    async def send_all(self, work: asyncio.Task[None], begin: Callable[[], Awaitable[object]] | None) -> None:
        """Send what the work emits, until it is done and its end is logged.

        Args:
            work: emits the events, the last one being Completed, or raises the turn's error.
            begin: logs the turn's begin; None if it is logged. What it or the log raises, but Unavailable, is raised
                here and to the followers.
        """
        self.is_logged = begin is None
        work.add_done_callback(lambda _: self._wake.set())
        try:
            if begin is not None:
                await self._logging(begin())
            while not work.done():
                await self._wait()
                await self._send(self._take())
            await self._send(self._take())
            if not self.has_ended:
                await self._send_error(work)
        except BaseException as error:
            self.error = self.error or error
            raise
        finally:
            self.ending = self.ending or Ending(TurnState.FAILED)
            self._tell()

    async def _logging(self, work: Awaitable[R]) -> R | None:
        """Await a call of the log; if it cannot be reached, the turn goes on without it and says so."""
        try:
            result = await work
        except Unavailable as error:
            _log.warning("turn is not logged", turn_id=self.turn_id, reason=error.reason)
            self.is_logged = False
            self.emit(Degraded(Stage.GATEWAY, error.reason, NOT_RESUMABLE))
            return None
        self.is_logged = True
        return result

    async def _wait(self) -> None:
        """Wait until events are to be sent; if none come for long, there is a sign of life."""
        if not self._emitted:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                self._emitted.append(State(Stage.GATEWAY, "still working"))
        self._wake.clear()

    def _take(self) -> Sequence[TurnEvent]:
        emitted, self._emitted = self._emitted, []
        self._is_sending = True
        return emitted

    async def _send_error(self, work: asyncio.Task[None]) -> None:
        """Log what the work ended with instead of its result."""
        error = Cancelled() if work.cancelled() else work.exception()
        self.error = error or InternalError("The turn ended without its result; the gateway's log may say why.")
        state = TurnState.CANCELLED if isinstance(self.error, Cancelled) else TurnState.FAILED
        known_error = self.error if isinstance(self.error, ParleyError) else InternalError()
        await self._send((), Ending(state, status_of(known_error).SerializeToString()))

    async def _send(self, emitted: Sequence[TurnEvent], ending: Ending | None = None) -> None:
        """Log events and hand them to the followers; a Completed among them ends the turn."""
        if not self.has_ended and (emitted or ending):
            await self._log_and_keep(emitted, ending)
        self._is_sending = False
        self._tell()

    async def _log_and_keep(self, emitted: Sequence[TurnEvent], ending: Ending | None) -> None:
        first = len(self.events) + 1
        events = [encoded_event(Event(self.turn_id, seq, content)) for seq, content in enumerate(emitted, start=first)]
        if any(isinstance(content, Completed) for content in emitted):
            ending = Ending(TurnState.COMPLETED)
        if self.is_logged:
            batch = Batch([event.encoded for event in events], ending)
            if await self._logging(self.log.append(self.turn_id, self.owner, batch)) is Appended.LOST:
                _log.warning("turn lost to another gateway", turn_id=self.turn_id)
                self.detach()
        if not self.is_detached:
            self.events += events
            self.ending = ending

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


def count_event(event: TurnEvent, is_degraded: bool) -> None:
    """Count an event in the metrics of the call that runs its turn, if it is one that is counted.

    Args:
        event: of the turn.
        is_degraded: whether anything of the turn was degraded so far.
    """
    count = ambient().telemetry.add
    if isinstance(event, Degraded):
        count(names.DEGRADATIONS, 1, {names.STAGE: event.stage.value, names.REASON: event.reason})
    elif isinstance(event, Completed):
        count(names.TURNS, 1, {names.OUTCOME: event.outcome.value, names.IS_DEGRADED: is_degraded})
