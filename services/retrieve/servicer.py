"""The gRPC servicer of `Retriever`; it makes no decisions of its own."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Final

import grpc

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import QueryGraph, WeightedQuery
from libs.contracts.usage import Degraded
from libs.contracts.wire.codec import from_message, message_with, to_message
from parley.context.v1 import usage_pb2
from parley.retrieve.v1 import retrieve_pb2, retrieve_pb2_grpc
from services.retrieve.recall import recall_graph
from services.retrieve.retrieval import Gauged, RetrievePartial, RetrieveResult, Step
from services.retrieve.retriever import Retriever
from services.retrieve.sources.ranges import RangeDetector


class RetrieveServicer(retrieve_pb2_grpc.RetrieveServiceServicer):
    """Serves one retriever."""

    def __init__(self, retriever: Retriever, ranges: RangeDetector) -> None:
        self._retriever = retriever
        self._ranges = ranges

    async def Retrieve(
        self,
        request: retrieve_pb2.RetrieveRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.RetrieveRequest, retrieve_pb2.RetrieveResponse],
    ) -> AsyncIterator[retrieve_pb2.RetrieveResponse]:
        """The steps as they arrive, the result last."""
        query = from_message(request.query, WeightedQuery)
        options = from_message(request.options, RetrieveOptions)
        yield retrieve_pb2.RetrieveResponse(state=usage_pb2.Progress(activity="searches"))
        async with aclosing(self._retriever.retrieve(query, options)) as steps:
            async for step in steps:
                yield _response(step)

    async def RecallGraph(
        self,
        request: retrieve_pb2.RecallGraphRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.RecallGraphRequest, retrieve_pb2.RecallGraphResponse],
    ) -> retrieve_pb2.RecallGraphResponse:
        """Evidence for every graph node."""
        graph = from_message(request.graph, QueryGraph)
        options = from_message(request.options, RetrieveOptions)
        return to_message(await recall_graph(self._retriever, graph, options), retrieve_pb2.RecallGraphResponse)

    async def GaugeQuestions(
        self,
        request: retrieve_pb2.GaugeQuestionsRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.GaugeQuestionsRequest, retrieve_pb2.GaugeQuestionsResponse],
    ) -> retrieve_pb2.GaugeQuestionsResponse:
        """The relevance of the best passage for each question."""
        options = from_message(request.options, RetrieveOptions)
        gauged = Gauged(await self._retriever.gauge(list(request.questions), options))
        return to_message(gauged, retrieve_pb2.GaugeQuestionsResponse)

    async def DetectRange(
        self,
        request: retrieve_pb2.DetectRangeRequest,
        context: grpc.aio.ServicerContext[retrieve_pb2.DetectRangeRequest, retrieve_pb2.DetectRangeResponse],
    ) -> retrieve_pb2.DetectRangeResponse:
        """Detect the range from the question's wording; dates are relative to the request's time, or else to now."""
        now = request.now.ToDatetime(UTC) if request.HasField("now") else datetime.now(UTC)
        return to_message(self._ranges.detect(request.question, now), retrieve_pb2.DetectRangeResponse)


_STEPS: Final[Mapping[type, str]] = {Degraded: "degraded", RetrievePartial: "partial", RetrieveResult: "result"}


def _response(step: Step) -> retrieve_pb2.RetrieveResponse:
    return message_with(retrieve_pb2.RetrieveResponse, _STEPS[type(step)], step)
