"""The gRPC servicer around recordings and replays; it contains no logic of its own."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from gateway.access.principals import caller_of
from gateway.recording.replaying import Replays
from gateway.recording.turn_recording import TurnRecordings
from libs.contracts.usage import Stage
from libs.contracts.wire.codec import fill, to_message
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import replay_pb2, replay_pb2_grpc


class ReplayServicer(replay_pb2_grpc.ReplayServiceServicer):
    """The service that runs recorded turns again."""

    def __init__(self, recordings: TurnRecordings, replays: Replays) -> None:
        self._recordings = recordings
        self._replays = replays

    async def GetRecording(
        self, request: replay_pb2.GetRecordingRequest, context: Any
    ) -> replay_pb2.GetRecordingResponse:
        """Return what is recorded of a turn, without contents."""
        recording = await self._recordings.recording(request.turn_id, caller_of(context))
        response = replay_pb2.GetRecordingResponse(
            turn_id=recording.turn_id,
            session_id=recording.session_id,
            question=recording.question,
            omitted=recording.omitted,
        )
        response.started_at.FromDatetime(recording.started_at)
        for entry in recording.calls:
            fill(entry.call, response.calls.add())
        return response

    async def Replay(self, request: replay_pb2.ReplayRequest, context: Any) -> AsyncIterator[replay_pb2.ReplayResponse]:
        """Stream the calls of a turn, made again."""
        principals = caller_of(context)
        recording = await self._recordings.recording(request.turn_id, principals)
        replay = self._replays.replay(recording, _stage(request.stage), principals)
        async with aclosing(replay) as calls:
            async for call in calls:
                yield to_message(call, replay_pb2.ReplayResponse)


def _stage(number: usage_pb2.Stage.ValueType) -> Stage | None:
    if number == usage_pb2.STAGE_UNSPECIFIED:
        return None
    return Stage(usage_pb2.Stage.Name(number).removeprefix("STAGE_"))
