"""The gRPC servicer of the timeline stage: converts messages."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.stages.timeline import BUILD_FIELDS, BuildRequest
from libs.contracts.wire.steps import StepCodec
from libs.servicing.requests import from_request
from parley.timeline.v1 import timeline_pb2, timeline_pb2_grpc
from services.timeline.tasks import TimelineTasks

BUILDING: Final = StepCodec(timeline_pb2.BuildResponse, BUILD_FIELDS)


class TimelineServicer(timeline_pb2_grpc.TimelineServiceServicer):
    """Serves the stage's tasks."""

    def __init__(self, tasks: TimelineTasks) -> None:
        self._tasks = tasks

    async def Build(
        self,
        request: timeline_pb2.BuildRequest,
        context: grpc.aio.ServicerContext[timeline_pb2.BuildRequest, timeline_pb2.BuildResponse],
    ) -> AsyncIterator[timeline_pb2.BuildResponse]:
        """Stream the steps; the result is the last one."""
        async with aclosing(self._tasks.build(from_request(request, BuildRequest))) as steps:
            async for step in steps:
                yield BUILDING.to_message(step)
