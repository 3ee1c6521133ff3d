"""Turns that run at any gateway: followed, taken over when their gateway went down, and cancelled.

A turn that runs here is followed in this process. One that runs at another gateway is read from the log, at short
intervals. When its lease has run out, one of the gateways that are asked for it takes it over (see
`gateway.events.rerun`).
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

from gateway.events.events import Event
from gateway.events.running_turns import RunningTurns
from gateway.session.ownership import owns
from gateway.store.event_log import EventLog, LoggedTurn, Progress, TurnState
from gateway.turn.asked_turn import AskedTurn
from gateway.turn.turn_work import EarlierRun, TurnWorker
from libs.runtime.errors import FailedPrecondition, NotFound, ParleyError

CANCEL_SECONDS: Final = 2.0
"""How long a cancel waits for another gateway."""
FOLLOWED_SECONDS: Final = 5.0
"""How long ahead a gateway tells another one that a client follows its turn."""


class TurnCodec(Protocol):
    """Decodes what is logged of a turn."""

    def asked_from_bytes(self, turn_id: str, content: bytes) -> AskedTurn:
        """Decode what a turn is run from."""
        ...

    def event_from_bytes(self, content: bytes) -> Event:
        """Decode an event."""
        ...

    def error_from_bytes(self, content: bytes) -> ParleyError:
        """Decode the error that a turn ended with."""
        ...


@dataclass(frozen=True, slots=True)
class ResumeLimits:
    """How long turns wait for their clients, in seconds."""

    grace_seconds: float = 30.0
    """How long a resumable turn goes on without a client."""
    keep_seconds: float = 300.0
    """How long after its end a turn can be resumed."""
    retry_seconds: float = 3600.0
    """The same for a turn with a request_id."""


@dataclass(frozen=True, slots=True)
class Resuming:
    """Follows and cancels turns by their ids."""

    log: EventLog
    runs: RunningTurns
    worker: TurnWorker
    codec: TurnCodec
    limits: ResumeLimits = ResumeLimits()

    async def resume(self, turn_id: str, after_seq: int, principals: tuple[str, ...]) -> AsyncGenerator[Event, None]:
        """Yield the events of a turn after `after_seq`: the logged ones, and then the others as they come.

        Raises:
            NotFound: there is no such turn, it is too old, or it is of other principals (reason TURN_NOT_FOUND).
            FailedPrecondition: its events were too large to be logged (reason TURN_LOG_FULL).
            Cancelled: the turn was cancelled.
            ParleyError: the turn failed.
        """
        await self.turn_of(turn_id, principals)
        async with aclosing(self.follow(turn_id, after_seq)) as events:
            async for event in events:
                yield event

    async def follow(self, turn_id: str, after_seq: int = 0) -> AsyncGenerator[Event, None]:
        """Yield the events of a turn of the caller; see `resume`."""
        while True:
            running = self.runs.get(turn_id)
            source = self._logged(turn_id, after_seq) if running is None else running.follow(after_seq)
            async with aclosing(source) as events:
                async for event in events:
                    after_seq = event.seq
                    yield event
            if running is None and self.runs.get(turn_id) is None:
                return
            if running is not None:
                if not running.is_detached:
                    return
                await running.until_ended()

    async def _logged(self, turn_id: str, after_seq: int) -> AsyncGenerator[Event, None]:
        """Yield the events that another gateway logs, until the turn ends or runs here."""
        announced = 0.0
        while True:
            progress = await self._progress(turn_id)
            if progress.last_seq > after_seq:
                for logged in await self.log.events(turn_id, after_seq):
                    after_seq = logged.seq
                    yield self.codec.event_from_bytes(logged.content)
            if progress.state is not TurnState.RUNNING:
                await self._raise_error(turn_id)
                return
            if self.runs.get(turn_id) is not None or await self._take_over_if_left(turn_id, progress):
                return
            if announced < time.time() + FOLLOWED_SECONDS / 2:
                announced = time.time() + FOLLOWED_SECONDS
                await self.log.follow(turn_id, announced)
            await asyncio.sleep(self.runs.times.poll_seconds)

    async def _progress(self, turn_id: str) -> Progress:
        progress = (await self.log.progress([turn_id])).get(turn_id)
        if progress is None:
            raise NotFound("turn", turn_id)
        if not progress.is_whole:
            raise FailedPrecondition("TURN_LOG_FULL", "The events of the turn were too large to be kept.")
        return progress

    async def cancel(self, turn_id: str, principals: tuple[str, ...]) -> TurnState:
        """Cancel a turn, and return how it ended; RUNNING if its gateway did not confirm in time.

        Raises:
            NotFound: see `resume`.
        """
        state = (await self.turn_of(turn_id, principals)).progress.state
        if state is not TurnState.RUNNING:
            return state
        if (ended := await self._cancel_here(turn_id)) is not None:
            return ended
        await self.log.request_cancel(turn_id)
        end = time.monotonic() + CANCEL_SECONDS
        while time.monotonic() < end:
            progress = (await self.log.progress([turn_id])).get(turn_id)
            if progress is None or progress.state is not TurnState.RUNNING:
                return TurnState.CANCELLED if progress is None else progress.state
            if await self._take_over_if_left(turn_id, progress):
                return await self._cancel_here(turn_id) or TurnState.RUNNING
            await asyncio.sleep(self.runs.times.poll_seconds / 2)
        return TurnState.RUNNING

    async def _cancel_here(self, turn_id: str) -> TurnState | None:
        """Cancel a turn that runs here; None if there is none."""
        running = self.runs.get(turn_id)
        if running is None:
            return None
        await running.cancel()
        return None if running.ending is None else running.ending.state

    async def turn_of(self, turn_id: str, principals: tuple[str, ...]) -> LoggedTurn:
        """Return a turn of the caller.

        Raises:
            NotFound: see `resume`.
        """
        turn = await self.log.turn(turn_id)
        if turn is None or not owns(principals, turn.start.principals):
            raise NotFound("turn", turn_id)
        return turn

    async def _raise_error(self, turn_id: str) -> None:
        turn = await self.log.turn(turn_id)
        if turn is not None and turn.error:
            raise self.codec.error_from_bytes(turn.error)

    async def _take_over_if_left(self, turn_id: str, progress: Progress) -> bool:
        """Run the turn here from now on if its gateway went down, unless another gateway was faster."""
        now = time.time()
        if progress.lease.until >= now or not await self.log.take_over(turn_id, self.runs.lease(), now):
            return False
        turn = await self.log.turn(turn_id)
        if turn is None:
            raise NotFound("turn", turn_id)
        logged_events = await self.log.events(turn_id)
        events = [self.codec.event_from_bytes(logged.content) for logged in logged_events]
        earlier = EarlierRun(turn.start.begun, events, await self.log.calls(turn_id))
        asked = self.codec.asked_from_bytes(turn_id, turn.start.request)
        work = await self.worker.prepare(asked, turn.start.session_id, earlier)
        grace_seconds = self.limits.grace_seconds if asked.request.options.resumable else 0.0
        self.runs.start(turn_id, work, events=events, grace_seconds=grace_seconds)
        await asyncio.sleep(0)  # the work begins, so that it is stored even if it is cancelled next
        return True
