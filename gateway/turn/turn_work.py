"""The work of a turn: both phases or the second one, in its conversation, up to its end in the store.

A turn is stored once, by whichever run of it comes to its end. One that is cancelled is stored as cancelled; one that
fails is not stored.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import structlog

from gateway.events.events import Completed, Restarted, UsageReport
from gateway.events.running_turn import RunningTurn, Work
from gateway.recording.turn_recording import NoRecorder, TurnRecorder
from gateway.request import AskedTurn
from gateway.session.conversations import Conversation, ConversationHandle, Conversations
from gateway.turn.draft import Draft
from gateway.turn.pipeline import Pipeline
from gateway.turn.understanding import UnderstandingPhase
from libs.contracts.answers import Answer
from libs.contracts.conversation import ConversationView
from libs.contracts.session import Outcome, Turn
from libs.contracts.usage import tokens_of
from libs.runtime.errors import Cancelled, Conflict, ParleyError
from libs.runtime.serving.quotas import count_tokens

T = TypeVar("T")

_log = structlog.get_logger("parley.turns")


@dataclass(slots=True)
class TurnWorker:
    """Runs turns."""

    conversations: Conversations
    understanding: UnderstandingPhase
    pipeline: Pipeline
    recorder: TurnRecorder = field(default_factory=NoRecorder)

    async def restart(self, asked: AskedTurn, session_id: str, begun: float) -> Work:
        """Return what is left to do of a turn whose gateway went down: all of it, or only its end if it is stored.

        Args:
            asked: what is run.
            session_id: the turn's session; empty if the client carries the conversation.
            begun: when the turn began, in seconds of time.time.

        Raises:
            ParleyError: see `Conversations.open`.
        """
        if (stored_turn := await self.conversations.stored_turn(asked.turn_id)) is not None:
            return partial(complete_stored, stored_turn, session_id, time.time() - begun)
        conversation = await self.conversations.open(replace(asked.request, session_id=session_id))
        return partial(self.run, asked, conversation, begun=begun)

    async def run(
        self, asked: AskedTurn, conversation: Conversation, turn: RunningTurn, begun: float | None = None
    ) -> None:
        """Run a turn to its end.

        Args:
            asked: what is run.
            conversation: the conversation before the turn.
            turn: takes the events.
            begun: when an earlier run began whose gateway went down, in seconds of time.time; None for the first run.

        Raises:
            Conflict: another turn of the session was stored in between (reason SESSION_CONFLICT).
            ParleyError: the turn failed.
        """
        draft = draft_of(asked, conversation.view)
        if begun is not None:
            turn.emit(Restarted())
            _continue_clock(draft, begun)
        async with self._stored_if_cancelled(conversation, draft, turn), self._observed(draft):
            async with self.recorder.record(draft, conversation.session_id):
                await self._answer(asked, draft, turn)
            await self._complete(conversation, draft, turn)

    async def _answer(self, asked: AskedTurn, draft: Draft, turn: RunningTurn) -> None:
        """Do everything but store the turn."""
        emit, pipeline = turn.emit, self.pipeline
        draft.activities.emit = emit if asked.request.options.progress else None
        with pipeline.open_retrieval(draft, emit) as retrieve:
            if asked.pending is not None:
                for event in (draft.record, draft.understanding, *asked.pending.supplied.degraded):
                    if event is not None:
                        emit(event)
                await pipeline.run(draft, retrieve, emit)
                return
            with pipeline.open_speculation(draft, retrieve, emit) as ahead:
                async with self.understanding.run(draft, emit, ahead) as finish:
                    await pipeline.run(draft, retrieve, emit, ahead)
                    await finish()

    async def _complete(self, conversation: Conversation, draft: Draft, turn: RunningTurn) -> None:
        """Store the turn and emit its end; while it is being stored it cannot be cancelled any more.

        Its events are logged before, so a stored turn lacks only the last ones, which `complete_stored` can give.
        """
        await turn.flush()
        handle = await _uninterrupted(self._store(conversation, draft.turn()))
        milliseconds = (time.perf_counter() - draft.start_time) * 1000
        turn.emit(UsageReport(tuple(draft.usage), round(milliseconds, 3)))
        turn.emit(_completed(draft.turn(), handle))

    @asynccontextmanager
    async def _observed(self, draft: Draft) -> AsyncIterator[None]:
        """Count the tokens of the turn and learn from its times, however it ends."""
        earlier = len(draft.usage)
        try:
            yield
        finally:
            count_tokens(tokens_of(draft.usage[earlier:]))
            self.pipeline.ladder.observe((*draft.usage, *draft.stage_times))

    @asynccontextmanager
    async def _stored_if_cancelled(
        self, conversation: Conversation, draft: Draft, turn: RunningTurn
    ) -> AsyncIterator[None]:
        """Store the turn as cancelled if it is cancelled in the block, unless it goes on at another gateway."""
        try:
            yield
        except asyncio.CancelledError:
            if conversation.session is not None and not turn.is_detached:
                draft.outcome = Outcome.CANCELLED
                try:
                    await _uninterrupted(self._store(conversation, draft.turn()))
                except ParleyError as error:
                    _log.warning("cancelled turn is not stored", turn_id=turn.turn_id, reason=error.reason)
            raise

    async def _store(self, conversation: Conversation, content: Turn) -> ConversationHandle:
        try:
            return await self.conversations.add(conversation, content)
        except Conflict:
            if await self.conversations.stored_turn(content.question_id) is None:
                raise
            return ConversationHandle(session_id=conversation.session_id)


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
    if not any(isinstance(event.content, UsageReport) for event in turn.events):
        turn.emit(UsageReport(stored_turn.usage, round(seconds * 1000, 3)))
    turn.emit(_completed(stored_turn, ConversationHandle(session_id=session_id)))


def draft_of(asked: AskedTurn, view: ConversationView) -> Draft:
    """Return the draft of a turn, with the result of phase 1 if that is done."""
    draft = Draft(asked.turn_id, asked.request, view)
    if asked.pending is not None:
        turn = asked.pending.turn
        draft.record = asked.pending.supplied.record
        draft.understanding = asked.pending.supplied.understanding
        draft.graph = turn.graph
        draft.usage = list(turn.usage)
        draft.start_time -= sum(usage.milliseconds for usage in draft.usage) / 1000
        draft.asked_at = turn.asked_at or draft.asked_at
    return draft


def _continue_clock(draft: Draft, begun: float) -> None:
    draft.asked_at = datetime.fromtimestamp(begun, UTC)
    draft.start_time -= time.time() - begun


def _completed(content: Turn, handle: ConversationHandle) -> Completed:
    answer, outcome = content.answer or Answer(""), content.outcome or Outcome.ANSWERED
    return Completed(outcome, answer.abstain_score, handle.context, handle.session_id, answer.abstains)


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
