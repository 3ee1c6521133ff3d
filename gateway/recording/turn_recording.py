"""Records the turns for which that is requested, or all, and reads recordings for their owners."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import structlog

from gateway.recording.encoding import decode, encode
from gateway.recording.recorder import Recorder, recording
from gateway.recording.recordings import Recording
from gateway.session.ownership import owns
from gateway.store.recordings import RecordingPart, RecordingStore
from gateway.turn.turn_run import TurnRun
from libs.runtime.errors import NotFound, ParleyError

_log = structlog.get_logger("parley.recording")


class TurnRecorder(Protocol):
    """Records turns."""

    def record(self, run: TurnRun, session_id: str) -> AbstractAsyncContextManager[None]:
        """Record the calls of the stages inside the context, if this turn is recorded.

        Args:
            run: the turn; one that was condensed before goes on with its second phase.
            session_id: the session that stores it; empty if the client does.
        """
        ...


class NoRecorder:
    """Records nothing."""

    def record(self, run: TurnRun, session_id: str) -> AbstractAsyncContextManager[None]:
        """See TurnRecorder."""
        return nullcontext()


@dataclass(frozen=True, slots=True)
class TurnRecordings:
    """The TurnRecorder over a store."""

    store: RecordingStore
    records_all: bool
    """Whether turns are recorded whose request does not ask for it."""
    most_bytes: int
    """Limit on the size of one turn's requests and responses before compression."""

    @asynccontextmanager
    async def record(self, run: TurnRun, session_id: str) -> AsyncIterator[None]:
        """See TurnRecorder. The recording is stored however the turn ends; if that fails, it is logged."""
        if not (self.records_all or run.request.options.record):
            yield
            return
        recorder, started, phase = Recorder(), time.time(), 1 if run.result.record is None else 2
        try:
            with recording(recorder):
                yield
        finally:
            await asyncio.shield(self._store(recorder, run, session_id, phase, started))

    async def _store(self, recorder: Recorder, run: TurnRun, session_id: str, phase: int, started: float) -> None:
        request = run.request
        empty = Recording(
            turn_id=run.question_id,
            question=request.question,
            started_at=datetime.fromtimestamp(started, UTC),
            session_id=session_id,
            principals=request.principals,
        )
        try:
            content = await asyncio.to_thread(encode, empty, tuple(recorder.calls), self.most_bytes)
            await self.store.put(RecordingPart(run.question_id, phase, session_id, started, content))
        except ParleyError as error:
            _log.warning("a turn was not recorded", turn=run.question_id, reason=error.reason)

    async def recording(self, turn_id: str, principals: tuple[str, ...]) -> Recording:
        """Return the recording of a turn.

        Raises:
            NotFound: there is none, or it holds content of other principals (reason RECORDING_NOT_FOUND).
        """
        parts = await self.store.parts(turn_id)
        recording = decode(parts) if parts else None
        if recording is None or not owns(principals, recording.principals):
            raise NotFound("recording", turn_id)
        return recording
