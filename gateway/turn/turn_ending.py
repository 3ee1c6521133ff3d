"""The end of a turn in its conversation: stored once, by whichever run of it comes to its end.

A turn that is cancelled is stored as cancelled; a turn that fails is not stored.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from gateway.events.events import Completed, UsageReport
from gateway.events.running_turn import RunningTurn
from gateway.session.conversations import Conversation, ConversationHandle, Conversations
from gateway.turn.turn_run import TurnRun
from libs.contracts.answers import Answer
from libs.contracts.session import Outcome, Turn
from libs.runtime.errors import Cancelled, Conflict, ParleyError

T = TypeVar("T")

_log = structlog.get_logger("parley.turns")


@dataclass(frozen=True, slots=True)
class TurnEnding:
    """Ends one turn."""

    conversations: Conversations
    conversation: Conversation
    run: TurnRun
    turn: RunningTurn

    async def complete(self) -> None:
        """Store the turn and emit its end.

        While it is being stored it cannot be cancelled any more. Its events are logged before, so a stored turn lacks
        only the last ones, which `complete_stored` can give.

        Raises:
            Conflict: another turn of the session was stored in between (reason SESSION_CONFLICT).
        """
        await self.turn.flush()
        handle = await _uninterrupted(self._store())
        milliseconds = self.run.milliseconds
        _emit_end(self.turn, self.run.turn(), handle, milliseconds)

    @asynccontextmanager
    async def stored_if_cancelled(self) -> AsyncIterator[None]:
        """Store the turn as cancelled if it is cancelled in the block, unless it goes on at another gateway."""
        try:
            yield
        except asyncio.CancelledError:
            if self.conversation.session is not None and not self.turn.is_detached:
                self.run.update(outcome=Outcome.CANCELLED)
                await self._store_cancelled()
            raise

    async def _store_cancelled(self) -> None:
        try:
            await _uninterrupted(self._store())
        except ParleyError as error:
            _log.warning("cancelled turn is not stored", turn_id=self.run.question_id, reason=error.reason)

    async def _store(self) -> ConversationHandle:
        try:
            return await self.conversations.add(self.conversation, self.run.turn())
        except Conflict:
            if await self.conversations.stored_turn(self.run.question_id) is None:
                raise
            return ConversationHandle(session_id=self.conversation.session_id)


async def complete_stored(stored_turn: Turn, session_id: str, seconds: float, turn: RunningTurn) -> None:
    """Emit the end of a turn that an earlier run has stored.

    Args:
        stored_turn: the turn.
        session_id: its session.
        seconds: how long it took.
        turn: takes the events.

    Raises:
        Cancelled: it was stored as cancelled.
    """
    if stored_turn.outcome is Outcome.CANCELLED:
        raise Cancelled()
    _emit_end(turn, stored_turn, ConversationHandle(session_id=session_id), seconds * 1000)


def _emit_end(turn: RunningTurn, content: Turn, handle: ConversationHandle, milliseconds: float) -> None:
    answer, outcome = content.answer or Answer(""), content.outcome or Outcome.ANSWERED
    if not any(isinstance(event.content, UsageReport) for event in turn.events):
        turn.emit(UsageReport(content.usage, round(milliseconds, 3)))
    turn.emit(Completed(outcome, answer.abstain_score, handle.context, handle.session_id, answer.abstains))


async def _uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Await work that has to come to its end; a cancellation in the meantime has no effect."""
    task = asyncio.ensure_future(work)
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None:
                current.uncancel()
    return task.result()
