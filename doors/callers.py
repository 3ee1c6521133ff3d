"""Who calls: what of an HTTP request the gateway gets as metadata.

The gateway sees this process as its caller, on its own machine, and would believe every principal that comes from it.
So it is told where a request comes from, and principals are passed on only if that is this machine, too, as the gateway
itself believes them. A request that a proxy forwarded comes from elsewhere, wherever the proxy runs.
"""

import ipaddress
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from libs.runtime.listen import is_loopback

Metadata = tuple[tuple[str, str], ...]

PRINCIPAL: Final = "x-parley-principal"
PEER: Final = "x-parley-peer"
PASSED_ON: Final = ("authorization", "x-api-key", "x-request-id", "x-progress")
FORWARDED_FOR: Final = "x-forwarded-for"
FORWARDED: Final = ("forwarded", FORWARDED_FOR, "x-real-ip")


def metadata_of(scope: Scope) -> Metadata:
    """The metadata for the gateway.

    Several principals come as several headers, or in one with commas between them, as browsers join them.
    """
    headers = Headers(scope=scope)
    metadata = [(name, value) for name in PASSED_ON for value in headers.getlist(name) if _is_sendable(value)]
    if is_local(scope):
        principals = (name.strip() for value in headers.getlist(PRINCIPAL) for name in value.split(","))
        metadata += [(PRINCIPAL, name) for name in principals if name and _is_sendable(name)]
    return (*metadata, (PEER, peer_of(scope)))


def is_local(scope: Scope) -> bool:
    """Whether the request comes from this machine, and no proxy forwarded it."""
    client, headers = scope.get("client"), Headers(scope=scope)
    return client is not None and is_loopback(client[0]) and not any(name in headers for name in FORWARDED)


def peer_of(scope: Scope) -> str:
    """Where the request comes from, as gRPC writes a peer: `ipv4:192.0.2.1:4711`, `forwarded:192.0.2.1:0`.

    What a proxy on this machine forwarded comes from where that says; a proxy elsewhere may say anything.
    """
    client, headers = scope.get("client"), Headers(scope=scope)
    if client is None:
        return "unknown::0"
    host, port = client
    if not any(name in headers for name in FORWARDED):
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"
    return f"forwarded:{_nearest(headers) if is_loopback(host) else host}:0"


def _nearest(headers: Headers) -> str:
    """The address that the last proxy saw; empty if it does not say."""
    text = ",".join(headers.getlist(FORWARDED_FOR)).rpartition(",")[2].strip()
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    host = str(address) if _is_sendable(text) else ""  # the zone of an IPv6 address may be any text
    return f"[{host}]" if ":" in host else host


def _is_sendable(value: str) -> bool:
    return value.isascii() and value.isprintable()
