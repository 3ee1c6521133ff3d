"""Turns as server-sent events: the gateway's events by their names, with ids at which a broken stream goes on.

`POST /v1/turns` asks, and `GET /v1/turns/{turn_id}` follows a turn; both go on behind the event that the header
`last-event-id` names. `DELETE /v1/turns/{turn_id}` cancels one. What fails before the first event is an error with its
status, later the event `failed`. A client that goes away, or takes nothing, ends its stream, and the turn goes on for
a while, unless its request says that it is not resumable.
"""

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any, Final

import grpc
from google.protobuf.json_format import MessageToJson, ParseDict, ParseError
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from doors.bodies import MAX_REQUEST_BYTES, read_body
from doors.callers import Networks, caller_of, metadata_of
from doors.event_streams import ALIVE, HEADERS, MEDIA_TYPE, event, with_silences
from doors.failures import FAILURES, failure_body
from libs.runtime.calling.channel import stream, unary
from libs.runtime.errors import InvalidInput, ParleyError
from libs.runtime.limits.places import UnreadBytes
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

LAST_EVENT: Final = "last-event-id"
NAMES: Final = {"references": "ref_answer"}
"""Events that are named otherwise than in the contract."""
FAILED: Final = "failed"
"""`error` would be the event of a broken connection, in browsers."""
_UNKNOWN: Final = re.compile(r'no field named "(.*)" at "\w+\.?(.*)"')
"""What protobuf says of a field that a message has not: its name, and the path of the message."""
_PLACE: Final = re.compile(r" at \w+\.([\w.\[\]]+?)\.*$")
_OUTER: Final = re.compile(r"Failed to parse (\w+) field: ")


class Turns:
    """Asks, follows and cancels turns over the channel to the gateway; raises what FAILURES answers.

    Args:
        unread: counts what clients have not taken yet.
        proxies: networks of the proxies that are believed about callers.
    """

    def __init__(self, channel: grpc.aio.Channel, unread: UnreadBytes, proxies: Networks) -> None:
        self._stub: Any = gateway_pb2_grpc.GatewayServiceStub(channel)
        self._unread = unread
        self._proxies = proxies

    def routes(self) -> Sequence[BaseRoute]:
        """Its routes."""
        failures = [Middleware(ExceptionMiddleware, handlers=FAILURES)]
        turn = "/v1/turns/{turn_id}"
        return (
            Route("/v1/turns", self.ask, methods=["POST"], middleware=failures),
            Route(turn, self.follow, methods=["GET"], middleware=failures),
            Route(turn, self.cancel, methods=["DELETE"], middleware=failures),
        )

    async def ask(self, request: Request) -> Response:
        """Stream a new turn, or the one that the header names from there on."""
        ask = ask_of(await read_body(request.scope, request.receive, MAX_REQUEST_BYTES))
        place = place_of(request.headers.get(LAST_EVENT, ""))
        return await self._streamed(request, self._stub.Resume if place else self._stub.Ask, place or ask)

    async def follow(self, request: Request) -> Response:
        """Stream the events of a turn that the client has not got."""
        turn = gateway_pb2.ResumeRequest(turn_id=request.path_params["turn_id"])
        place = place_of(request.headers.get(LAST_EVENT, ""))
        return await self._streamed(request, self._stub.Resume, place or turn)

    async def cancel(self, request: Request) -> Response:
        """Cancel a turn."""
        turn = gateway_pb2.CancelRequest(turn_id=request.path_params["turn_id"])
        state = await unary(self._stub.Cancel, turn, metadata=metadata_of(request.scope))
        return Response(MessageToJson(state, indent=None), media_type="application/json")

    async def _streamed(self, request: Request, method: Any, message: Any) -> Response:
        """The response to a call; nothing to come is 204, which tells a browser not to ask again."""
        events = self._events(request, method, message)
        first = await anext(events, None)
        if first is None:
            return Response(status_code=204)
        return StreamingResponse(_sent(_joined(first, events)), media_type=MEDIA_TYPE, headers=HEADERS)

    async def _events(self, request: Request, method: Any, message: Any) -> AsyncGenerator[str, None]:
        caller = caller_of(request.scope, self._proxies)
        async with aclosing(stream(method, message, metadata=metadata_of(request.scope))) as responses:
            async for response in responses:
                text = event_text(response.event)
                with self._unread.held(caller, len(text)):
                    yield text
                    yield ""  # uvicorn waits for a client before it takes more, not after


def ask_of(content: bytes) -> gateway_pb2.AskRequest:
    """Read a body; the turn is resumable unless it says otherwise.

    Raises:
        InvalidInput: it is no request; names the field at fault.
    """
    try:
        fields = json.loads(content)
        if not isinstance(fields, dict):
            raise InvalidInput("", "The body must be a JSON object.")
        ask = ParseDict(fields, gateway_pb2.AskRequest())
    except ParseError as error:
        raise InvalidInput(*violation_of(str(error))) from None
    except (ValueError, RecursionError):
        raise InvalidInput("", "The body is not valid JSON.") from None
    options = fields.get("options") or {}
    ask.options.resumable = options.get("resumable") is not False
    return ask


def violation_of(complaint: str) -> tuple[str, str]:
    """The path of the field that protobuf complains about, and what is wrong with it."""
    if unknown := _UNKNOWN.search(complaint):
        name, path = unknown.groups()
        return f"{path}.{name}" if path else name, "There is no such field."
    place, outer = _PLACE.search(complaint), _OUTER.findall(complaint)
    reason = _PLACE.sub("", _OUTER.sub("", complaint)).rstrip(".")
    return place[1] if place else ".".join(outer), reason


def place_of(event_id: str) -> gateway_pb2.ResumeRequest | None:
    """What comes behind an event; None if none is named.

    Raises:
        InvalidInput: it is no id of an event.
    """
    if not event_id:
        return None
    turn_id, _, seq = event_id.rpartition("/")
    if not (turn_id and seq.isascii() and seq.isdigit() and len(seq) < 10):  # of 32 bits
        raise InvalidInput(LAST_EVENT, "It is no id of an event.")
    return gateway_pb2.ResumeRequest(turn_id=turn_id, after_seq=int(seq))


def event_text(message: event_pb2.Event) -> str:
    """An event of a turn as a server-sent one."""
    name = message.WhichOneof("event") or ""
    content = MessageToJson(
        message, indent=None, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return event(content, NAMES.get(name, name), f"{message.turn_id}/{message.seq}")


async def _joined(first: str, others: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    async with aclosing(others):
        yield first
        async for each in others:
            yield each


async def _sent(events: AsyncIterator[str]) -> AsyncIterator[str]:
    """The events with signs of life; a failure is the last one."""
    try:
        async for each in with_silences(events):
            yield ALIVE if each is None else each
    except ParleyError as error:
        yield event(json.dumps(failure_body(error), ensure_ascii=False), FAILED)
