"""Deletes sessions: one, for ever, from every store; and those that are too old or too many, in the background.

Several gateways that share a store may do so at the same time. A step also finishes removals that were interrupted.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from gateway.store.session_store import SessionStore
from gateway.store.sessions import SessionData, StoredSession
from libs.runtime.errors import ParleyError

SESSIONS_PER_STEP: Final = 20
"""Sessions that one step deletes (taste)."""
SWEEP_SECONDS: Final = 60.0
"""Pause between two sweeps: expired sessions, questions, answers and recordings stay that much longer; taste."""
STEP_PAUSE_SECONDS: Final = 0.02
"""Pause between two steps, in which turns have the store to themselves (taste)."""

_log = structlog.get_logger("parley.retention")


@dataclass(frozen=True, slots=True)
class SessionRemoval:
    """Deletes sessions with all that is stored for them.

    A session is hidden first, so that nobody sees half of it; an interrupted removal is finished by `finish`. Both may
    raise Unavailable, as the stores do.
    """

    store: SessionStore
    data: Sequence[SessionData]
    """Whatever else is stored for sessions."""

    async def remove(self, session: StoredSession) -> bool:
        """Delete a session, unless it has got a turn since it was read; return whether it was deleted."""
        if not await self.store.hide(session.session_id, session.version):
            return False
        await self.finish((session.session_id,))
        return True

    async def finish(self, session_ids: Sequence[str]) -> None:
        """Delete hidden sessions."""
        for data in self.data:
            await data.forget(session_ids)
        for session_id in session_ids:
            await self.store.remove(session_id)


@dataclass(frozen=True, slots=True)
class Retention:
    """Keeps the sessions of a store within limits; 0 is no limit."""

    removal: SessionRemoval
    days: float = 0.0
    """Days that a session is kept after its latest turn."""
    sessions: int = 0
    """Number of sessions; those with the oldest latest turns are deleted first."""

    async def sweep(self) -> int:
        """Delete all that is beyond the limits; return the number of sessions.

        Raises:
            Unavailable: the store does not answer.
        """
        count = 0
        while removed := await self._step():
            count += removed
            await asyncio.sleep(STEP_PAUSE_SECONDS)
        for store in self.removal.data:
            await store.expire()
        if count:
            await self.removal.store.shrink()
        return count

    async def _step(self) -> int:
        """Delete some sessions; return how many were handled, 0 when there is nothing left to do."""
        hidden_ids = await self.removal.store.hidden(SESSIONS_PER_STEP)
        if hidden_ids:
            await self.removal.finish(hidden_ids)
            return len(hidden_ids)
        sessions = await self._beyond_limits()
        for session in sessions:
            await self.removal.remove(session)
        return len(sessions)

    async def _beyond_limits(self) -> Sequence[StoredSession]:
        sessions: Sequence[StoredSession] = ()
        if self.days:
            before = datetime.now(UTC) - timedelta(days=self.days)
            sessions = await self.removal.store.outdated(before, SESSIONS_PER_STEP)
        if self.sessions and not sessions:
            sessions = await self.removal.store.surplus(self.sessions, SESSIONS_PER_STEP)
        return sessions


@asynccontextmanager
async def in_background(retention: Retention, seconds: float = SWEEP_SECONDS) -> AsyncIterator[None]:
    """Sweep at once and then every `seconds` while the block runs."""
    task = asyncio.create_task(_run(retention, seconds))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _run(retention: Retention, seconds: float) -> None:
    while True:
        try:
            count = await retention.sweep()
        except ParleyError as error:  # the next sweep does it
            _log.warning("sessions could not be expired", reason=error.reason)
        except Exception:
            _log.exception("expiring sessions failed")
        else:
            if count:
                _log.info("sessions were expired", sessions=count)
        await asyncio.sleep(seconds)
