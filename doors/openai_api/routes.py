"""OpenAI's chat completions, responses, embeddings and models, over the gateway's RPCs and with its authentication.

The header `x-parley-session` names a session that the suite keeps; without it the messages of a chat completion are the
conversation, and nothing is stored. Failures become OpenAI's error body; ClientDisconnect alone is raised.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, Final, TypeVar

import grpc
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from doors.answer_data import Json
from doors.bodies import MAX_REQUEST_BYTES, read_body, until_disconnected
from doors.callers import metadata_of
from doors.event_streams import HEADERS, MEDIA_TYPE
from doors.openai_api.chat_request import MODEL, ChatRequest, ResponseRequest, UnusableRequest, body_of
from doors.openai_api.completions import Completion, ModelResponse
from doors.openai_api.embeddings import MAX_BYTES, EmbeddingRequest
from doors.openai_api.failures import FAILURES
from doors.openai_api.streams import pieces, sent
from doors.suite import Suite
from parley.client import calls
from parley.client.turns import AsyncTurn
from parley.gateway.v1 import gateway_pb2

T = TypeVar("T")

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
SESSION: Final = "x-parley-session"
UNUSED: Final = "x-parley-unused"
"""Names what of the request had no effect."""


def openai_routes(channel: grpc.aio.Channel) -> Sequence[BaseRoute]:
    """The routes, over the channel to the gateway."""
    api = OpenAiApi(channel)
    failures = [Middleware(ExceptionMiddleware, handlers=FAILURES)]
    return (
        Route("/v1/chat/completions", api.complete, methods=["POST"], middleware=failures),
        Route("/v1/responses", api.respond, methods=["POST"], middleware=failures),
        Route("/v1/embeddings", api.embed, methods=["POST"], middleware=failures),
        Route("/v1/models", api.models, methods=["GET"], middleware=failures),
        Route("/v1/models/{model:path}", api.model, methods=["GET"], middleware=failures),
        Route("/v1/{path:path}", unknown, methods=METHODS, middleware=failures),
    )


class OpenAiApi:
    """Answers requests by turns and calls of the suite; raises what FAILURES answers."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def complete(self, request: Request) -> Response:
        """Answer a chat completion, as a stream or whole."""
        chat = body_of(await read_body(request.scope, request.receive, MAX_REQUEST_BYTES), ChatRequest)
        session_id = request.headers.get(SESSION, "")
        question = chat.question(session_id)
        form = Completion(chat.model, question, chat.stream_options.include_usage)
        return await self._answered(request, chat, question, form)

    async def respond(self, request: Request) -> Response:
        """Answer a response, as a stream or whole."""
        chat = body_of(await read_body(request.scope, request.receive, MAX_REQUEST_BYTES), ResponseRequest)
        question = chat.question(chat.session())
        return await self._answered(request, chat, question, ModelResponse(question.session_id, chat.model, question))

    async def embed(self, request: Request) -> Response:
        """Embed texts; a large response is written in a thread."""
        texts = body_of(await read_body(request.scope, request.receive, MAX_BYTES), EmbeddingRequest)
        embedded = await _unless_left(self._suite(request).run(texts.call()), request)
        return await asyncio.to_thread(lambda: JSONResponse(texts.response(embedded)))

    async def models(self, request: Request) -> Response:
        """List the models: the suite over its default collection, and over each other one that the caller sees."""
        names = await self._model_names(request)
        return JSONResponse({"object": "list", "data": [_model(name) for name in names]})

    async def model(self, request: Request) -> Response:
        """Describe a model."""
        name = request.path_params["model"]
        if name not in await self._model_names(request):
            raise UnusableRequest(f"There is no model {name!r}.", "model", "model_not_found", 404)
        return JSONResponse(_model(name))

    async def _answered(
        self, request: Request, chat: ChatRequest, question: gateway_pb2.AskRequest, form: Completion | ModelResponse
    ) -> Response:
        turn = self._suite(request).ask(question)
        headers = _headers(question.session_id, chat)
        if chat.stream:
            return await _streamed(turn, form, headers)
        answer = await _unless_left(turn.answer(), request)
        return JSONResponse(form.whole(answer, answer.text), headers=headers)

    async def _model_names(self, request: Request) -> list[str]:
        collections = await self._suite(request).run(calls.list_collections())
        return [MODEL, *(f"{MODEL}/{each.name}" for each in collections if each.name != "default")]

    def _suite(self, request: Request) -> Suite:
        return Suite(self._channel, metadata_of(request.scope))


async def unknown(request: Request) -> Response:
    """Say that this part of OpenAI's API is not served."""
    served = "POST /v1/chat/completions, POST /v1/responses, POST /v1/embeddings and GET /v1/models"
    message = f"{request.method} {request.url.path} is not served here, only {served}."
    raise UnusableRequest(message, code="unknown_url", status=404)


async def _unless_left(answer: Coroutine[Any, Any, T], request: Request) -> T:
    """Wait for an answer; a client that goes away cancels its turn or call."""
    answering = asyncio.ensure_future(answer)
    leaving = asyncio.ensure_future(until_disconnected(request.receive))
    try:
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            raise ClientDisconnect
        return answering.result()
    finally:
        answering.cancel()
        leaving.cancel()
        await asyncio.wait((answering, leaving))


async def _streamed(turn: AsyncTurn, form: Completion | ModelResponse, headers: dict[str, str]) -> Response:
    """Stream a turn; what fails before its first event is an error with its status.

    Raises:
        ParleyError: the turn failed at once.
    """
    events = aiter(turn)
    first = await anext(events)
    content = sent(pieces(turn, first, events, form))
    return StreamingResponse(content, media_type=MEDIA_TYPE, headers={**HEADERS, **headers})


def _headers(session_id: str, chat: ChatRequest) -> dict[str, str]:
    headers = {SESSION: session_id, UNUSED: ", ".join(chat.unused)}
    return {name: value for name, value in headers.items() if value}


def _model(name: str) -> Json:
    return {"id": name, "object": "model", "created": 0, "owned_by": "parley"}
