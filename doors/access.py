"""Refuses requests of a stranger's web page, by its Host and Origin; adds headers that bound what a page may do.

A page whose own name leads to this machine (DNS rebinding) sends that name as Host; an IP address cannot be such a
name. A page of another origin sends its Origin with every request that does something. Nothing waits or raises here.
"""

import ipaddress
import re
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doors.settings import DoorsSettings

LOCAL_NAMES: Final = frozenset({"localhost"})
HOST: Final = re.compile(r"([^\[\]:/?#@]+|\[[^\[\]]+\])(?::\d*)?")
"""A name or an address, and maybe a port."""


class AccessCheck:
    """Answers 421 to an unknown host, and 403 to an origin that is neither this host nor an allowed one."""

    def __init__(self, app: ASGIApp, settings: DoorsSettings) -> None:
        self._app = app
        self._names = LOCAL_NAMES | {name.lower() for name in (*settings.allowed_hosts, settings.host)}
        self._origins = frozenset(origin.rstrip("/").lower() for origin in settings.allowed_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on (ASGI)."""
        refusal = self._refusal(Headers(scope=scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if not self._is_known(host):
            hint = "Add it to PARLEY_DOORS_ALLOWED_HOSTS."
            return PlainTextResponse(f"The HTTP server does not answer to the host name of this request. {hint}\n", 421)
        origin = headers.get("origin")
        if origin is not None and not self._is_allowed(origin.lower(), host.lower()):
            hint = "Add it to PARLEY_DOORS_ALLOWED_ORIGINS."
            return PlainTextResponse(f"Pages of this origin may not call the HTTP server. {hint}\n", 403)
        return None

    def _is_known(self, host: str) -> bool:
        parts = HOST.fullmatch(host.lower())
        name = "" if parts is None else parts[1].strip("[]")
        return name in self._names or name.endswith(".localhost") or _is_address(name)

    def _is_allowed(self, origin: str, host: str) -> bool:
        return origin in self._origins or origin.partition("://")[2] == host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Scripts, styles and pictures of this host alone; nothing inline, and no frame of another page around it."""
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Adds the headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on (ASGI), and add the headers to its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)
