"""Speaks protobuf for `Turns`; every decision is theirs."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from gateway.convert import fill_event, references_message, supplied_message, turn_request
from gateway.principals import caller_of
from gateway.surroundings import Surroundings
from gateway.turns import Turns
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc


class GatewayServicer(gateway_pb2_grpc.GatewayServiceServicer):
    """The one door."""

    def __init__(self, turns: Turns, surroundings: Surroundings) -> None:
        self._turns = turns
        self._surroundings = surroundings

    async def SupplyQuestion(
        self, request: gateway_pb2.SupplyQuestionRequest, context: Any
    ) -> gateway_pb2.SupplyQuestionResponse:
        """Phase 1."""
        return supplied_message(await self._turns.supply(turn_request(request, caller_of(context))))

    async def Answer(
        self, request: gateway_pb2.AnswerRequest, context: Any
    ) -> AsyncIterator[gateway_pb2.AnswerResponse]:
        """Phase 2."""
        turn = self._turns.answer(request.question_id, request.request_id, caller_of(context))
        async with aclosing(turn) as events:
            async for event in events:
                response = gateway_pb2.AnswerResponse()
                fill_event(event, response.event)
                yield response

    async def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> AsyncIterator[gateway_pb2.AskResponse]:
        """Both phases."""
        async with aclosing(self._turns.ask(turn_request(request, caller_of(context)))) as events:
            async for event in events:
                response = gateway_pb2.AskResponse()
                fill_event(event, response.event)
                yield response

    async def GetReferences(
        self, request: gateway_pb2.GetReferencesRequest, context: Any
    ) -> gateway_pb2.GetReferencesResponse:
        """The numbers of the latest answer."""
        turn = await self._turns.conversations.answered(request.session_id, caller_of(context))
        return references_message(turn)

    async def GetServerInfo(
        self, request: gateway_pb2.GetServerInfoRequest, context: Any
    ) -> gateway_pb2.GetServerInfoResponse:
        """The suite."""
        return await self._surroundings.info()
