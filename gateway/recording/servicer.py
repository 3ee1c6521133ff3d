"""The gRPC service of recordings: sends recorded requests to the stages again and compares the responses."""

import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.message import Message

from gateway.access.principals import caller_of
from gateway.calling.stages import Stages
from gateway.recording.comparing import content_of, differences
from gateway.recording.turn_recording import TurnRecordings
from gateway.session.reference_access import PassageLookups
from libs.contracts.evidence import PassageKey
from libs.contracts.methods import AnyMethod, StreamMethod
from libs.contracts.stages import answer, decompose, intent, retrieve, timeline
from libs.contracts.usage import Progress
from libs.contracts.wire.codec import from_message
from libs.contracts.wire.methods import codec_of
from libs.runtime.errors import ParleyError
from parley.context.v1 import evidence_pb2, usage_pb2
from parley.gateway.v1 import recording_pb2, replay_pb2, replay_pb2_grpc

MAX_DIFFERENCES: Final = 100
"""Number of differences that are returned for a call; all are counted (taste)."""
METHODS: Final[Mapping[tuple[str, str], AnyMethod]] = {
    (f"STAGE_{method.stage.upper()}", method.rpc): method
    for stage in (intent, decompose, retrieve, answer, timeline)
    for method in stage.METHODS
}
"""The RPCs of the stages by what a recording says of them."""


@dataclass(frozen=True, slots=True)
class ReplayServicer(replay_pb2_grpc.ReplayServiceServicer):
    """The service that runs recorded turns again.

    Each RPC raises NotFound if the caller has no recording of that turn, and Unavailable if none can be read.
    """

    recordings: TurnRecordings
    stages: Stages
    lookups: PassageLookups
    """Says which passages a caller may see: a recording may be older than a permission."""

    async def GetRecording(
        self, request: replay_pb2.GetRecordingRequest, context: Any
    ) -> replay_pb2.GetRecordingResponse:
        """Return what is recorded of a turn, without contents."""
        recording = await self.recordings.recording(request.turn_id, caller_of(context))
        return replay_pb2.GetRecordingResponse(
            turn_id=recording.turn_id,
            session_id=recording.session_id,
            question=recording.question,
            started_at=recording.started_at,
            calls=[stored.call for stored in recording.calls],
            omitted=recording.omitted,
        )

    async def Replay(self, request: replay_pb2.ReplayRequest, context: Any) -> AsyncIterator[replay_pb2.ReplayResponse]:
        """Stream the calls of a turn, made again one after the other."""
        principals = caller_of(context)
        recording = await self.recordings.recording(request.turn_id, principals)
        for stored in recording.calls:
            if request.stage in (usage_pb2.STAGE_UNSPECIFIED, stored.call.stage):
                yield await self._replay(stored, principals)

    async def _replay(self, stored: recording_pb2.StoredCall, principals: tuple[str, ...]) -> replay_pb2.ReplayResponse:
        method = METHODS.get((usage_pb2.Stage.Name(stored.call.stage), stored.call.method))
        if method is None or stored.call.end == recording_pb2.CALL_END_CANCELLED:
            return replay_pb2.ReplayResponse(call=stored.call, verdict=replay_pb2.REPLAY_VERDICT_NOT_COMPARED)
        codec = codec_of(method)
        request = codec.request_message.FromString(stored.request)
        recorded = [codec.response_message.FromString(response) for response in stored.responses]
        start = time.perf_counter()
        replayed, reason = await self._call(method, request)
        milliseconds = round((time.perf_counter() - start) * 1000, 3)
        places = list(differences(content_of(recorded), content_of(replayed)))
        places += differences(stored.call.reason, reason, "error")
        shown = places[:MAX_DIFFERENCES]
        if shown and not await self._are_visible([request, *recorded, *replayed], principals):
            shown = [replay_pb2.Difference(path=place.path, withheld=True) for place in shown]
        verdict = replay_pb2.REPLAY_VERDICT_DIFFERENT if places else replay_pb2.REPLAY_VERDICT_SAME
        return replay_pb2.ReplayResponse(
            call=stored.call,
            verdict=verdict,
            differences=shown,
            difference_count=len(places),
            milliseconds=milliseconds,
        )

    async def _call(self, method: AnyMethod, request: Message) -> tuple[list[Message], str]:
        """Return the responses, and the reason of the error if the call failed."""
        codec, value, responses = codec_of(method), from_message(request, method.request), list[Message]()
        try:
            if not isinstance(method, StreamMethod):
                return [codec.to_message(await self.stages.unary(method, value))], ""
            async with aclosing(self.stages.stream(method, value)) as steps:
                async for step in steps:
                    if not isinstance(step, Progress):
                        responses.append(codec.to_message(step))
        except ParleyError as error:
            return responses, error.reason
        return responses, ""

    async def _are_visible(self, messages: Sequence[Message], principals: tuple[str, ...]) -> bool:
        """Whether all passages inside the messages may be seen; one of a document that is gone may not."""
        passages = [passage for message in messages for passage in _passages_in(message)]
        keys = dict.fromkeys(PassageKey(p.collection, p.document_id, p.passage_id) for p in passages)
        return await self.lookups.are_visible(tuple(keys), principals)


def _passages_in(message: Message) -> Iterator[evidence_pb2.Passage]:
    if isinstance(message, evidence_pb2.Passage):
        yield message
        return
    for field, content in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for item in content if field.is_repeated else (content,):
                yield from _passages_in(item)
