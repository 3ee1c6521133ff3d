"""The credentials that a command sends: a token or an API key, from a variable or a file, never from its arguments.

Arguments of a command can be read by every user of the machine.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc

from parley.client.connection import is_loopback
from parley.client.gateways import hosts_of

TOKEN: Final = "PARLEY_CLIENT_TOKEN"
TOKEN_FILE: Final = "PARLEY_CLIENT_TOKEN_FILE"
INSECURE: Final = "PARLEY_CLIENT_INSECURE"
"""Allows to send credentials in plain text to other machines, as where a mesh encrypts."""


class UnusableCredentialsError(Exception):
    """The credentials cannot be sent; the message says why."""


def authorized(channel: grpc.Channel, addresses: str, is_encrypted: bool) -> grpc.Channel:
    """The channel, with the credentials of the environment in each call, if it names any.

    Args:
        channel: to the gateways.
        addresses: `host:port` of the gateways, with commas between them.
        is_encrypted: whether the channel uses TLS.

    Raises:
        UnusableCredentialsError: they cannot be read, or would be sent in plain text to another machine.
    """
    token, file = os.environ.get(TOKEN, ""), os.environ.get(TOKEN_FILE, "")
    if not token and not file:
        return channel
    if token and file:
        raise UnusableCredentialsError(f"{TOKEN} and {TOKEN_FILE} cannot both be set")
    if not is_encrypted and not os.environ.get(INSECURE) and not all(map(is_loopback, hosts_of(addresses))):
        raise UnusableCredentialsError(
            f"{TOKEN if token else TOKEN_FILE}: credentials are not sent in plain text to another machine: "
            f"set PARLEY_TLS_CA, or {INSECURE}=true where the way is encrypted otherwise"
        )
    read: Callable[[], str] = (lambda: _checked(token, TOKEN)) if token else (lambda: _read(Path(file)))
    read()
    return grpc.intercept_channel(channel, _Authorization(read))


def _read(file: Path) -> str:
    try:
        return _checked(file.read_text(encoding="utf-8"), TOKEN_FILE)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UnusableCredentialsError(f"{TOKEN_FILE}: {file} cannot be read: {reason}") from None


def _checked(text: str, variable: str) -> str:
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable():
        raise UnusableCredentialsError(f"{variable}: a token or key is printable ASCII")
    return token


@dataclass(frozen=True, slots=True)
class _Details(grpc.ClientCallDetails):
    """What gRPC knows of a call that begins."""

    method: str
    timeout: float | None
    metadata: tuple[tuple[str, str | bytes], ...]
    credentials: grpc.CallCredentials | None
    wait_for_ready: bool | None
    compression: grpc.Compression | None


class _Authorization(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Adds the credentials to each call; a file is read for each, as its token may be renewed."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        """See gRPC; the same applies to the next three methods."""
        return continuation(self._with_credentials(client_call_details), request)

    def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return continuation(self._with_credentials(client_call_details), request)

    def intercept_stream_unary(self, continuation: Any, client_call_details: Any, request_iterator: Any) -> Any:
        return continuation(self._with_credentials(client_call_details), request_iterator)

    def intercept_stream_stream(self, continuation: Any, client_call_details: Any, request_iterator: Any) -> Any:
        return continuation(self._with_credentials(client_call_details), request_iterator)

    def _with_credentials(self, details: Any) -> _Details:
        return _Details(
            details.method,
            details.timeout,
            (*(details.metadata or ()), ("authorization", f"Bearer {self._read()}")),
            details.credentials,
            details.wait_for_ready,
            details.compression,
        )
