"""Who makes the call being served, and where it comes from: each call is served in a context of its own."""

from contextvars import ContextVar
from typing import Final

AUTHORIZATION: Final = "authorization"
API_KEY: Final = "x-api-key"
"""The metadata that may hold a caller's credentials."""
MAX_PRINCIPALS: Final = 64
MAX_CHARACTERS: Final = 256
"""Most principals of a caller, and the longest, that the stages' contracts carry."""


class BadCredentials(Exception):  # noqa: N818 - it names what is wrong
    """Credentials that are not accepted. The message is for the log: callers are not told why."""


Principals = tuple[str, ...]
"""Of a caller: sorted, each once; empty for one of whom nothing is known."""

AUTHENTICATED: Final[ContextVar[Principals | None]] = ContextVar("parley_principals", default=None)
"""The principals of the call's caller; None where callers are not asked for credentials."""
PROVEN_ORIGIN: Final[ContextVar[str]] = ContextVar("parley_origin", default="")
"""Where the call comes from, as the HTTP server has proven; else empty. It proves nobody's principals."""


def usable_principals(names: set[str]) -> Principals:
    """The principals of a caller with these names.

    Raises:
        ValueError: there are none or too many of them, or one cannot be a principal.
    """
    if not names:
        raise ValueError("it names no principal")
    if len(names) > MAX_PRINCIPALS:
        raise ValueError(f"it has more than {MAX_PRINCIPALS} principals")
    for name in names:
        if not (name.strip() and name.isprintable() and len(name) <= MAX_CHARACTERS):
            raise ValueError(f"a principal is empty, longer than {MAX_CHARACTERS} characters, or not printable")
    return tuple(sorted(names))
