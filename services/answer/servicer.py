"""The gRPC servicer of the answer stage: converts messages and delegates all decisions."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.answers import Citation, PlacedImage, TextDelta
from libs.contracts.usage import Degraded, Progress
from libs.contracts.wire.codec import from_message, message_with, to_message
from libs.llm.offered import ByModel
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.context.v1 import answer_pb2 as context_answer_pb2
from services.answer import requests, steps
from services.answer.extract import extract_answer
from services.answer.outside import verify_outside
from services.answer.recommend import recommend
from services.answer.settings import AnswerSettings
from services.answer.write import Writer

_STEPS: Final[Mapping[type, str]] = {
    Progress: "state",
    Degraded: "degraded",
    TextDelta: "text",
    Citation: "citation",
    PlacedImage: "image",
    steps.Numbering: "numbering",
    steps.FollowUps: "follow_ups",
    steps.WriteResult: "result",
}


class AnswerServicer(answer_pb2_grpc.AnswerServiceServicer):
    """Serves all calls with one writer, plus one for each model that a call may name.

    Args:
        writers: the default writer and one per model.
        settings: limits for the other tasks.
    """

    def __init__(self, writers: ByModel[Writer], settings: AnswerSettings) -> None:
        self._writers = writers
        self._settings = settings

    async def Write(
        self,
        request: answer_pb2.WriteRequest,
        context: grpc.aio.ServicerContext[answer_pb2.WriteRequest, answer_pb2.WriteResponse],
    ) -> AsyncIterator[answer_pb2.WriteResponse]:
        """Stream the steps as they are produced, the result last."""
        writer = self._writers.of(request.model)
        async with aclosing(writer.write(from_message(request, requests.WriteRequest))) as written:
            async for step in written:
                yield _response(step)

    async def WriteOnce(
        self,
        request: answer_pb2.WriteOnceRequest,
        context: grpc.aio.ServicerContext[answer_pb2.WriteOnceRequest, answer_pb2.WriteOnceResponse],
    ) -> answer_pb2.WriteOnceResponse:
        """Return the content of `Write` as one response."""
        writer = self._writers.of(request.write.model)
        written = await writer.write_once(from_message(request.write, requests.WriteRequest))
        return to_message(written, answer_pb2.WriteOnceResponse)

    async def Extract(
        self,
        request: answer_pb2.ExtractRequest,
        context: grpc.aio.ServicerContext[answer_pb2.ExtractRequest, answer_pb2.ExtractResponse],
    ) -> answer_pb2.ExtractResponse:
        """Return a short answer to a sub-query."""
        wanted = from_message(request, requests.ExtractRequest)
        found = await asyncio.to_thread(extract_answer, wanted)
        return to_message(found, answer_pb2.ExtractResponse)

    async def Verify(
        self,
        request: answer_pb2.VerifyRequest,
        context: grpc.aio.ServicerContext[answer_pb2.VerifyRequest, answer_pb2.VerifyResponse],
    ) -> answer_pb2.VerifyResponse:
        """Return a citation with a verdict for each sentence."""
        citations = await asyncio.to_thread(verify_outside, from_message(request, requests.VerifyRequest))
        return answer_pb2.VerifyResponse(
            citations=[to_message(citation, context_answer_pb2.Citation) for citation in citations]
        )

    async def Recommend(
        self,
        request: answer_pb2.RecommendRequest,
        context: grpc.aio.ServicerContext[answer_pb2.RecommendRequest, answer_pb2.RecommendResponse],
    ) -> answer_pb2.RecommendResponse:
        """Return follow-ups."""
        wanted = from_message(request, requests.RecommendRequest)
        questions = await asyncio.to_thread(recommend, wanted, self._settings.recommendations)
        return answer_pb2.RecommendResponse(questions=questions)


def _response(step: steps.WriteStep) -> answer_pb2.WriteResponse:
    if isinstance(step, steps.Asked):
        return message_with(answer_pb2.WriteResponse, "asked", step.usage)
    return message_with(answer_pb2.WriteResponse, _STEPS[type(step)], step)
