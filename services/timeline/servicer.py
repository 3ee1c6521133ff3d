"""Speaks protobuf for `TimelineBuilder`; every decision is the builder's."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import grpc

from parley.context.v1 import usage_pb2
from parley.timeline.v1 import timeline_pb2, timeline_pb2_grpc
from services.timeline.build import TimelineBuilder
from services.timeline.steps import Built, Progress, Step
from services.vocabulary.dates import TimeRange
from services.vocabulary.evidence import Evidence
from services.wire.codec import from_message, to_message


class TimelineServicer(timeline_pb2_grpc.TimelineServiceServicer):
    """One builder for all calls."""

    def __init__(self, builder: TimelineBuilder) -> None:
        self._builder = builder

    async def Build(
        self,
        request: timeline_pb2.BuildRequest,
        context: grpc.aio.ServicerContext[timeline_pb2.BuildRequest, timeline_pb2.BuildResponse],
    ) -> AsyncIterator[timeline_pb2.BuildResponse]:
        """The steps as they come, the result last."""
        steps = self._builder.build(
            request.question,
            [from_message(evidence, Evidence) for evidence in request.evidence],
            from_message(request.time_range, TimeRange) if request.HasField("time_range") else None,
            request.max_events,
        )
        async with aclosing(steps):
            async for step in steps:
                yield _response(step)


def _response(step: Step) -> timeline_pb2.BuildResponse:
    if isinstance(step, Built):
        return timeline_pb2.BuildResponse(result=to_message(step, timeline_pb2.BuildResult))
    if isinstance(step, Progress):
        return timeline_pb2.BuildResponse(state=to_message(step, usage_pb2.Progress))
    return timeline_pb2.BuildResponse(degraded=to_message(step, usage_pb2.Degraded))
