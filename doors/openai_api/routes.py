"""`POST /v1/chat/completions` and `GET /v1/models`, over the gateway's RPCs and with its authentication.

The header `x-parley-session` names a session that the suite keeps; without it the messages of the request are the
conversation, and nothing is stored. Failures become OpenAI's error body; ClientDisconnect alone is raised.
"""

import asyncio
import math
import secrets
from collections.abc import Sequence
from typing import Final

import grpc
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from doors.bodies import MAX_REQUEST_BYTES, BodyTooLarge, read_body, until_disconnected
from doors.callers import metadata_of
from doors.openai_api.chat_request import MODEL, ChatRequest, UnusableRequest, chat_request
from doors.openai_api.completions import (
    HTTP_STATUSES,
    Completion,
    Json,
    error_body,
    parley_error_body,
)
from doors.openai_api.streams import chunks, sent
from doors.suite import Suite
from parley.client import calls
from parley.client.answers import Answer
from parley.client.errors import ParleyError
from parley.client.turns import AsyncTurn

SESSION: Final = "x-parley-session"
UNUSED: Final = "x-parley-unused"
"""Names what of the request had no effect."""


def openai_routes(channel: grpc.aio.Channel) -> Sequence[BaseRoute]:
    """The routes, over the channel to the gateway."""
    api = ChatApi(channel)
    return (
        Route("/v1/chat/completions", api.complete, methods=["POST"]),
        Route("/v1/models", api.models, methods=["GET"]),
        Route("/v1/models/{model:path}", api.model, methods=["GET"]),
        Route("/v1/{path:path}", unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    )


class ChatApi:
    """Answers chat completions by turns of the suite."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def complete(self, request: Request) -> Response:
        """Answer a chat completion, as a stream or whole."""
        session_id = request.headers.get(SESSION, "")
        try:
            chat = chat_request(await read_body(request.scope, request.receive, MAX_REQUEST_BYTES))
            question = chat.question(session_id)
            turn = self._suite(request).ask(question)
            headers = _headers(session_id, chat)
            completion = Completion(f"chatcmpl-{secrets.token_hex(12)}", chat.model, question)  # 96 random bits (taste)
            if chat.stream:
                return await _streamed(turn, chat, completion, headers)
            answer = await _unless_left(turn, request)
        except BodyTooLarge as error:
            message = f"The body is larger than {error.max_bytes} bytes."
            return JSONResponse(error_body(message, "invalid_request_error"), 413)
        except UnusableRequest as error:
            body = error_body(error.message, "invalid_request_error", error.field, error.code)
            return JSONResponse(body, error.status)
        except ParleyError as error:
            return _failed(error)
        return JSONResponse(completion.whole(answer), headers=headers)

    async def models(self, request: Request) -> Response:
        """List the models: the suite over its default collection, and over each other one that the caller sees."""
        try:
            names = await self._model_names(request)
        except ParleyError as error:
            return _failed(error)
        return JSONResponse({"object": "list", "data": [_model(name) for name in names]})

    async def model(self, request: Request) -> Response:
        """Describe a model."""
        name = request.path_params["model"]
        try:
            is_known = name in await self._model_names(request)
        except ParleyError as error:
            return _failed(error)
        if not is_known:
            body = error_body(f"There is no model {name!r}.", "invalid_request_error", "model", "model_not_found")
            return JSONResponse(body, 404)
        return JSONResponse(_model(name))

    async def _model_names(self, request: Request) -> list[str]:
        collections = await self._suite(request).run(calls.list_collections())
        return [MODEL, *(f"{MODEL}/{each.name}" for each in collections if each.name != "default")]

    def _suite(self, request: Request) -> Suite:
        return Suite(self._channel, metadata_of(request.scope))


async def unknown(request: Request) -> Response:
    """Say that this part of OpenAI's API is not served."""
    served = "POST /v1/chat/completions and GET /v1/models"
    message = f"{request.method} {request.url.path} is not served here, only {served}."
    return JSONResponse(error_body(message, "invalid_request_error", code="unknown_url"), 404)


async def _unless_left(turn: AsyncTurn, request: Request) -> Answer:
    """Wait for the answer; a client that goes away cancels the turn."""
    answering = asyncio.ensure_future(turn.answer())
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


async def _streamed(turn: AsyncTurn, chat: ChatRequest, completion: Completion, headers: dict[str, str]) -> Response:
    """Stream a turn; what fails before its first event is an error with its status.

    Raises:
        ParleyError: the turn failed at once.
    """
    events = aiter(turn)
    first = await anext(events)
    content = sent(chunks(turn, first, events, chat, completion))
    headers = {"cache-control": "no-cache", "x-accel-buffering": "no", **headers}
    return StreamingResponse(content, media_type="text/event-stream", headers=headers)


def _failed(error: ParleyError) -> Response:
    status = HTTP_STATUSES.get(error.code, 500)
    headers = {} if error.retry_after is None else {"retry-after": str(math.ceil(error.retry_after))}
    return JSONResponse(parley_error_body(error), status, headers)


def _headers(session_id: str, chat: ChatRequest) -> dict[str, str]:
    headers = {SESSION: session_id, UNUSED: ", ".join(chat.unused)}
    return {name: value for name, value in headers.items() if value}


def _model(name: str) -> Json:
    return {"id": name, "object": "model", "created": 0, "owned_by": "parley"}
