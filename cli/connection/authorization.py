"""The credentials that a command sends: a token or an API key, from the settings or a file, never from its arguments.

Arguments of a command can be read by every user of the machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import grpc

from cli.connection.configuration import may_be_set
from parley.client.connection import is_loopback
from parley.client.gateways import hosts_of

if TYPE_CHECKING:
    from cli.connection.client_settings import ClientSettings

TOKEN: Final = "PARLEY_CLIENT_TOKEN"
TOKEN_FILE: Final = "PARLEY_CLIENT_TOKEN_FILE"
INSECURE: Final = "PARLEY_CLIENT_INSECURE"
"""Variables of `cli.connection.client_settings`, which takes half a second to import."""


class UnusableCredentialsError(Exception):
    """The credentials cannot be sent; the message says why."""


def authorized(channel: grpc.Channel, addresses: str, is_encrypted: bool) -> grpc.Channel:
    """The channel, with the credentials of the settings in each call, if they name any.

    Args:
        channel: to the gateways.
        addresses: `host:port` of the gateways, with commas between them.
        is_encrypted: whether the channel uses TLS.

    Raises:
        UnusableCredentialsError: they cannot be read, or would be sent in plain text to another machine.
    """
    if not may_be_set("client"):
        return channel
    settings = _settings()
    read = _reader(settings.token.get_secret_value(), settings.token_file)
    if read is None:
        return channel
    if not (is_encrypted or settings.insecure or all(map(is_loopback, hosts_of(addresses)))):
        variable = TOKEN_FILE if settings.token_file else TOKEN
        raise UnusableCredentialsError(
            f"{variable}: credentials are not sent in plain text to another machine: "
            f"set PARLEY_TLS_CA, or {INSECURE}=true where the way is encrypted otherwise"
        )
    read()
    return grpc.intercept_channel(channel, _Authorization(read))


def _settings() -> "ClientSettings":
    from cli.connection.client_settings import ClientSettings
    from libs.runtime.settings import SettingsError

    try:
        return ClientSettings()
    except SettingsError as error:
        raise UnusableCredentialsError(str(error)) from None


def _reader(token: str, file: Path | None) -> Callable[[], str] | None:
    """What reads the credentials; None if there are none."""
    if token and file:
        raise UnusableCredentialsError(f"{TOKEN} and {TOKEN_FILE} cannot both be set")
    if file:
        return partial(_read, file)
    return partial(_checked, token, TOKEN) if token else None


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
