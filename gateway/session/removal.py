"""Deletes sessions for ever, from every store."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.store.sessions import SessionData, SessionStore, StoredSession


@dataclass(frozen=True, slots=True)
class SessionRemoval:
    """Deletes sessions with all that is stored for them.

    A session is hidden first, so that nobody sees half of it; an interrupted removal is finished by `finish`.
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
