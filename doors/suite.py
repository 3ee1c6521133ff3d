"""Turns and calls over the channel to the gateway, in the name of the caller of an API."""

from typing import Any, TypeVar

import grpc

from doors.callers import Metadata
from parley.client.asking import ask_async
from parley.client.calls import Call
from parley.client.errors import error_of
from parley.client.stubs import Stubs
from parley.client.turns import AsyncTurn
from parley.gateway.v1 import gateway_pb2

T = TypeVar("T")


class Suite:
    """Asks and calls for one HTTP request; what fails raises the client's ParleyError, a turn's when it is read."""

    def __init__(self, channel: grpc.aio.Channel, metadata: Metadata) -> None:
        """`metadata` says who calls."""
        self._stubs = Stubs(channel)
        self._metadata: Any = metadata

    def ask(self, request: gateway_pb2.AskRequest) -> AsyncTurn:
        """Ask a turn. Closing it, or cancelling the task that reads it, cancels the turn."""
        return AsyncTurn(request.question, ask_async(self._stubs.gateway, request, metadata=self._metadata))

    async def run(self, call: Call[T]) -> T:
        """Make a call.

        Raises:
            ParleyError: it failed.
        """
        method = getattr(getattr(self._stubs, call.service), call.method)
        try:
            return call.read(await method(call.request, metadata=self._metadata))
        except grpc.RpcError as error:
            raise error_of(error) from None
