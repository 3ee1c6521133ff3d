"""The gRPC service of a stage, made from its RPCs' descriptors and its tasks.

What a task raises goes to the server, which maps it to a status; a request that cannot be read raises InvalidInput.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from functools import partial
from types import SimpleNamespace
from typing import Any

from google.protobuf.message import Message

from libs.contracts.methods import AnyMethod, StreamMethod
from libs.contracts.usage import PROGRESS_OFF, Progress
from libs.contracts.wire.methods import codec_of
from libs.runtime.serving.service import Service
from libs.servicing.requests import from_request

Context = Any


def stage_service(methods: Sequence[AnyMethod], tasks: object) -> Service:
    """Return the service of these RPCs, all of one service; each is done by the method of `tasks` that it names."""
    servicer = SimpleNamespace(**{method.rpc: _handler(method, getattr(tasks, method.task)) for method in methods})
    return Service(methods[0].service, servicer)


def _handler(method: AnyMethod, task: Any) -> Any:
    codec_of(method)  # imports the generated code, which describes the service
    return partial(_stream if isinstance(method, StreamMethod) else _unary, method, task)


async def _stream(method: AnyMethod, task: Any, request: Message, context: Context) -> AsyncIterator[Message]:
    """Stream the steps as they are produced, the result last; progress only to callers that want it."""
    to_message = codec_of(method).to_message
    tells_progress = PROGRESS_OFF not in (context.invocation_metadata() or ())
    async with aclosing(task(from_request(request, method.request))) as steps:
        async for step in steps:
            if tells_progress or not isinstance(step, Progress):
                yield to_message(step)


async def _unary(method: AnyMethod, task: Any, request: Message, _: Context) -> Message:
    return codec_of(method).to_message(await task(from_request(request, method.request)))
