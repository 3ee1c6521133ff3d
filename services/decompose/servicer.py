"""Translates between protobuf and `Decomposer`; contains no decision logic."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.usage import Degraded, Progress
from libs.contracts.wire.codec import from_message, message_with, to_message
from libs.llm.offered import ByModel
from parley.decompose.v1 import decompose_pb2, decompose_pb2_grpc
from services.decompose.decomposer import Decomposer
from services.decompose.prepare_llm import PlanVerdict
from services.decompose.requests import CondenseRequest
from services.decompose.steps import Condensed, CondenseStep, Planned, Step


class DecomposeServicer(decompose_pb2_grpc.DecomposeServiceServicer):
    """Serves a default decomposer, and one for each model that a request may name."""

    def __init__(self, decomposers: ByModel[Decomposer]) -> None:
        self._decomposers = decomposers

    async def Condense(
        self,
        request: decompose_pb2.CondenseRequest,
        context: grpc.aio.ServicerContext[decompose_pb2.CondenseRequest, decompose_pb2.CondenseResponse],
    ) -> decompose_pb2.CondenseResponse:
        """Return the decision record."""
        condensed = await self._decomposers.of(request.model).condense(from_message(request, CondenseRequest))
        return to_message(condensed, decompose_pb2.CondenseResponse)

    async def CondenseInSteps(
        self,
        request: decompose_pb2.CondenseInStepsRequest,
        context: grpc.aio.ServicerContext[decompose_pb2.CondenseInStepsRequest, decompose_pb2.CondenseInStepsResponse],
    ) -> AsyncIterator[decompose_pb2.CondenseInStepsResponse]:
        """Stream the rules' record, the model's verdict and its sub-queries if a model is asked; then the result."""
        asked = from_message(request.condense, CondenseRequest)
        steps = self._decomposers.of(request.condense.model).condense_in_steps(asked, request.plan)
        async with aclosing(steps):
            async for step in steps:
                yield _condense_response(step)

    async def Decompose(
        self,
        request: decompose_pb2.DecomposeRequest,
        context: grpc.aio.ServicerContext[decompose_pb2.DecomposeRequest, decompose_pb2.DecomposeResponse],
    ) -> AsyncIterator[decompose_pb2.DecomposeResponse]:
        """Stream the steps of planning, the graph last."""
        record = from_message(request.record, DecisionRecord) if request.HasField("record") else None
        steps = self._decomposers.own.decompose(request.question, record, _scene(request.scene))
        async with aclosing(steps):
            async for step in steps:
                yield _response(step)


_CONDENSE_STEPS: Final[Mapping[type, str]] = {
    DecisionRecord: "by_rules",
    PlanVerdict: "verdict",
    QueryGraph: "graph",
    Condensed: "result",
}


def _condense_response(step: CondenseStep) -> decompose_pb2.CondenseInStepsResponse:
    return message_with(decompose_pb2.CondenseInStepsResponse, _CONDENSE_STEPS[type(step)], step)


def _scene(number: decompose_pb2.Scene.ValueType) -> Scene:
    return Scene(decompose_pb2.Scene.Name(number).removeprefix("SCENE_"))


_STEPS: Final[Mapping[type, str]] = {Progress: "state", Degraded: "degraded", Planned: "result"}


def _response(step: Step) -> decompose_pb2.DecomposeResponse:
    return message_with(decompose_pb2.DecomposeResponse, _STEPS[type(step)], step)
