"""The work of a turn: both phases or the second one, in its conversation, up to its end in the store."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from gateway.events.events import Event, TurnEvent
from gateway.events.logged_answer import end_from_log
from gateway.events.rerun import Rerun
from gateway.events.running_turn import RunningTurn, Work
from gateway.recording.turn_recording import TurnRecorder
from gateway.session.conversations import Conversation, Conversations
from gateway.stage_calls.call_log import CallCodec, LoggedStages
from gateway.turn.asked_turn import AskedTurn
from gateway.turn.pipeline import Pipeline
from gateway.turn.turn_ending import TurnEnding, complete_stored
from gateway.turn.turn_run import TurnRun
from libs.contracts.usage import tokens_of
from libs.runtime.errors import ParleyError
from libs.runtime.serving.quotas import count_tokens


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """What the log has of a turn whose gateway went down."""

    begun: float
    """In seconds of time.time."""
    events: Sequence[Event]
    results: Mapping[str, bytes] = field(default_factory=dict)
    """The results of its stage calls, by key."""


class EventReading(Protocol):
    """Reads events as a log gives them back."""

    def read_back(self, event: TurnEvent) -> TurnEvent:
        """Return the event as it is after encoding and decoding."""
        ...


@dataclass(slots=True)
class TurnWorker:
    """Runs turns."""

    conversations: Conversations
    pipeline: Pipeline
    calls: CallCodec
    reading: EventReading
    recorder: TurnRecorder = field(default_factory=TurnRecorder)

    async def prepare(self, asked: AskedTurn, session_id: str, earlier: EarlierRun) -> Work:
        """Return the work that is left of a turn whose gateway went down.

        Raises:
            ParleyError: see `Conversations.open`.
        """
        if (stored_turn := await self.conversations.stored_turn(asked.turn_id)) is not None:
            return partial(complete_stored, stored_turn, session_id, time.time() - earlier.begun)
        conversation = await self.conversations.open(replace(asked.request, session_id=session_id))
        return partial(self.run, asked, conversation, earlier=earlier)

    async def run(
        self, asked: AskedTurn, conversation: Conversation, turn: RunningTurn, earlier: EarlierRun | None = None
    ) -> None:
        """Run a turn to its end.

        Args:
            asked: what is run.
            conversation: the conversation before the turn.
            turn: takes the events and the results of stage calls.
            earlier: the run that this one continues, if any.

        Raises:
            ParleyError: the turn failed.
        """
        run = asked.start(conversation.view, turn.emit)
        ending = TurnEnding(self.conversations, conversation, run, turn)
        async with ending.stored_if_cancelled(), self._observed(run):
            async with self.recorder.record(run, conversation.session_id):
                if earlier is None:
                    await self._answer(asked, run, turn, {})
                else:
                    run.continue_clock(earlier.begun)
                    await self._answer_again(asked, run, turn, earlier)
            await ending.complete()

    @asynccontextmanager
    async def _observed(self, run: TurnRun) -> AsyncIterator[None]:
        """Count the tokens of the turn and learn from its times, however it ends."""
        earlier = len(run.usage.tasks)
        try:
            yield
        finally:
            count_tokens(tokens_of(run.usage.tasks[earlier:]))
            self.pipeline.step_times.observe((*run.usage.tasks, *run.usage.stage_times))

    async def _answer_again(self, asked: AskedTurn, run: TurnRun, turn: RunningTurn, earlier: EarlierRun) -> None:
        """Run the turn over the recorded results; end it from the log if that leads elsewhere, or fails."""
        rerun = Rerun([event.content for event in earlier.events], turn.emit, self.reading.read_back)
        run.emit = rerun
        run.usage.activities.emit = rerun if asked.request.options.progress else None
        task = asyncio.create_task(self._answer(asked, run, turn, earlier.results))
        rerun.on_divergence = task.cancel
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait({task})
            raise
        error = None if task.cancelled() else task.exception()
        if rerun.has_diverged or (isinstance(error, ParleyError) and rerun.has_text):
            end_from_log(run, rerun.logged, turn.emit)
        elif error is not None:
            raise error

    async def _answer(self, asked: AskedTurn, run: TurnRun, turn: RunningTurn, results: Mapping[str, bytes]) -> None:
        """Do everything but store the turn."""
        stages = LoggedStages(self.pipeline.stages, self.calls, turn.record, results)
        pipeline = replace(self.pipeline, stages=stages)
        if (understood := asked.understood) is not None:
            await pipeline.answer(run, understood)
        else:
            await pipeline.ask(run)
