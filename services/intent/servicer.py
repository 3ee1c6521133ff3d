"""The gRPC servicer of the intent stage: converts messages."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.stages.intent import UNDERSTAND_FIELDS, UnderstandRequest
from libs.contracts.wire.codec import to_message
from libs.contracts.wire.steps import StepCodec
from libs.servicing.requests import from_request
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from services.intent.tasks import IntentTasks

UNDERSTANDING: Final = StepCodec(intent_pb2.UnderstandResponse, UNDERSTAND_FIELDS)


class IntentServicer(intent_pb2_grpc.IntentServiceServicer):
    """Serves the stage's tasks."""

    def __init__(self, tasks: IntentTasks) -> None:
        self._tasks = tasks

    async def Understand(
        self,
        request: intent_pb2.UnderstandRequest,
        context: grpc.aio.ServicerContext[intent_pb2.UnderstandRequest, intent_pb2.UnderstandResponse],
    ) -> AsyncIterator[intent_pb2.UnderstandResponse]:
        """Stream the steps as they are produced, the result last."""
        async with aclosing(self._tasks.understand(from_request(request, UnderstandRequest))) as steps:
            async for step in steps:
                yield UNDERSTANDING.to_message(step)

    async def Judge(
        self,
        request: intent_pb2.JudgeRequest,
        context: grpc.aio.ServicerContext[intent_pb2.JudgeRequest, intent_pb2.JudgeResponse],
    ) -> intent_pb2.JudgeResponse:
        """Return only whether the question is refused."""
        return to_message(await self._tasks.judge(request.question), intent_pb2.JudgeResponse)
