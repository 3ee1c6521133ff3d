"""Records the turns for which that is requested, or all, and reads recordings for their owners.

A recording is stored as zlib of `parley.gateway.v1.StoredRecording`; requests and responses are the contract's own
messages. The phases of a turn are understanding (1) and answering (2), which a client may ask for one by one.
"""

import asyncio
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import structlog

from gateway.recording.recorder import Call, recorded_calls
from gateway.store.recordings import RecordingPart, RecordingStore
from gateway.store.sessions import owns
from gateway.turn.turn_run import TurnRun
from libs.runtime.errors import NotFound, ParleyError
from parley.gateway.v1 import recording_pb2

MAX_TURN_BYTES: Final = 16 * 1024 * 1024
"""Size of one turn's requests and responses before compression. A call that would exceed it is left out and counted;
a turn over the samples has 40 to 290 KB (taste)."""

_log = structlog.get_logger("parley.recording")


@dataclass(frozen=True, slots=True)
class TurnRecordings:
    """Records turns into a store, and reads them."""

    store: RecordingStore
    records_all: bool = False
    """Whether turns are recorded whose request does not ask for it."""
    max_bytes: int = MAX_TURN_BYTES

    @asynccontextmanager
    async def record(self, run: TurnRun, session_id: str) -> AsyncIterator[None]:
        """Record the calls of the stages inside the context, if this turn is recorded.

        The recording is stored however the turn ends; if that fails, it is logged.

        Args:
            run: the turn; one that was condensed before goes on with its second phase.
            session_id: the session that stores it; empty if the client does.
        """
        if not (self.records_all or run.request.options.record):
            yield
            return
        phase = 1 if run.turn.record is None else 2
        turn = recording_pb2.StoredRecording(
            turn_id=run.turn.question_id,
            session_id=session_id,
            principals=run.request.principals,
            question=run.request.question,
        )
        turn.started_at.GetCurrentTime()
        with recorded_calls() as calls:
            try:
                yield
            finally:
                await asyncio.shield(self._store(turn, calls, phase))

    async def _store(self, turn: recording_pb2.StoredRecording, calls: Sequence[Call], phase: int) -> None:
        try:
            content = await asyncio.to_thread(_encode, turn, tuple(calls), self.max_bytes)
            started = turn.started_at.ToNanoseconds() / 1e9
            await self.store.put(RecordingPart(turn.turn_id, phase, turn.session_id, started, content))
        except ParleyError as error:
            _log.warning("the recording of a turn could not be stored", turn=turn.turn_id, reason=error.reason)

    async def recording(self, turn_id: str, principals: tuple[str, ...]) -> recording_pb2.StoredRecording:
        """Return the recording of a turn, unpacked on the event loop; the calls of both phases are numbered together.

        Raises:
            NotFound: there is none, or it holds content of other principals (reason RECORDING_NOT_FOUND).
            Unavailable: the store cannot be read.
        """
        parts = [recording_pb2.StoredRecording.FromString(zlib.decompress(p)) for p in await self.store.parts(turn_id)]
        if not parts or not owns(principals, tuple(parts[0].principals)):
            raise NotFound("recording", turn_id)
        whole = parts[0]
        for part in parts[1:]:
            whole.calls.extend(part.calls)
            whole.omitted += part.omitted
        for number, stored in enumerate(whole.calls, start=1):
            stored.call.number = number
        return whole


def _encode(turn: recording_pb2.StoredRecording, calls: Sequence[Call], max_bytes: int) -> bytes:
    """Pack a turn's calls; called in a thread, and at zlib's fastest level all the same (taste)."""
    size = 0
    for call in calls:
        stored = call.encode()
        if size + stored.ByteSize() <= max_bytes:
            turn.calls.append(stored)
            size += stored.ByteSize()
    turn.omitted = len(calls) - len(turn.calls)
    return zlib.compress(turn.SerializeToString(), level=1)
