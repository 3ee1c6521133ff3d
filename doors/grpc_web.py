"""gRPC-Web: a call of the gateway in one HTTP request; messages pass as they are.

The request has one message; the response has all messages and, as the last frame, the trailers with status, message
and details. Both may be in base64 (`application/grpc-web-text`). A client that goes away cancels the call.
"""

import asyncio
import base64
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any, Final, cast
from urllib.parse import quote

import grpc
from google.protobuf.descriptor import MethodDescriptor
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from doors.bodies import MAX_REQUEST_BYTES, BodyTooLarge, read_body, until_disconnected
from doors.callers import Networks, caller_of, metadata_of
from libs.runtime.errors import Cancelled, InvalidInput, NotSupported, Overloaded, ParleyError, Unavailable
from libs.runtime.limits.places import UnreadBytes
from libs.runtime.status import DETAILS_KEY, code_of, status_of, trailers_of

DATA: Final = 0x00
COMPRESSED: Final = 0x01
TRAILERS: Final = 0x80
"""Flags of a frame, by the protocol of gRPC-Web."""
HEAD_BYTES: Final = 5  # the flags and a length of four bytes


class BadFrame(Exception):  # noqa: N818 - it names what is wrong
    """The request is not one whole message; the text says why, for people."""


def frame(flags: int, content: bytes) -> bytes:
    """A frame: its head and its content."""
    return bytes((flags,)) + len(content).to_bytes(4, "big") + content


def single_message(body: bytes) -> bytes:
    """The one message of a request.

    Raises:
        BadFrame: the body is not exactly one uncompressed frame of data.
    """
    if len(body) < HEAD_BYTES:
        raise BadFrame("The request ends before its message.")
    if body[0] & COMPRESSED:
        raise BadFrame("The message is compressed, which is not supported.")
    if body[0] != DATA:
        raise BadFrame("The request does not begin with a message.")
    length = int.from_bytes(body[1:HEAD_BYTES], "big")
    if len(body) != HEAD_BYTES + length:
        raise BadFrame("The request has not exactly one message of the length that it states.")
    return body[HEAD_BYTES:]


CONTENT_TYPE: Final = "application/grpc-web"
UNITS: Final = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
"""Seconds of each unit of a grpc-timeout."""
MAX_SECONDS: Final = 365 * 24 * 3600.0
"""Longest timeout of a call; gRPC takes one of a thousand years for one that has passed."""
UNREACHABLE: Final = "No gateway answers. Start the suite (`parley up`), or wait until it is up again."

Trailers = Iterable[tuple[str, str | bytes]]


