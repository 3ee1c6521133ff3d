"""The gRPC servicer around `Turns`; it contains no logic of its own.

Phase 1 understands a question, phase 2 answers it. The server maps the ParleyError that an RPC raises to a status.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from gateway.access.principals import caller_of
from gateway.calling.suite_status import SuiteStatus
from gateway.convert import turn_request
from gateway.events.events import Event
from gateway.events.whole_turn import whole_turn
from gateway.turn.turns import Turns
from libs.contracts.wire.codec import to_message
from parley.gateway.v1 import gateway_pb2 as pb
from parley.gateway.v1 import gateway_pb2_grpc
from parley.retrieve.v1 import inference_pb2

R = TypeVar("R", pb.AnswerResponse, pb.AskResponse, pb.ResumeResponse)
Events = Awaitable[AsyncGenerator[Event, None]]


@dataclass(frozen=True, slots=True)
class GatewayServicer(gateway_pb2_grpc.GatewayServiceServicer):
    """The service that clients call."""

    turns: Turns
    status: SuiteStatus
    inference: Any
    """Servicer of the InferenceService."""

    async def SupplyQuestion(self, request: pb.SupplyQuestionRequest, context: Any) -> pb.SupplyQuestionResponse:
        """Run phase 1."""
        supplied = await self.turns.supply(turn_request(request, caller_of(context)))
        return to_message(supplied, pb.SupplyQuestionResponse)

    def Answer(self, request: pb.AnswerRequest, context: Any) -> AsyncIterator[pb.AnswerResponse]:
        """Stream the events of phase 2."""
        turn = self.turns.answer(request.question_id, request.request_id, caller_of(context))
        return _responses(pb.AnswerResponse, turn)

    def Ask(self, request: pb.AskRequest, context: Any) -> AsyncIterator[pb.AskResponse]:
        """Stream the events of both phases."""
        turn = self.turns.ask(turn_request(request, caller_of(context)))
        return _responses(pb.AskResponse, turn)

    def Resume(self, request: pb.ResumeRequest, context: Any) -> AsyncIterator[pb.ResumeResponse]:
        """Stream the events of a turn that the caller has not got yet."""
        turn = self.turns.resume(request.turn_id, request.after_seq, caller_of(context))
        return _responses(pb.ResumeResponse, turn)

    async def Cancel(self, request: pb.CancelRequest, context: Any) -> pb.CancelResponse:
        """Cancel a turn."""
        state = await self.turns.cancel(request.turn_id, caller_of(context))
        return pb.CancelResponse(state=pb.TurnState.Value(f"TURN_STATE_{state.value}"))

    async def AnswerOnce(self, request: pb.AnswerOnceRequest, context: Any) -> pb.AnswerOnceResponse:
        """Run phase 2 and return the whole turn."""
        turn = self.turns.answer(request.answer.question_id, request.answer.request_id, caller_of(context))
        return pb.AnswerOnceResponse(turn=await whole_turn(await turn))

    async def AskOnce(self, request: pb.AskOnceRequest, context: Any) -> pb.AskOnceResponse:
        """Run both phases and return the whole turn."""
        turn = self.turns.ask(turn_request(request.ask, caller_of(context)))
        return pb.AskOnceResponse(turn=await whole_turn(await turn))

    async def GetReferences(self, request: pb.GetReferencesRequest, context: Any) -> pb.GetReferencesResponse:
        """Return the passages behind the citation numbers of the latest answer."""
        turn = await self.turns.worker.conversations.latest_answered_turn(request.session_id, caller_of(context))
        response = pb.GetReferencesResponse(question=turn.question, turn_id=turn.question_id)
        for reference in sorted(turn.references, key=lambda reference: reference.number):
            passage = reference.evidence.passage
            response.passages.add(number=reference.number, passage_id=passage.passage_id, collection=passage.collection)
        return response

    async def EmbedTexts(self, request: pb.EmbedTextsRequest, context: Any) -> pb.EmbedTextsResponse:
        """Embed texts."""
        texts = inference_pb2.EmbedRequest(texts=request.texts, kind=request.kind)
        response = await self.inference.Embed(texts, context)
        return pb.EmbedTextsResponse(model=response.model, width=response.width, embeddings=response.embeddings)

    async def GetServerInfo(self, request: pb.GetServerInfoRequest, context: Any) -> pb.GetServerInfoResponse:
        """Return the status of the suite."""
        return await self.status.info()


async def _responses(response_of: Callable[[], R], turn: Events) -> AsyncIterator[R]:
    """Yield a turn's events, each in a response of its own."""
    async with aclosing(await turn) as events:
        async for event in events:
            response = response_of()
            response.event.MergeFromString(event.encoded)
            yield response
