"""Who makes the call being served, and where it comes from, held for as long as the call runs."""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

AUTHORIZATION: Final = "authorization"
API_KEY: Final = "x-api-key"
"""The metadata that may hold a caller's credentials."""
MAX_PRINCIPALS: Final = 64
MAX_CHARACTERS: Final = 256
"""Most principals of a caller, and the longest, that the stages' contracts carry."""


class BadCredentials(Exception):  # noqa: N818 - it names what is wrong
    """Credentials that are not accepted. The message is for the log: callers are not told why."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls."""

    name: str
    """For logs: the subject of a token, or the id of a key; empty for anonymous callers."""
    principals: tuple[str, ...]
    """Sorted, each once."""

    @classmethod
    def of(cls, name: str, principals: set[str]) -> "Caller":
        """A caller with these principals.

        Raises:
            ValueError: there are too many of them, or one cannot be a principal.
        """
        if not principals:
            raise ValueError("it names no principal")
        if len(principals) > MAX_PRINCIPALS:
            raise ValueError(f"it has more than {MAX_PRINCIPALS} principals")
        for principal in principals:
            if not (principal.strip() and principal.isprintable() and len(principal) <= MAX_CHARACTERS):
                raise ValueError(f"a principal is empty, longer than {MAX_CHARACTERS} characters, or not printable")
        return cls(name, tuple(sorted(principals)))


ANONYMOUS: Final = Caller("", ())

_caller: Final[ContextVar[Caller | None]] = ContextVar("parley_caller", default=None)
_origin: Final[ContextVar[str]] = ContextVar("parley_origin", default="")


def hold(caller: Caller) -> None:
    """Hold the caller for the rest of the call: each call is served in a context of its own."""
    _caller.set(caller)


def authenticated() -> Caller | None:
    """The caller of this call; None where callers are not asked for credentials."""
    return _caller.get()


def hold_origin(origin: str) -> None:
    """Hold where the HTTP server proves that the call comes from; empty if it proves nothing."""
    _origin.set(origin)


def held_origin() -> str:
    """Where the call comes from, as the HTTP server has proven; empty otherwise. It proves nobody's principals."""
    return _origin.get()
