"""The gRPC servicer of the answer stage: converts messages."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.stages.answer import WRITE_FIELDS, ExtractRequest, RecommendRequest, VerifyRequest, WriteRequest
from libs.contracts.wire.codec import to_message
from libs.contracts.wire.steps import StepCodec
from libs.servicing.requests import from_request
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from services.answer.tasks import AnswerTasks

WRITING: Final = StepCodec(answer_pb2.WriteResponse, WRITE_FIELDS)


class AnswerServicer(answer_pb2_grpc.AnswerServiceServicer):
    """Serves the stage's tasks."""

    def __init__(self, tasks: AnswerTasks) -> None:
        self._tasks = tasks

    async def Write(
        self,
        request: answer_pb2.WriteRequest,
        context: grpc.aio.ServicerContext[answer_pb2.WriteRequest, answer_pb2.WriteResponse],
    ) -> AsyncIterator[answer_pb2.WriteResponse]:
        """Stream the steps as they are produced, the result last."""
        async with aclosing(self._tasks.write(from_request(request, WriteRequest))) as steps:
            async for step in steps:
                yield WRITING.to_message(step)

    async def WriteOnce(
        self,
        request: answer_pb2.WriteOnceRequest,
        context: grpc.aio.ServicerContext[answer_pb2.WriteOnceRequest, answer_pb2.WriteOnceResponse],
    ) -> answer_pb2.WriteOnceResponse:
        """Return the content of `Write` as one response."""
        response = await self._tasks.write_once(from_request(request.write, WriteRequest, "write"))
        return to_message(response, answer_pb2.WriteOnceResponse)

    async def Extract(
        self,
        request: answer_pb2.ExtractRequest,
        context: grpc.aio.ServicerContext[answer_pb2.ExtractRequest, answer_pb2.ExtractResponse],
    ) -> answer_pb2.ExtractResponse:
        """Return a short answer to a sub-query."""
        response = await self._tasks.extract(from_request(request, ExtractRequest))
        return to_message(response, answer_pb2.ExtractResponse)

    async def Verify(
        self,
        request: answer_pb2.VerifyRequest,
        context: grpc.aio.ServicerContext[answer_pb2.VerifyRequest, answer_pb2.VerifyResponse],
    ) -> answer_pb2.VerifyResponse:
        """Return a citation with a verdict for each sentence."""
        response = await self._tasks.verify(from_request(request, VerifyRequest))
        return to_message(response, answer_pb2.VerifyResponse)

    async def Recommend(
        self,
        request: answer_pb2.RecommendRequest,
        context: grpc.aio.ServicerContext[answer_pb2.RecommendRequest, answer_pb2.RecommendResponse],
    ) -> answer_pb2.RecommendResponse:
        """Return follow-ups."""
        response = await self._tasks.recommend(from_request(request, RecommendRequest))
        return to_message(response, answer_pb2.RecommendResponse)
