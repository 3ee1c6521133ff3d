"""The gRPC servicer of the intent stage: converts messages and delegates all decisions to `Understander`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Final

import grpc

from libs.contracts.conversation import ConversationView
from libs.contracts.evidence import Evidence
from libs.contracts.options import Setting
from libs.contracts.query import DecisionRecord
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Progress
from libs.contracts.wire.codec import from_message, message_with, to_message
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from services.intent.question import Clock, Question, moment_of, system_clock
from services.intent.understand import Step, Understander, Understood, Verdict


class IntentServicer(intent_pb2_grpc.IntentServiceServicer):
    """Serves all calls with one understander."""

    def __init__(self, understander: Understander, clock: Clock = system_clock) -> None:
        self._understander = understander
        self._clock = clock

    async def Understand(
        self,
        request: intent_pb2.UnderstandRequest,
        context: grpc.aio.ServicerContext[intent_pb2.UnderstandRequest, intent_pb2.UnderstandResponse],
    ) -> AsyncIterator[intent_pb2.UnderstandResponse]:
        """Stream the steps as they are produced, the result last."""
        steps = self._understander.understand(_question(request, self._clock))
        async with aclosing(steps):
            async for step in steps:
                yield _response(step)

    async def Judge(
        self,
        request: intent_pb2.JudgeRequest,
        context: grpc.aio.ServicerContext[intent_pb2.JudgeRequest, intent_pb2.JudgeResponse],
    ) -> intent_pb2.JudgeResponse:
        """Return only whether the question is refused."""
        return to_message(await self._understander.judge(request.question), intent_pb2.JudgeResponse)


def _question(request: intent_pb2.UnderstandRequest, clock: Clock) -> Question:
    setting = from_message(request.setting, Setting)
    return Question(
        text=request.question,
        now=moment_of(setting, clock),
        record=from_message(request.record, DecisionRecord) if request.HasField("record") else None,
        view=from_message(request.view, ConversationView),
        probe=tuple(from_message(evidence, Evidence) for evidence in request.probe),
        place=setting.place,
        understood=from_message(request.understood, Understanding) if request.HasField("understood") else None,
    )


_STEPS: Final[Mapping[type, str]] = {
    Progress: "state",
    Degraded: "degraded",
    Understanding: "by_rules",
    Verdict: "verdict",
    Understood: "result",
}


def _response(step: Step) -> intent_pb2.UnderstandResponse:
    return message_with(intent_pb2.UnderstandResponse, _STEPS[type(step)], step)
