"""The work of a turn: both phases or the second one, in its conversation, up to its end in the store.

A turn is stored once, by whichever run of it comes to its end. One that is cancelled is stored as cancelled, with what
was shown of its answer; one that fails, or is cancelled before, is not stored.
"""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

import structlog

from gateway.events.events import Completed, Restarted, UsageReport
from gateway.events.running_turn import RunningTurn, Work
from gateway.events.shown_answer import shown_answer
from gateway.recording.turn_recording import TurnRecordings
from gateway.request import AskedTurn
from gateway.session.conversation import said_in
from gateway.session.conversations import Conversation, Conversations
from gateway.turn.pipeline import Pipeline
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
from libs.contracts.answers import Answer
from libs.contracts.session import Outcome, Turn
from libs.contracts.stages.decompose import READ_AHEAD, ReadAheadRequest
from libs.contracts.usage import tokens_of
from libs.runtime.errors import Cancelled, Conflict, ParleyError
from libs.runtime.limits.callers import count_tokens

T = TypeVar("T")

SILENCE: Final = 0.1
"""Seconds after which a turn is read ahead if no other began, which would wait for that; people take longer (taste)."""

_log = structlog.get_logger("parley.turns")


@dataclass(slots=True)
class TurnWorker:
    """Runs turns, each in a task of its own."""

    conversations: Conversations
    pipeline: Pipeline
    recorder: TurnRecordings
    _reading: asyncio.Task[None] | None = None
    """Reads the newest turn ahead."""

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
        run, understood = TurnRun.start(asked.turn_id, asked.request, conversation.view, turn.emit), None
        if (pending := asked.pending) is not None:
            run.resume(pending.turn)
            supplied = pending.supplied
            understood = UnderstoodTurn(supplied.record, supplied.understanding, pending.turn.graph, supplied.degraded)
        if begun is not None:
            turn.emit(Restarted())
            run.update(asked_at=datetime.fromtimestamp(begun, UTC))
            run.usage.start_time -= time.time() - begun
        earlier = len(run.usage.tasks)
        self._end_reading()
        try:
            async with self.recorder.record(run, conversation.session_id):
                await (self.pipeline.ask(run) if understood is None else self.pipeline.answer(run, understood))
            await self._complete(conversation, run, turn)
            self._end_reading()
            self._reading = asyncio.create_task(self._read_ahead(run.turn))
        except asyncio.CancelledError:
            if conversation.session is not None and not turn.is_detached:
                await _uninterrupted(self._store_cancelled(conversation, run, turn))
            raise
        finally:
            count_tokens(tokens_of(run.usage.tasks[earlier:]))
            self.pipeline.step_times.observe((*run.usage.tasks, *run.usage.stage_times))

    async def _complete(self, conversation: Conversation, run: TurnRun, turn: RunningTurn) -> None:
        """Store the turn and emit its end; while it is being stored it cannot be cancelled any more.

        Its events are logged before, so a stored turn lacks only the last ones, which `complete_stored` can give.
        """
        await turn.flush()
        context = await _uninterrupted(self._store(conversation, run.stored_turn()))
        turn.emit(UsageReport.of(run.usage.tasks, run.milliseconds))
        turn.emit(_completed(run.turn, conversation.session_id, context))

    def _end_reading(self) -> None:
        """Let nothing be read ahead that another turn would wait for."""
        if self._reading is not None:
            self._reading.cancel()

    async def _read_ahead(self, turn: Turn) -> None:
        """Let what a turn said be read for the next one, after a while."""
        await asyncio.sleep(SILENCE)
        try:
            await self.pipeline.stages.unary(READ_AHEAD, ReadAheadRequest(said_in(turn)))
        except ParleyError as error:
            _log.debug("turn is not read ahead", turn_id=turn.question_id, reason=error.reason)

    async def _store_cancelled(self, conversation: Conversation, run: TurnRun, turn: RunningTurn) -> None:
        """Store a turn with the answer as far as it was shown; without one nothing of it stays."""
        await turn.flush()
        if (answer := run.turn.answer or shown_answer(turn.events)) is None:
            return
        run.update(answer=answer, outcome=Outcome.CANCELLED)
        try:
            await self._store(conversation, run.stored_turn())
        except ParleyError as error:
            _log.warning("cancelled turn is not stored", turn_id=run.turn.question_id, reason=error.reason)

    async def _store(self, conversation: Conversation, content: Turn) -> str:
        try:
            return await self.conversations.add(conversation, content)
        except Conflict:
            if await self.conversations.stored_turn(content.question_id) is None:
                raise
            return ""


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
        turn.emit(UsageReport.of(stored_turn.usage, seconds * 1000))
    turn.emit(_completed(stored_turn, session_id))


def _completed(content: Turn, session_id: str, context: str = "") -> Completed:
    answer, outcome = content.answer or Answer(""), content.outcome or Outcome.ANSWERED
    return Completed(outcome, answer.abstain_score, context, session_id, answer.abstains)


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
