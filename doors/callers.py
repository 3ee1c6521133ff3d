"""Who calls: what of an HTTP request the gateway gets as metadata.

The gateway sees this process as its caller, on its own machine, and would believe every principal that comes from it.
So principals are passed on only if the HTTP caller is on this machine, too, as the gateway itself believes them. A
request that a proxy forwarded comes from elsewhere, wherever the proxy runs.
"""

from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from libs.runtime.listen import is_loopback

Metadata = tuple[tuple[str, str], ...]

PRINCIPAL: Final = "x-parley-principal"
CREDENTIALS: Final = ("authorization", "x-api-key")
PASSED_ON: Final = (*CREDENTIALS, "x-request-id", "traceparent", "x-progress")
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")


def metadata_of(scope: Scope) -> Metadata:
    """The metadata for the gateway.

    Several principals come as several headers, or in one with commas between them, as browsers join them.
    """
    headers = Headers(scope=scope)
    metadata = [(name, value) for name in PASSED_ON for value in headers.getlist(name) if _is_sendable(value)]
    if is_local(scope):
        principals = (name.strip() for value in headers.getlist(PRINCIPAL) for name in value.split(","))
        metadata += [(PRINCIPAL, name) for name in principals if name and _is_sendable(name)]
    return tuple(metadata)


def is_local(scope: Scope) -> bool:
    """Whether the request comes from this machine, and no proxy forwarded it."""
    client, headers = scope.get("client"), Headers(scope=scope)
    return client is not None and is_loopback(client[0]) and not any(name in headers for name in FORWARDED)


def is_anonymous(scope: Scope) -> bool:
    """Whether the request comes from another machine without any credentials, like those of all strangers."""
    headers = Headers(scope=scope)
    return not is_local(scope) and not any(name in headers for name in CREDENTIALS)


def _is_sendable(value: str) -> bool:
    return value.isascii() and value.isprintable()
