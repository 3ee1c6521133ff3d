"""Who calls: what of an HTTP request the gateway gets as metadata.

The gateway sees this process as its caller, on its own machine, and would believe every principal that comes from it.
So it is told where a request comes from, and principals are passed on only if that is this machine, too, as the gateway
itself believes them. A request that a proxy forwarded comes from elsewhere, wherever the proxy runs. Functions of a
request's headers, which neither wait nor raise.
"""

import ipaddress
from collections.abc import Sequence
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from libs.runtime.limits.hosts import host_of
from libs.runtime.security.trust import ORIGIN_KEY, Secrets, signed_origin
from libs.runtime.serving.listen import is_loopback

Metadata = tuple[tuple[str, str], ...]
Networks = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]

PRINCIPAL: Final = "x-parley-principal"
ORIGIN: Final = "parley.origin"
"""Where a scope keeps what the gateway is told of a request's origin; no header has such a name."""
PASSED_ON: Final = ("authorization", "x-api-key", "x-request-id", "x-progress")
FORWARDED_FOR: Final = "x-forwarded-for"
FORWARDED: Final = ("forwarded", FORWARDED_FOR, "x-real-ip")


class Origins:
    """Records where each request comes from, and signs it, so that the gateway believes it wherever this process runs.

    Args:
        secrets: sign it; None: it is said without proof.
        proxies: networks of the proxies that are believed about it.
    """

    def __init__(self, app: ASGIApp, secrets: Secrets | None, proxies: Networks) -> None:
        self._app = app
        self._secrets = secrets
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Record where a request comes from, and pass it on (ASGI)."""
        if scope["type"] == "http":
            peer = peer_of(scope, self._proxies)
            scope[ORIGIN] = signed_origin(self._secrets, peer) if self._secrets else ((ORIGIN_KEY, peer),)
        await self._app(scope, receive, send)


def metadata_of(scope: Scope) -> Metadata:
    """The metadata for the gateway.

    Several principals come as several headers, or in one with commas between them, as browsers join them.
    """
    headers = Headers(scope=scope)
    metadata = [(name, value) for name in PASSED_ON for value in headers.getlist(name) if _is_sendable(value)]
    metadata += [(PRINCIPAL, name) for name in principals_of(scope)]
    return (*metadata, *scope.get(ORIGIN, ((ORIGIN_KEY, peer_of(scope)),)))


def principals_of(scope: Scope) -> list[str]:
    """The principals that a request from this machine claims; those of others are not believed."""
    if not is_local(scope):
        return []
    principals = (name.strip() for value in Headers(scope=scope).getlist(PRINCIPAL) for name in value.split(","))
    return [name for name in principals if name and _is_sendable(name)]


def caller_of(scope: Scope, proxies: Networks) -> str:
    """Whose request it is, to share places fairly: its principals, else its host.

    Credentials do not count, which the gateway alone can check: who sends others each time would get many shares.
    """
    principals = principals_of(scope)
    return " ".join(("principals", *sorted(principals))) if principals else host_of(peer_of(scope, proxies))


def is_local(scope: Scope) -> bool:
    """Whether the request comes from this machine, and no proxy forwarded it."""
    client, headers = scope.get("client"), Headers(scope=scope)
    return client is not None and is_loopback(client[0]) and not any(name in headers for name in FORWARDED)


def peer_of(scope: Scope, proxies: Networks = ()) -> str:
    """Where the request comes from, as gRPC writes a peer: `ipv4:192.0.2.1:4711`, `forwarded:192.0.2.1:0`.

    What a proxy on this machine, or in one of the networks, forwarded comes from where that says; another proxy may say
    anything.
    """
    client, headers = scope.get("client"), Headers(scope=scope)
    if client is None:
        return "unknown::0"
    host, port = client
    if not any(name in headers for name in FORWARDED):
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"
    return f"forwarded:{_nearest(headers) if _is_believed(host, proxies) else host}:0"


def _is_believed(host: str, proxies: Networks) -> bool:
    """Whether a proxy's word about its callers counts."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    known = getattr(address, "ipv4_mapped", None) or address
    return known.is_loopback or any(known in network for network in proxies)


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
