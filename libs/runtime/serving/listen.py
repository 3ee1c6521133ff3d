"""How a server listens: its address, the check for public plain text, gRPC's options."""

import ipaddress
from typing import Any, Final

from libs.runtime.security.tls import TlsSettings
from libs.runtime.serving.validation import MAX_MESSAGE_BYTES
from libs.runtime.settings import ServerSettings, SettingsError

CONNECTION_GRACE_SECONDS: Final = 600.0
"""Time for calls on a connection that is too old: as long as the longest deadline by default (taste)."""
NEVER: Final = 2**31 - 1  # gRPC's default of the age, in milliseconds
STREAMS_FACTOR: Final = 2
"""A connection may have so many times the calls that are handled at once; further ones wait in its client. Cancelled
ones count until they were handled."""
PENDING_FACTOR: Final = 40
"""So many times the calls that are handled at once may wait in gRPC's core before it throws new ones away, whosesoever
they are (by default 1,000): twenty connections full of cancelled calls, 15 KB each."""
HARD_LIMIT_FACTOR: Final = 4
"""gRPC itself rejects messages above this multiple of the size limit; below it our status carries details."""


class BindError(Exception):
    """The server can't listen on the address; the message names it and the settings to change."""

    def __init__(self, address: str, *variables: str) -> None:
        super().__init__(
            f"can't listen on {address}: the port is in use, or the address isn't this machine's"
            f" (set {' or '.join(variables)})"
        )


def address_of(host: str, port: int) -> str:
    """Host and port as one address: `127.0.0.1:50051`, `[::1]:50051`."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address of that host."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_public_plain_text(host: str, field: str, settings: ServerSettings, tls: TlsSettings) -> None:
    """Accept loopback addresses, and any address with TLS or with `insecure`.

    Args:
        field: the setting that holds the host.

    Raises:
        SettingsError: other machines could reach the address in plain text.
    """
    if not settings.insecure and not tls.serves and not is_loopback(host):
        raise SettingsError(
            f"{settings.variable(field)}: {host} can be reached by other machines, and nothing is encrypted;"
            f" set {tls.variable('certificate')} and {tls.variable('key')},"
            f" or {settings.variable('insecure')}=true (--insecure) to serve plain text all the same"
        )


def options(settings: ServerSettings) -> list[tuple[str, Any]]:
    """The settings as gRPC's channel arguments."""
    return [
        ("grpc.so_reuseport", 0),  # on by default: a second process would share the port silently
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES * HARD_LIMIT_FACTOR),
        ("grpc.max_send_message_length", -1),
        # Clients ping every 30 s; with gRPC's default the server would answer GOAWAY "too many pings".
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.max_concurrent_streams", settings.max_concurrency * STREAMS_FACTOR),
        ("grpc.server.max_pending_requests", settings.max_concurrency * PENDING_FACTOR),
        ("grpc.server.max_pending_requests_hard_limit", settings.max_concurrency * PENDING_FACTOR * 2),
        ("grpc.max_connection_age_ms", round(settings.max_connection_age_seconds * 1000) or NEVER),
        ("grpc.max_connection_age_grace_ms", round(CONNECTION_GRACE_SECONDS * 1000)),
    ]
