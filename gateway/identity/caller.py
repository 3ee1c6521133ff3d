"""Who makes the call being served, and where it comes from, held for as long as the call runs."""

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

_principals: Final[ContextVar[Principals | None]] = ContextVar("parley_principals", default=None)
_origin: Final[ContextVar[str]] = ContextVar("parley_origin", default="")


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


def hold(principals: Principals) -> None:
    """Hold the caller's principals for the rest of the call: each call is served in a context of its own."""
    _principals.set(principals)


def authenticated() -> Principals | None:
    """The principals of this call's caller; None where callers are not asked for credentials."""
    return _principals.get()


def hold_origin(origin: str) -> None:
    """Hold where the HTTP server proves that the call comes from; empty if it proves nothing."""
    _origin.set(origin)


def held_origin() -> str:
    """Where the call comes from, as the HTTP server has proven; empty otherwise. It proves nobody's principals."""
    return _origin.get()
