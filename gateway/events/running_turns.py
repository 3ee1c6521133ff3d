"""The turns that run on this gateway: their leases are renewed, and what other gateways ask of them is carried out.

A gateway that goes down stops renewing, so its turns may be taken over when their leases have run out. Another gateway
that is asked to cancel a turn, or whose client follows it, notes that in the log; all running turns are looked up there
together, every `poll_seconds`.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import structlog

from gateway.events.events import Event
from gateway.events.running_turn import RunningTurn, Work
from gateway.request import AskedTurn
from gateway.store.event_log import EventLog
from gateway.store.logged_turns import Lease
from libs.runtime.errors import Conflict, ParleyError
from libs.runtime.limits.admission import keep_place

_log = structlog.get_logger("parley.turns")


GRACE_SECONDS: Final = 30.0
"""How long a resumable turn goes on without a client: taste."""
POLL_SECONDS: Final = 0.1
"""Between two looks into the log; a cancel at another gateway takes that long to arrive, and a look costs one read for
all turns together (taste)."""


@dataclass(slots=True)
class RunningTurns:
    """All turns that run here; opened by `running_turns`."""

    log: EventLog
    lease_seconds: float = 5.0
    """After how much silence this gateway counts as down (taste)."""
    poll_seconds: float = POLL_SECONDS
    grace_seconds: float = GRACE_SECONDS
    owner: str = field(default_factory=lambda: f"gateway-{secrets.token_hex(8)}")
    """This process, for the leases; 64 random bits, so that no two are alike."""
    _turns: dict[str, RunningTurn] = field(default_factory=dict)
    _by_session: dict[str, RunningTurn | None] = field(default_factory=dict)
    """The turn that answers in a session; None while it begins."""
    _renew_at: float = 0.0

    def get(self, turn_id: str) -> RunningTurn | None:
        """Return a turn that runs here."""
        return self._turns.get(turn_id)

    def lease(self) -> Lease:
        """Return a lease from now on."""
        return Lease(self.owner, time.time() + self.lease_seconds)

    @asynccontextmanager
    async def alone_in(self, session: str) -> AsyncIterator[None]:
        """Let a turn of a session begin in the block, and no other; one that is being cancelled ends before it.

        Raises:
            Conflict: another one begins or runs here (reason SESSION_CONFLICT).
        """
        while (turn := self._by_session.get(session)) is not None and turn.is_cancelling and not turn.has_ended:
            await turn.until_ended()
        if session in self._by_session and not (turn is not None and turn.has_ended):
            raise Conflict("SESSION_CONFLICT", "Another turn of this session is being answered: ask when it has ended.")
        self._by_session[session] = None
        try:
            yield
        finally:
            if self._by_session.get(session) is None:
                self._by_session.pop(session, None)

    def start(
        self,
        asked: AskedTurn,
        work: Work,
        begin: Callable[[], Awaitable[object]] | None = None,
        events: Sequence[Event] = (),
        session: str = "",
    ) -> RunningTurn:
        """Run a turn here.

        Args:
            asked: the turn, which does not run here yet.
            work: runs it.
            begin: logs its begin; None if it is logged.
            events: those that an earlier gateway logged.
            session: in which it is alone; empty: in none.
        """
        grace_seconds = self.grace_seconds if asked.request.options.resumable else 0.0
        turn = RunningTurn(asked.turn_id, self.log, self.owner, [*events], grace_seconds=grace_seconds)
        self._turns[asked.turn_id] = turn
        if session:
            self._by_session[session] = turn
        task = turn.start(work, begin)
        task.add_done_callback(lambda _: self._forget(turn, session))
        keep_place(task)
        return turn

    def _forget(self, turn: RunningTurn, session: str) -> None:
        if self._by_session.get(session) is turn:
            del self._by_session[session]
        if self._turns.get(turn.turn_id) is turn:
            del self._turns[turn.turn_id]

    async def watch(self) -> None:
        """Look after the turns until cancelled."""
        while True:
            await asyncio.sleep(self.poll_seconds)
            try:
                await self._look_after()
            except ParleyError as error:
                _log.warning("the event log cannot be read", reason=error.reason)

    async def _look_after(self) -> None:
        turns = {turn_id: turn for turn_id, turn in self._turns.items() if turn.is_logged and not turn.has_ended}
        if not turns:
            return
        if time.time() >= self._renew_at:
            self._renew_at = time.time() + self.lease_seconds / 3  # two tries may fail (taste)
            await self.log.renew(turns, self.lease())
        progress = await self.log.progress(turns)
        for turn in [turn for turn in turns.values() if not turn.has_ended]:
            seen = progress.get(turn.turn_id)
            if seen is None or seen.lease.owner != self.owner:
                turn.detach()
            elif seen.is_cancel_requested:
                turn.begin_cancel()
            else:
                turn.followed_until = seen.followed_until

    async def hand_over(self) -> None:
        """Stop all turns, and let another gateway take them over at once."""
        turns = list(self._turns.values())
        for turn in turns:
            turn.detach()
        await asyncio.gather(*(turn.until_ended() for turn in turns))
        if turns:
            await self.log.renew([turn.turn_id for turn in turns], Lease(self.owner, 0.0))


@asynccontextmanager
async def running_turns(log: EventLog, lease_seconds: float) -> AsyncIterator[RunningTurns]:
    """Yield the turns of this gateway; those that still run at the end are left to other gateways."""
    turns = RunningTurns(log, lease_seconds)
    watch = asyncio.create_task(turns.watch())
    try:
        yield turns
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        try:
            await turns.hand_over()
        except ParleyError as error:
            _log.warning("turns cannot be handed over", reason=error.reason)
