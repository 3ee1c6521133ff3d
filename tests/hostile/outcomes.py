"""Calls with any bytes as messages, and how they end."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from google.rpc import error_details_pb2, status_pb2


@dataclass(frozen=True)
class Outcome:
    """How a call ended."""

    code: grpc.StatusCode
    reasons: tuple[str, ...]
    """Of each ErrorInfo in its details."""
    seconds: float
    message: str = ""
    fields: tuple[str, ...] = ()
    """That its BadRequest names."""

    @property
    def end(self) -> tuple[grpc.StatusCode, tuple[str, ...]]:
        """Its code and reasons."""
        return self.code, self.reasons


def as_they_are(content: bytes) -> bytes:
    """Neither encodes nor decodes."""
    return content


OVERTAKEN: Final = "Internal error from Core"
"""What the client library makes of a status that comes while it writes; the status itself is lost."""


async def outcome_of(
    channel: grpc.aio.Channel, method: str, messages: Sequence[bytes], seconds: float = 5, *, closes: bool = True
) -> Outcome:
    """Call a method of any kind; `closes`: after the messages the client says that no more will come."""
    outcome = await _outcome_of(channel, method, messages, seconds, closes)
    while outcome.message == OVERTAKEN and len(messages) > 1:
        outcome = await _outcome_of(channel, method, messages, seconds, closes)
    return outcome


async def _outcome_of(
    channel: grpc.aio.Channel, method: str, messages: Sequence[bytes], seconds: float, closes: bool
) -> Outcome:
    start = time.monotonic()
    call = channel.stream_stream(method, as_they_are, as_they_are)(timeout=seconds)
    try:
        await _exchange(call, messages, closes)
    except grpc.aio.AioRpcError as error:
        status = _status(error)
        return Outcome(
            error.code(), _reasons(status), time.monotonic() - start, error.details() or "", tuple(_fields(status))
        )
    finally:
        call.cancel()
    return Outcome(grpc.StatusCode.OK, (), time.monotonic() - start)


async def _exchange(call: "grpc.aio.StreamStreamCall[bytes, bytes]", messages: Sequence[bytes], closes: bool) -> None:
    for message in messages:
        try:
            await call.write(message)
        except asyncio.InvalidStateError:
            break  # the server has ended the call; reading tells how
    if closes:
        await call.done_writing()
    while await call.read() is not grpc.aio.EOF:
        pass


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    details = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    assert isinstance(details, bytes)
    return status_pb2.Status.FromString(details)


def _reasons(status: status_pb2.Status) -> tuple[str, ...]:
    infos = [detail for detail in status.details if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR)]
    return tuple(error_details_pb2.ErrorInfo.FromString(info.value).reason for info in infos)


def _fields(status: status_pb2.Status) -> list[str]:
    details = [detail for detail in status.details if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR)]
    violations = [error_details_pb2.BadRequest.FromString(detail.value).field_violations for detail in details]
    return [violation.field for group in violations for violation in group]
