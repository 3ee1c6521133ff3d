"""The gRPC servicer around `Turns`; it contains no logic of its own."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeVar

from gateway.access.principals import caller_of
from gateway.calling.suite_status import SuiteStatus
from gateway.convert import references_message, supplied_question_message, turn_request, turn_state
from gateway.events.events import Event
from gateway.events.whole_turn import whole_turn
from gateway.turn.turns import Turns
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

R = TypeVar("R", gateway_pb2.AnswerResponse, gateway_pb2.AskResponse, gateway_pb2.ResumeResponse)
Events = Awaitable[AsyncGenerator[Event, None]]


class GatewayServicer(gateway_pb2_grpc.GatewayServiceServicer):
    """The service that clients call."""

    def __init__(self, turns: Turns, status: SuiteStatus) -> None:
        self._turns = turns
        self._status = status

    async def SupplyQuestion(
        self, request: gateway_pb2.SupplyQuestionRequest, context: Any
    ) -> gateway_pb2.SupplyQuestionResponse:
        """Run phase 1."""
        return supplied_question_message(await self._turns.supply(turn_request(request, caller_of(context))))

    def Answer(self, request: gateway_pb2.AnswerRequest, context: Any) -> AsyncIterator[gateway_pb2.AnswerResponse]:
        """Stream the events of phase 2."""
        turn = self._turns.answer(request.question_id, request.request_id, caller_of(context))
        return _responses(gateway_pb2.AnswerResponse, turn)

    def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> AsyncIterator[gateway_pb2.AskResponse]:
        """Stream the events of both phases."""
        turn = self._turns.ask(turn_request(request, caller_of(context)))
        return _responses(gateway_pb2.AskResponse, turn)

    def Resume(self, request: gateway_pb2.ResumeRequest, context: Any) -> AsyncIterator[gateway_pb2.ResumeResponse]:
        """Stream the events of a turn that the caller has not got yet."""
        turn = self._turns.resume(request.turn_id, request.after_seq, caller_of(context))
        return _responses(gateway_pb2.ResumeResponse, turn)

    async def Cancel(self, request: gateway_pb2.CancelRequest, context: Any) -> gateway_pb2.CancelResponse:
        """Cancel a turn."""
        state = await self._turns.cancel(request.turn_id, caller_of(context))
        return gateway_pb2.CancelResponse(state=turn_state(state))

    async def AnswerOnce(self, request: gateway_pb2.AnswerOnceRequest, context: Any) -> gateway_pb2.AnswerOnceResponse:
        """Run phase 2 and return the whole turn."""
        turn = self._turns.answer(request.answer.question_id, request.answer.request_id, caller_of(context))
        return gateway_pb2.AnswerOnceResponse(turn=await whole_turn(await turn))

    async def AskOnce(self, request: gateway_pb2.AskOnceRequest, context: Any) -> gateway_pb2.AskOnceResponse:
        """Run both phases and return the whole turn."""
        turn = self._turns.ask(turn_request(request.ask, caller_of(context)))
        return gateway_pb2.AskOnceResponse(turn=await whole_turn(await turn))

    async def GetReferences(
        self, request: gateway_pb2.GetReferencesRequest, context: Any
    ) -> gateway_pb2.GetReferencesResponse:
        """Return the passages behind the citation numbers of the latest answer."""
        turn = await self._turns.worker.conversations.latest_answered_turn(request.session_id, caller_of(context))
        return references_message(turn)

    async def GetServerInfo(
        self, request: gateway_pb2.GetServerInfoRequest, context: Any
    ) -> gateway_pb2.GetServerInfoResponse:
        """Return the status of the suite."""
        return await self._status.info()


async def _responses(response_of: Callable[[], R], turn: Events) -> AsyncIterator[R]:
    """Yield a turn's events, each in a response of its own."""
    async with aclosing(await turn) as events:
        async for event in events:
            response = response_of()
            response.event.MergeFromString(event.encoded)
            yield response
