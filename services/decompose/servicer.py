"""The gRPC servicer of the decompose stage: converts messages."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.stages.decompose import (
    CONDENSE_FIELDS,
    DECOMPOSE_FIELDS,
    CondenseInStepsRequest,
    CondenseRequest,
    DecomposeRequest,
)
from libs.contracts.wire.codec import to_message
from libs.contracts.wire.steps import StepCodec
from libs.servicing.requests import from_request
from parley.decompose.v1 import decompose_pb2, decompose_pb2_grpc
from services.decompose.tasks import DecomposeTasks

CONDENSING: Final = StepCodec(decompose_pb2.CondenseInStepsResponse, CONDENSE_FIELDS)
PLANNING: Final = StepCodec(decompose_pb2.DecomposeResponse, DECOMPOSE_FIELDS)


class DecomposeServicer(decompose_pb2_grpc.DecomposeServiceServicer):
    """Serves the stage's tasks."""

    def __init__(self, tasks: DecomposeTasks) -> None:
        self._tasks = tasks

    async def Condense(
        self,
        request: decompose_pb2.CondenseRequest,
        context: grpc.aio.ServicerContext[decompose_pb2.CondenseRequest, decompose_pb2.CondenseResponse],
    ) -> decompose_pb2.CondenseResponse:
        """Return the decision record."""
        response = await self._tasks.condense(from_request(request, CondenseRequest))
        return to_message(response, decompose_pb2.CondenseResponse)

    async def CondenseInSteps(
        self,
        request: decompose_pb2.CondenseInStepsRequest,
        context: grpc.aio.ServicerContext[decompose_pb2.CondenseInStepsRequest, decompose_pb2.CondenseInStepsResponse],
    ) -> AsyncIterator[decompose_pb2.CondenseInStepsResponse]:
        """Stream the rules' record, the model's verdict and its sub-queries if a model is asked; then the result."""
        async with aclosing(self._tasks.condense_in_steps(from_request(request, CondenseInStepsRequest))) as steps:
            async for step in steps:
                yield CONDENSING.to_message(step)

    async def Decompose(
        self,
        request: decompose_pb2.DecomposeRequest,
        context: grpc.aio.ServicerContext[decompose_pb2.DecomposeRequest, decompose_pb2.DecomposeResponse],
    ) -> AsyncIterator[decompose_pb2.DecomposeResponse]:
        """Stream the steps of planning, the graph last."""
        async with aclosing(self._tasks.decompose(from_request(request, DecomposeRequest))) as steps:
            async for step in steps:
                yield PLANNING.to_message(step)
