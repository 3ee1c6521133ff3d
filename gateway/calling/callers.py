"""Calls of one stage, over the network or in this process; and of all stages, each where it is."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any

from google.protobuf.message import Message

from gateway.calling.stages import Stages
from gateway.settings import GatewaySettings
from libs.contracts.methods import AnyMethod, Request, Response, Step, StreamMethod, UnaryMethod
from libs.contracts.usage import PROGRESS_OFF
from libs.contracts.wire.malformed import MalformedMessage
from libs.contracts.wire.methods import codec_of
from libs.runtime.calling.local_calls import local_stream, local_unary
from libs.runtime.calling.peer import Peer
from libs.runtime.errors import Unavailable


def seconds_for(method: AnyMethod, settings: GatewaySettings) -> float:
    """Return how long a call may take, by the deadline that its descriptor names."""
    return settings.write_seconds if method.deadline == "write" else settings.stage_seconds


@dataclass(frozen=True, slots=True)
class LocalStage:
    """A stage of this process: each call gets a deadline, a span and typed errors, as over the network."""

    tasks: Any
    """The object whose methods do the RPCs."""
    settings: GatewaySettings

    def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """Yield the steps of a call; ParleyError if it fails."""
        steps = partial(getattr(self.tasks, method.task), request)
        return local_stream(method.path, steps, seconds_for(method, self.settings))

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """Return the response of a call; ParleyError if it fails."""
        work = partial(getattr(self.tasks, method.task), request)
        return await local_unary(method.path, work, seconds_for(method, self.settings))


@dataclass(frozen=True, slots=True)
class RemoteStage:
    """A stage of another process, called by gRPC."""

    peer: Peer
    settings: GatewaySettings

    async def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """Yield the steps of a call; ParleyError if it fails.

        Steps that are not known here are left out, and progress, as each message costs time.
        """
        codec, call = codec_of(method), _stub(self.peer.channel.unary_stream, method)
        message, seconds = codec.request_to_message(request), seconds_for(method, self.settings)
        async with aclosing(self.peer.stream(call, message, timeout=seconds, metadata=(PROGRESS_OFF,))) as responses:
            async for response in responses:
                if (step := _read(method, response)) is not None:
                    yield step

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """Return the response of a call; ParleyError if it fails."""
        codec, call = codec_of(method), _stub(self.peer.channel.unary_unary, method)
        message, seconds = codec.request_to_message(request), seconds_for(method, self.settings)
        response: Response = _read(method, await self.peer.unary(call, message, timeout=seconds))
        return response


@dataclass(frozen=True, slots=True)
class AllStages:
    """Calls each stage where it is."""

    by_name: Mapping[str, Stages]

    def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """Yield the steps of a call; ParleyError if it fails."""
        return self.by_name[method.stage].stream(method, request)

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """Return the response of a call; ParleyError if it fails."""
        return await self.by_name[method.stage].unary(method, request)


def _stub(make: Callable[..., Any], method: AnyMethod) -> Any:
    """Return what a generated stub has for the RPC."""
    codec = codec_of(method)
    return make(
        f"/{method.path}",
        request_serializer=codec.request_message.SerializeToString,
        response_deserializer=codec.response_message.FromString,
    )


def _read(method: AnyMethod, response: Message) -> Any:
    """Convert a response; None if it is a step that is not known here.

    Raises:
        Unavailable: it lacks what its value needs (reason STAGE_FAILED).
    """
    try:
        return codec_of(method).from_message(response)
    except MalformedMessage as error:
        text = f"The {method.stage} stage sent an answer without a field that it must have: {error.path}."
        raise Unavailable("STAGE_FAILED", text) from error
