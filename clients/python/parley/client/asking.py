"""Asks turns that outlast a broken connection, a restart and a busy suite: `ask` blocks, `ask_async` awaits."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import suppress
from typing import Any

import grpc

from parley.client.attempts import CANCEL_SECONDS, PATIENCE, Attempts, NextCall, resumable
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

Metadata = tuple[tuple[str, str | bytes], ...]


def ask(
    stub: gateway_pb2_grpc.GatewayServiceStub,
    request: gateway_pb2.AskRequest,
    *,
    seconds: float | None = None,
    metadata: Metadata = (),
    patience: float = PATIENCE,
) -> Generator[gateway_pb2.AskResponse, None, None]:
    """Ask a turn and yield its events, each once.

    If the connection breaks, the turn is resumed, at any gateway that can be reached. If the turn fails because a stage
    restarts or the suite has too many turns, it is asked again by the same request_id, as long as nothing of an answer
    has been yielded; the events of the new attempt have another turn_id, and hold in place of those before. Closing the
    generator, or an interrupt, cancels the turn.

    Args:
        stub: of a channel to the gateways.
        request: the turn; one without a request_id is given one.
        seconds: the greatest time of one attempt; None: the suite's own limit.
        metadata: sent with each call.
        patience: seconds for which a turn is resumed without a further event, or asked again.

    Raises:
        grpc.RpcError: the turn failed, or what it needs stayed away.
    """
    attempts = Attempts(resumable(request), patience)
    try:
        yield from _responses(stub, attempts, seconds, metadata)
    except grpc.RpcError:
        raise
    except BaseException:  # the caller does not want the rest
        cancellation = attempts.cancellation()
        if cancellation is not None:
            with suppress(grpc.RpcError):
                stub.Cancel(cancellation, timeout=CANCEL_SECONDS, metadata=metadata)
        raise


def _responses(
    stub: Any, attempts: Attempts, seconds: float | None, metadata: Metadata
) -> Generator[gateway_pb2.AskResponse, None, None]:
    """Yield the events of all calls of the turn."""
    call = stub.Ask(attempts.request, timeout=seconds, metadata=metadata)
    while True:
        try:
            for response in call:
                if attempts.is_new(response.event):
                    yield gateway_pb2.AskResponse(event=response.event)
            return
        except grpc.RpcError as error:
            following = attempts.next_call(error)
            if following is None:
                raise
        finally:
            call.cancel()
        time.sleep(following.pause)
        call = _begin(stub, following, seconds, metadata)


async def ask_async(
    stub: Any,
    request: gateway_pb2.AskRequest,
    *,
    seconds: float | None = None,
    metadata: Metadata = (),
    patience: float = PATIENCE,
) -> AsyncGenerator[gateway_pb2.AskResponse, None]:
    """Do as `ask` does, with the stub of a channel of `grpc.aio`; cancelling the task cancels the turn."""
    attempts = Attempts(resumable(request), patience)
    responses = _responses_async(stub, attempts, seconds, metadata)
    try:
        async for response in responses:
            yield response
    except grpc.RpcError:
        raise
    except BaseException:  # the caller does not want the rest
        await responses.aclose()
        cancellation = attempts.cancellation()
        if cancellation is not None:
            await asyncio.shield(_cancel_async(stub, cancellation, metadata))
        raise


async def _responses_async(
    stub: Any, attempts: Attempts, seconds: float | None, metadata: Metadata
) -> AsyncGenerator[gateway_pb2.AskResponse, None]:
    """Yield the events of all calls of the turn."""
    call = stub.Ask(attempts.request, timeout=seconds, metadata=metadata)
    while True:
        try:
            async for response in call:
                if attempts.is_new(response.event):
                    yield gateway_pb2.AskResponse(event=response.event)
            return
        except grpc.RpcError as error:
            following = attempts.next_call(error)
            if following is None:
                raise
        finally:
            call.cancel()
        await asyncio.sleep(following.pause)
        call = _begin(stub, following, seconds, metadata)


async def _cancel_async(stub: Any, cancellation: gateway_pb2.CancelRequest, metadata: Metadata) -> None:
    with suppress(grpc.RpcError, asyncio.CancelledError):
        await stub.Cancel(cancellation, timeout=CANCEL_SECONDS, metadata=metadata)


def _begin(stub: Any, following: NextCall, seconds: float | None, metadata: Metadata) -> Any:
    return getattr(stub, following.method.value)(following.request, timeout=seconds, metadata=metadata)
