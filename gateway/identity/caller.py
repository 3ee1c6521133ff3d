"""The authenticated caller of the call being served, held for as long as the call runs."""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

MAX_PRINCIPALS: Final = 64
MAX_CHARACTERS: Final = 256
"""Most principals of a caller, and the longest, that the stages' contracts carry."""


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

_caller: ContextVar[Caller | None] = ContextVar("parley_caller", default=None)


def hold(caller: Caller) -> None:
    """Hold the caller for the rest of the call: each call is served in a context of its own."""
    _caller.set(caller)


def authenticated() -> Caller | None:
    """The caller of this call; None where callers are not asked for credentials."""
    return _caller.get()
