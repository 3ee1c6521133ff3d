"""A method of a server: its deadline, the errors its callers get, and how its requests are read.

Requests are received, decoded and checked here, so that each failure gets a status of ours: gRPC's own decoding answers
undecodable bytes with UNKNOWN, and a call that ends without its message never.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from libs.runtime import deadline, errors
from libs.runtime.errors import InvalidInput, NotSupported, ParleyError, Unauthenticated
from libs.runtime.limits.hosts import host_of
from libs.runtime.serving.service import Gate, Service
from libs.runtime.serving.validation import Validation
from libs.runtime.storage import typed_error
from libs.runtime.threads import in_thread_unless

DEFAULT_DEADLINE_SECONDS: Final = 60.0
"""Deadline of a call whose caller sets none: a turn with a slow language model (taste)."""
MAX_DEADLINE_SECONDS: Final = 600.0
"""Longest deadline of a call that is not long-running: above the longest that our clients set (taste)."""
QUICK_BYTES: Final = 16_384
"""Longer messages are checked in a thread: one of 8 MB may have so many parts that it takes seconds (taste)."""
STREAM_FACTOR: Final = 10
"""So many times longer than for a request a call waits for the next message of a stream: the slowest ingest sends a
document after some files that took 120 s each and could not be read (taste)."""
INFRASTRUCTURE: Final = "/grpc."
"""Prefix of methods that are exempt from admission and default deadlines: health and reflection."""
UNKNOWN: Final = "/_OTHER"
"""What an unknown method is called: a caller's own names would be new metrics without end."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method as its calls need it."""

    path: str
    """`/package.Service/Method`."""
    service: Service
    behaviour: Callable[[Any, Any], Any]
    """The servicer's method."""
    request_type: type[Message]
    streams_requests: bool
    streams_responses: bool
    gate: Gate
    validation: Validation
    client_seconds: float
    """How long it waits for a request."""

    @property
    def name(self) -> str:
        """Its name within the service."""
        return self.path.rpartition("/")[2]

    @property
    def is_infrastructure(self) -> bool:
        """Whether it is exempt from admission and default deadlines."""
        return self.path.startswith(INFRASTRUCTURE)

    @property
    def is_long_running(self) -> bool:
        """Whether it has no default or longest deadline."""
        return self.name in self.service.long_running

    def seconds(self, caller_seconds: float | None) -> float | None:
        """Seconds a call may take: the caller's deadline, capped by the server's limit."""
        if self.is_infrastructure or self.is_long_running:
            return caller_seconds
        return min(DEFAULT_DEADLINE_SECONDS if caller_seconds is None else caller_seconds, MAX_DEADLINE_SECONDS)

    def outward(self, error: Exception) -> ParleyError:
        """The error that the caller gets: INTERNAL for unknown ones and for our own requests that a peer rejected."""
        if not isinstance(error, ParleyError):
            return typed_error(error)
        is_ours = isinstance(error, InvalidInput) and not self.service.relays
        refuses_us = isinstance(error, Unauthenticated) or error.reason == "CALLER_NOT_TRUSTED"
        return typed_error(error) if error.from_peer and (is_ours or refuses_us) else error

    async def request(self, context: Any) -> Any:
        """Let a call in, and read what the behaviour is called with: the call's message, or an iterator of messages.

        Raises:
            PermissionDenied, Unauthenticated: the gate does not accept the call or its message.
            InvalidInput: there is no message, it cannot be decoded, or it violates the contract.
            DeadlineExceeded: it does not come.
            QuotaExceeded, Overloaded: the caller may not make the call, or send the message, now.
        """
        await self.gate.admit(self.path, context)
        if (limits := self.service.limits) is not None:
            if limits.pace is not None:
                await limits.pace.take(limits.locate(context), host_of(context.peer()))
            limits.begin(self.name, context)
        if self.path == UNKNOWN:
            return None
        content = b"" if self.streams_requests else await _received(context, self.client_seconds)
        if content is grpc.aio.EOF:
            raise InvalidInput("", "The call ended without its request message.", "MESSAGE_MISSING")
        self.gate.check(self.path, context, content)
        return self._each(context) if self.streams_requests else await self._decoded(context, content)

    async def _each(self, context: Any) -> AsyncIterator[Any]:
        """Yield the messages of a request stream; errors as with `request`, except that there may be none."""
        seconds = self.client_seconds
        while (content := await _received(context, seconds)) is not grpc.aio.EOF:
            seconds = self.client_seconds * STREAM_FACTOR
            yield await self._decoded(context, content)

    async def _decoded(self, context: Any, content: bytes) -> Any:
        if self.service.limits is not None:
            self.service.limits.receive(self.name, context, len(content))
        try:
            message = self.request_type.FromString(content)
        except DecodeError:
            raise InvalidInput(
                "", "The message cannot be decoded: it is not of this method's type, or damaged.", "MESSAGE_UNDECODABLE"
            ) from None
        await in_thread_unless(len(content) <= QUICK_BYTES, self.validation.check, message)
        return message


def methods_of(service: Service, gate: Gate, validation: Validation, client_seconds: float) -> Iterator[Method]:
    """Yield the methods that the contract gives a service.

    Raises:
        protovalidate.CompilationError: see `Validation.compile`.
    """
    for rpc in descriptor_pool.Default().FindServiceByName(service.contract or service.name).methods:
        request_type = message_factory.GetMessageClass(rpc.input_type)
        validation.compile(request_type)
        yield Method(
            path=f"/{service.name}/{rpc.name}",
            service=service,
            behaviour=getattr(service.servicer, rpc.name),
            request_type=request_type,
            streams_requests=rpc.client_streaming,
            streams_responses=rpc.server_streaming,
            gate=gate,
            validation=validation,
            client_seconds=client_seconds,
        )


def unknown_method(gate: Gate, validation: Validation, client_seconds: float) -> Method:
    """The method that answers for those that do not exist.

    A client may use any of the four call types; a stream in both directions suits all of them.
    """
    return Method(UNKNOWN, Service(UNKNOWN, None), _refuse, Message, True, True, gate, validation, client_seconds)


def _refuse(requests: Any, context: Any) -> Any:
    raise NotSupported("There is no such method: the server may be older than its caller.")


async def _received(context: Any, seconds: float) -> Any:
    """The bytes of the next message, grpc.aio.EOF after the last."""
    late = f"The client sent no message for {seconds:g} seconds."
    async with deadline.enforced(seconds, lambda: errors.DeadlineExceeded(late)):
        return await context.read()
