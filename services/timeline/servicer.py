"""The gRPC servicer around `TimelineBuilder`; it contains no logic of its own."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence
from libs.contracts.usage import Degraded, Progress
from libs.contracts.wire.codec import from_message, message_with
from parley.timeline.v1 import timeline_pb2, timeline_pb2_grpc
from services.timeline.build import TimelineBuilder
from services.timeline.steps import Built, Step


class TimelineServicer(timeline_pb2_grpc.TimelineServiceServicer):
    """The timeline service, with one builder for all calls."""

    def __init__(self, builder: TimelineBuilder) -> None:
        self._builder = builder

    async def Build(
        self,
        request: timeline_pb2.BuildRequest,
        context: grpc.aio.ServicerContext[timeline_pb2.BuildRequest, timeline_pb2.BuildResponse],
    ) -> AsyncIterator[timeline_pb2.BuildResponse]:
        """Stream the steps; the result is the last one."""
        steps = self._builder.build(
            request.question,
            [from_message(evidence, Evidence) for evidence in request.evidence],
            from_message(request.time_range, TimeRange) if request.HasField("time_range") else None,
            request.max_events,
        )
        async with aclosing(steps):
            async for step in steps:
                yield _response(step)


_STEPS: Final[Mapping[type, str]] = {Progress: "state", Degraded: "degraded", Built: "result"}


def _response(step: Step) -> timeline_pb2.BuildResponse:
    return message_with(timeline_pb2.BuildResponse, _STEPS[type(step)], step)
