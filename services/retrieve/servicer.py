"""The gRPC servicer of the retrieve stage: converts messages."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import QueryGraph
from libs.contracts.stages.retrieve import (
    RETRIEVE_FIELDS,
    DetectRangeRequest,
    GaugeQuestionsRequest,
    RetrieveRequest,
)
from libs.contracts.wire.codec import to_message
from libs.contracts.wire.steps import StepCodec
from libs.servicing.requests import from_request
from parley.retrieve.v1 import retrieve_pb2, retrieve_pb2_grpc
from services.retrieve.tasks import RetrieveTasks

RETRIEVING: Final = StepCodec(retrieve_pb2.RetrieveResponse, RETRIEVE_FIELDS)


class RetrieveServicer(retrieve_pb2_grpc.RetrieveServiceServicer):
    """Serves the stage's tasks."""

    def __init__(self, tasks: RetrieveTasks) -> None:
        self._tasks = tasks

    async def Retrieve(
        self,
        request: retrieve_pb2.RetrieveRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.RetrieveRequest, retrieve_pb2.RetrieveResponse],
    ) -> AsyncIterator[retrieve_pb2.RetrieveResponse]:
        """The steps as they arrive, the result last."""
        async with aclosing(self._tasks.retrieve(from_request(request, RetrieveRequest))) as steps:
            async for step in steps:
                yield RETRIEVING.to_message(step)

    async def RecallGraph(
        self,
        request: retrieve_pb2.RecallGraphRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.RecallGraphRequest, retrieve_pb2.RecallGraphResponse],
    ) -> retrieve_pb2.RecallGraphResponse:
        """Evidence for every graph node."""
        graph, options = (
            from_request(request.graph, QueryGraph, "graph"),
            from_request(request.options, RetrieveOptions, "options"),
        )
        return to_message(await self._tasks.recall_graph(graph, options), retrieve_pb2.RecallGraphResponse)

    async def GaugeQuestions(
        self,
        request: retrieve_pb2.GaugeQuestionsRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.GaugeQuestionsRequest, retrieve_pb2.GaugeQuestionsResponse],
    ) -> retrieve_pb2.GaugeQuestionsResponse:
        """The relevance of the best passage for each question."""
        response = await self._tasks.gauge_questions(from_request(request, GaugeQuestionsRequest))
        return to_message(response, retrieve_pb2.GaugeQuestionsResponse)

    async def DetectRange(
        self,
        request: retrieve_pb2.DetectRangeRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.DetectRangeRequest, retrieve_pb2.DetectRangeResponse],
    ) -> retrieve_pb2.DetectRangeResponse:
        """Detect the range from the question's wording; dates are relative to the request's time, or else to now."""
        response = await self._tasks.detect_range(from_request(request, DetectRangeRequest))
        return to_message(response, retrieve_pb2.DetectRangeResponse)
