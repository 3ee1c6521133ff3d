"""A command's channels: over TLS where the settings say so, with the caller's principals and credentials in each call.

Credentials are a token or an API key. They come from the settings or a file, never from a command's arguments, which
every user of the machine can read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import grpc
from pydantic import Field, SecretStr

from libs.runtime.security.tls import TlsSettings, channel_credentials, channel_files
from libs.runtime.settings import AreaSettings, SettingsError
from parley.client.connection import Metadata, is_loopback
from parley.client.gateways import hosts_of, open_channel

TOKEN: Final = "PARLEY_CLIENT_TOKEN"
TOKEN_FILE: Final = "PARLEY_CLIENT_TOKEN_FILE"
INSECURE: Final = "PARLEY_CLIENT_INSECURE"


class ClientSettings(AreaSettings, area="client"):
    """The credentials that a command sends to the gateway, a token or an API key. None: it sends none.

    `parley.client.evaluation.Gateway` reads the token too, and `PARLEY_CLIENT_ADDRESS`, the `host:port` of the gateways
    with commas between them.
    """

    token: SecretStr = Field(default=SecretStr(""))
    """A token or an API key."""
    token_file: Path | None = None
    """File with the token or API key instead. It is read for each call, as a token may be renewed."""
    insecure: bool = False
    """Send credentials in plain text to other machines, too, as where a mesh encrypts."""


def channel_to(addresses: str) -> grpc.Channel:
    """A channel to one process, or to all gateways of a suite; see `parley.client.gateways.open_channel`.

    Raises:
        ValueError: a host has no address.
        SettingsError: the settings of TLS are invalid, or a file that they name cannot be used.
    """
    return open_channel(addresses, *_security())


def authorized_channel_to(addresses: str, principals: Metadata = ()) -> grpc.Channel:
    """The same, with the principals and the credentials of the settings in each call.

    Raises:
        ValueError: a host has no address.
        SettingsError: as with `channel_to`; also if the credentials cannot be sent.
    """
    credentials, server_name = _security()
    token = token_reader(addresses, is_encrypted=credentials is not None)
    channel = open_channel(addresses, credentials, server_name)
    return grpc.intercept_channel(channel, _Caller(principals, token)) if token or principals else channel


def _security() -> tuple[grpc.ChannelCredentials | None, str]:
    """Credentials, and the name that a server's certificate must hold; without TLS neither."""
    settings = TlsSettings()
    if not settings.calls:
        return None, ""
    return channel_credentials(channel_files(settings).current()), settings.server_name


def token_reader(addresses: str, is_encrypted: bool) -> Callable[[], str] | None:
    """Return what reads the credentials of the settings; None if there are none.

    Args:
        addresses: `host:port` of the gateways, with commas between them.
        is_encrypted: whether the channel to them uses TLS.

    Raises:
        SettingsError: they are invalid, or would be sent in plain text to another machine.
        OSError: their file cannot be read.
    """
    settings = ClientSettings()
    token, file = settings.token.get_secret_value(), settings.token_file
    if token and file:
        raise SettingsError(f"{TOKEN} and {TOKEN_FILE} are both set: unset one of them.")
    if not token and not file:
        return None
    variable = TOKEN_FILE if file else TOKEN
    if not (is_encrypted or settings.insecure or all(map(is_loopback, hosts_of(addresses)))):
        raise SettingsError(
            f"{variable}: credentials are not sent in plain text to another machine. "
            f"Set PARLEY_TLS_CA, or {INSECURE}=true where the way is encrypted otherwise."
        )

    def read() -> str:
        text = (file.read_text(encoding="utf-8", errors="replace") if file else token).strip()
        if not text or not text.isascii() or not text.isprintable():
            raise SettingsError(f"{variable}: a token or key is printable ASCII")
        return text

    read()
    return read


class _Caller(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Adds principals and credentials to each call; a file is read for each, as its token may be renewed."""

    def __init__(self, principals: Metadata, token: Callable[[], str] | None) -> None:
        self._principals = principals
        self._token = token

    def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        """See gRPC; the other kinds of calls are treated alike."""
        token = (("authorization", f"Bearer {self._token()}"),) if self._token else ()
        metadata = (*(client_call_details.metadata or ()), *self._principals, *token)
        return continuation(client_call_details._replace(metadata=metadata), request)  # gRPC's is a named tuple

    intercept_unary_stream = intercept_stream_unary = intercept_stream_stream = intercept_unary_unary  # type: ignore[assignment]
