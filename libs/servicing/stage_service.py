"""The gRPC service of a stage, made from its RPCs' descriptors and its tasks.

What a task raises goes to the server, which maps it to a status; a request that cannot be read raises InvalidInput.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

import grpc
from google.protobuf.message import Message

from libs.contracts.methods import AnyMethod, StreamMethod
from libs.contracts.wire.methods import codec_of, service_descriptor
from libs.runtime.serving.service import Service
from libs.servicing.requests import from_request

Context = Any


def stage_service(methods: Sequence[AnyMethod], tasks: object) -> Service:
    """Return the service of these RPCs, all of one service; each is done by the method of `tasks` that it names."""
    name = methods[0].service
    handlers = {method.rpc: _handler(method, getattr(tasks, method.task)) for method in methods}

    def add(_: object, server: grpc.aio.Server) -> None:
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, handlers),))

    return Service(name, add, tasks, service_descriptor(name))


def _handler(method: AnyMethod, task: Any) -> Any:
    codec = codec_of(method)
    is_stream = isinstance(method, StreamMethod)
    make_handler = grpc.unary_stream_rpc_method_handler if is_stream else grpc.unary_unary_rpc_method_handler
    return make_handler(
        partial(_stream if is_stream else _unary, method, task),
        request_deserializer=codec.request_message.FromString,
        response_serializer=codec.response_message.SerializeToString,
    )


async def _stream(method: AnyMethod, task: Any, request: Message, _: Context) -> AsyncIterator[Message]:
    """Stream the steps as they are produced, the result last."""
    to_message = codec_of(method).to_message
    async with aclosing(task(from_request(request, method.request))) as steps:
        async for step in steps:
            yield to_message(step)


async def _unary(method: AnyMethod, task: Any, request: Message, _: Context) -> Message:
    return codec_of(method).to_message(await task(from_request(request, method.request)))
