"""Turns that run at any gateway: followed, restarted when their gateway went down, and cancelled.

A turn that runs here is followed in this process. One that runs at another gateway is read from the log, at short
intervals. When its lease has run out, one of the gateways that are asked for it takes it over: it runs the turn anew
from its request, and the first new event, `restarted`, says that what was told so far is void. A turn that was stored
before its gateway went down is not run again: only its end is sent.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.convert import asked_from_bytes, decoded_event
from gateway.events.events import Event
from gateway.events.running_turns import RunningTurns
from gateway.session.reference_access import cited_passages
from gateway.store.event_log import EventLog
from gateway.store.logged_turns import LoggedTurn, Progress, TurnState
from gateway.store.sessions import owns
from gateway.turn.turn_work import TurnWorker
from libs.contracts.evidence import PassageKey
from libs.runtime.errors import FailedPrecondition, NotFound
from libs.runtime.status import error_from_status
from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2

CANCEL_SECONDS: Final = 2.0
"""How long a cancel waits for another gateway; taste: twenty looks into the log."""
FOLLOWED_SECONDS: Final = 5.0
"""How long ahead a gateway tells another one that a client follows its turn; as long as a lease (taste)."""


@dataclass(frozen=True, slots=True)
class Resuming:
    """Follows and cancels turns by their ids."""

    log: EventLog
    runs: RunningTurns
    worker: TurnWorker
    keep_seconds: float
    """How long after its end a turn can be resumed."""

    async def follow(self, turn_id: str, after_seq: int = 0) -> AsyncGenerator[Event, None]:
        """Yield the events of a turn after `after_seq`: the logged ones, and then the others as they come.

        Raises:
            NotFound: there is no such turn, or it is too old (reason TURN_NOT_FOUND).
            FailedPrecondition: its events were too large to be logged (reason TURN_LOG_FULL).
            Cancelled: the turn was cancelled.
            ParleyError: the turn failed; or Unavailable: the log cannot be read.
        """
        while True:
            running = self.runs.get(turn_id)
            if running is None:
                logged_events = await self._events_elsewhere(turn_id, after_seq)
                if logged_events is None:
                    return
                for event in logged_events:
                    after_seq = event.seq
                    yield event
                continue
            async with running.followed():
                while events := await running.events_after(after_seq):
                    for event in events:
                        after_seq = event.seq
                        yield event
            if not running.is_detached:
                return
            await running.until_ended()

    async def _events_elsewhere(self, turn_id: str, seq: int) -> Sequence[Event] | None:
        """Return the events after `seq` that another gateway logs, as soon as there are any.

        There are none if the turn runs here by now; None if it has ended.
        """
        while self.runs.get(turn_id) is None:
            progress = await self._progress(turn_id)
            if progress.last_seq > seq:
                return [*map(decoded_event, await self.log.events(turn_id, seq))]
            if progress.state is not TurnState.RUNNING:
                turn = await self.log.turn(turn_id)
                if turn is not None and turn.error:
                    raise error_from_status(turn.error)
                return None
            if not await self.take_over_if_left(turn_id, progress):
                now = time.time()
                if progress.followed_until < now + FOLLOWED_SECONDS / 2:
                    await self.log.follow(turn_id, now + FOLLOWED_SECONDS)
                await asyncio.sleep(self.runs.poll_seconds)
        return ()

    async def _progress(self, turn_id: str) -> Progress:
        """Return the progress of a turn that another gateway runs or ran."""
        progress = (await self.log.progress([turn_id])).get(turn_id)
        if progress is None:
            raise NotFound("turn", turn_id)
        if not progress.is_whole:
            message = "The turn cannot be resumed: its events are larger than a gateway keeps. Ask the question again."
            raise FailedPrecondition("TURN_LOG_FULL", message)
        return progress

    async def cancel(self, turn_id: str, principals: tuple[str, ...]) -> TurnState:
        """Cancel a turn, and return how it ended; RUNNING if its gateway did not confirm in time.

        Raises:
            NotFound: see `turn_of`.
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
            if await self.take_over_if_left(turn_id, progress):
                return await self._cancel_here(turn_id) or TurnState.RUNNING
            await asyncio.sleep(self.runs.poll_seconds / 2)  # twice as often as the other gateway looks
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
            NotFound: there is no such turn, it is too old, or it is of other principals (reason TURN_NOT_FOUND).
        """
        turn = await self.log.turn(turn_id)
        if turn is None or not owns(principals, turn.start.principals):
            raise NotFound("turn", turn_id)
        return turn

    async def shown_passages(self, turn_id: str) -> frozenset[PassageKey]:
        """Return all passages whose words the events of a turn hold so far."""
        running, shown = self.runs.get(turn_id), session_pb2.Turn()
        events = await self.log.events(turn_id) if running is None else [event.encoded for event in running.events]
        for event in map(event_pb2.Event.FromString, events):
            shown.references.extend(event.references.references)
            shown.timeline.events.extend(event.timeline.events)
            shown.answer.images.extend([event.image] if event.HasField("image") else ())
        return frozenset(cited_passages(shown))

    async def take_over_if_left(self, turn_id: str, progress: Progress) -> bool:
        """Run the turn here from now on if its gateway went down, unless another gateway was faster."""
        now = time.time()
        if progress.lease.until >= now or not await self.log.take_over(turn_id, self.runs.lease(), now):
            return False
        turn = await self.log.turn(turn_id)
        if turn is None:
            raise NotFound("turn", turn_id)
        events = [*map(decoded_event, await self.log.events(turn_id))]
        asked = asked_from_bytes(turn_id, turn.start.request)
        work = await self.worker.restart(asked, turn.start.session_id, turn.start.begun)
        self.runs.start(asked, work, events=events)
        await asyncio.sleep(0)  # the work begins, so that it is stored even if it is cancelled next
        return True
