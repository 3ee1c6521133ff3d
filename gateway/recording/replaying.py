"""Runs recorded turns again: sends the recorded requests to the stages and compares the responses."""

import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from google.protobuf.message import Message

from gateway.calling.stages import Stages
from gateway.recording.canonical import canonical
from gateway.recording.comparing import Difference, differences
from gateway.recording.recordings import CallEnd, RecordedCall, Recording, StoredCall
from libs.contracts.methods import AnyMethod, StreamMethod
from libs.contracts.stages import answer, decompose, intent, retrieve, timeline
from libs.contracts.usage import Progress, Stage
from libs.contracts.wire.codec import from_message
from libs.contracts.wire.methods import codec_of
from libs.runtime.errors import ParleyError

MOST_DIFFERENCES: Final = 100
"""Maximum number of differences that are returned for a call; all are counted."""
METHODS: Final[Mapping[tuple[Stage, str], AnyMethod]] = {
    (Stage(method.stage.upper()), method.rpc): method
    for stage in (intent, decompose, retrieve, answer, timeline)
    for method in stage.METHODS
}


class ReplayVerdict(StrEnum):
    """The result of a call that was made again."""

    SAME = "SAME"
    DIFFERENT = "DIFFERENT"
    NOT_COMPARED = "NOT_COMPARED"
    """The recorded call was cancelled; it was not made again."""


@dataclass(frozen=True, slots=True)
class ReplayedCall:
    """A recorded call, and how today's answer differs from the recorded one."""

    call: RecordedCall
    verdict: ReplayVerdict
    differences: tuple[Difference, ...] = ()
    """The first place first; at most MOST_DIFFERENCES."""
    difference_count: int = 0
    milliseconds: float = 0.0
    """How long it took this time."""


class Visibility(Protocol):
    """Whether the passages of messages may be shown to somebody."""

    async def are_visible(self, messages: Sequence[Message], principals: tuple[str, ...]) -> bool:
        """Whether all passages inside the messages may be seen."""
        ...


@dataclass(frozen=True, slots=True)
class Replays:
    """Makes the calls of recordings again."""

    stages: Stages
    visibility: Visibility

    async def replay(
        self, recording: Recording, stage: Stage | None, principals: tuple[str, ...]
    ) -> AsyncGenerator[ReplayedCall, None]:
        """Yield each call of a recording, made again one after the other.

        Args:
            recording: the recording.
            stage: only its calls are made; None for all.
            principals: the caller's principals; values of passages that these may not see are withheld.
        """
        for entry in recording.calls:
            if stage is None or entry.call.stage is stage:
                yield await self._replay(entry, principals)

    async def _replay(self, entry: StoredCall, principals: tuple[str, ...]) -> ReplayedCall:
        method = METHODS.get((entry.call.stage, entry.call.method))
        if method is None or entry.call.end is CallEnd.CANCELLED:
            return ReplayedCall(entry.call, ReplayVerdict.NOT_COMPARED)
        codec = codec_of(method)
        request = codec.request_message.FromString(entry.request)
        start = time.perf_counter()
        responses, reason = await self._call(method, request)
        milliseconds = round((time.perf_counter() - start) * 1000, 3)
        originals = [codec.response_message.FromString(response) for response in entry.responses]
        places = list(differences(canonical(originals), canonical(responses)))
        if reason != entry.call.reason:
            places.append(Difference("reason", entry.call.reason, reason))
        verdict = ReplayVerdict.DIFFERENT if places else ReplayVerdict.SAME
        listed = places[:MOST_DIFFERENCES]
        if listed and not await self.visibility.are_visible([request, *originals, *responses], principals):
            listed = [Difference(place.path, "", "", withheld=True) for place in listed]
        return ReplayedCall(entry.call, verdict, tuple(listed), len(places), milliseconds)

    async def _call(self, method: AnyMethod, request: Message) -> tuple[list[Message], str]:
        """Return the responses, and the reason of the error if the call failed."""
        responses: list[Message] = []
        codec, value = codec_of(method), from_message(request, method.request)
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