class GrpcWeb:
    """One method of the gateway, as an ASGI application.

    Args:
        path: `/package.Service/Method`.
        unread: counts what clients have not taken yet.
        proxies: networks of the proxies that are believed about callers.
    """

    def __init__(
        self, channel: grpc.aio.Channel, path: str, method: MethodDescriptor, unread: UnreadBytes, proxies: Networks
    ) -> None:
        self._unread = unread
        self._proxies = proxies
        self._streams_requests = method.client_streaming
        # One response is a stream of one: the wire is the same.
        self._start = channel.unary_stream(path, request_serializer=_as_is, response_deserializer=_as_is)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request (ASGI), on the event loop; failures of the call become trailers."""
        content_type = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
        if not content_type.startswith(CONTENT_TYPE):
            await PlainTextResponse(f"Send {CONTENT_TYPE}.\n", 415)(scope, receive, send)
            return
        is_text = content_type.startswith(f"{CONTENT_TYPE}-text")
        try:
            body = await read_body(scope, receive, MAX_REQUEST_BYTES * (4 if is_text else 3) // 3)  # base64
        except BodyTooLarge as error:
            await PlainTextResponse(f"The request has more than {error.max_bytes:,} bytes.\n", 413)(
                scope, receive, send
            )
            return
        response = self._frames(scope, _decoded(body) if is_text else body)
        headers = [(b"content-type", content_type.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await _send_unless_disconnected(response, is_text, receive, send)

    async def _frames(self, scope: Scope, body: bytes) -> AsyncIterator[bytes]:
        """Yield the frames of the response."""
        try:
            if self._streams_requests:
                raise NotSupported("Streams of requests need gRPC; a browser cannot send them.")
            message = single_message(body)
            timeout = timeout_of(Headers(scope=scope).get("grpc-timeout", ""))
        except BadFrame as error:
            yield _trailers_of_error(InvalidInput("", str(error), "MESSAGE_UNDECODABLE"))
        except ParleyError as error:
            yield _trailers_of_error(error)
        else:
            async with aclosing(self._call(scope, message, timeout)) as frames:
                async for each in frames:
                    yield each

    async def _call(
        self,
        scope: Scope,
        message: bytes,
        timeout: float | None,  # noqa: ASYNC109 - the call's deadline
    ) -> Any:
        caller = caller_of(scope, self._proxies)
        call = self._start(message, metadata=metadata_of(scope), timeout=timeout)
        try:
            while (response := await call.read()) is not grpc.aio.EOF:
                with self._unread.held(caller, len(cast(bytes, response))):
                    yield frame(DATA, cast(bytes, response))
                    yield b""  # uvicorn waits for a client before it takes more, not after
            yield _trailers(await call.code(), await call.details(), await call.trailing_metadata())
        except Overloaded as error:
            yield _trailers_of_error(error)
        except grpc.aio.AioRpcError as error:
            yield _trailers_of_failure(error)
        finally:
            call.cancel()


def timeout_of(value: str) -> float | None:
    """The seconds of a header grpc-timeout, such as "1500m"; at most 8 digits, by gRPC's protocol; None if empty.

    Raises:
        InvalidInput: it is malformed.
    """
    if not value:
        return None
    digits, unit = value[:-1], value[-1]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 8 and unit in UNITS):
        raise InvalidInput("grpc-timeout", "must be up to eight digits and a unit, such as 30S")
    return min(int(digits) * UNITS[unit], MAX_SECONDS)


async def _send_unless_disconnected(frames: Any, is_text: bool, receive: Receive, send: Send) -> None:
    sending = asyncio.create_task(_send_all(frames, is_text, send))
    leaving = asyncio.create_task(until_disconnected(receive))
    try:
        await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if sending.done():
            sending.result()
    finally:
        for task in (sending, leaving):
            task.cancel()
        await asyncio.gather(sending, leaving, return_exceptions=True)


async def _send_all(frames: Any, is_text: bool, send: Send) -> None:
    async with aclosing(frames):
        async for each in frames:
            content = base64.b64encode(each) if is_text else each
            await send({"type": "http.response.body", "body": content, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _trailers_of_failure(error: grpc.aio.AioRpcError) -> bytes:
    trailers = error.trailing_metadata() or ()
    has_details = any(key == DETAILS_KEY for key, _ in trailers)
    if error.code() is grpc.StatusCode.UNAVAILABLE and not has_details:
        return _trailers_of_error(Unavailable("STAGE_UNAVAILABLE", UNREACHABLE, 1.0))  # retry after 1 s
    if error.code() is grpc.StatusCode.CANCELLED and not has_details:
        return _trailers_of_error(Cancelled())
    return _trailers(error.code(), error.details() or "", trailers)


def _trailers_of_error(error: ParleyError) -> bytes:
    return _trailers(code_of(error), error.message, trailers_of(error, status_of(error)))


def _trailers(code: grpc.StatusCode, message: str, trailers: Trailers) -> bytes:
    """The last frame: the status, and the trailing metadata, binary values in base64."""
    lines = [f"grpc-status: {code.value[0]}", f"grpc-message: {quote(message, safe=' ')}"]
    for key, value in trailers:
        text = base64.b64encode(value).decode().rstrip("=") if isinstance(value, bytes) else value
        lines.append(f"{key}: {text}")
    return frame(TRAILERS, "".join(f"{line}\r\n" for line in lines).encode("ascii", "replace"))


def _decoded(body: bytes) -> bytes:
    """The bytes of a text; those of a damaged one are of no frame either."""
    try:
        return base64.b64decode(body)
    except ValueError:
        return b""


def _as_is(message: bytes) -> bytes:
    return message
