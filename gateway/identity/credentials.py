"""What a call's metadata says of its caller: a token or an API key."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

AUTHORIZATION: Final = "authorization"
API_KEY: Final = "x-api-key"
KEY_PREFIX: Final = "parley-"
"""Begins each API key, so that people and scanners for secrets know it; no token begins with it."""


class BadCredentials(Exception):  # noqa: N818 - it names what is wrong
    """Credentials that are not accepted. The message is for the log: callers are not told why."""


@dataclass(frozen=True, slots=True)
class Credential:
    """A token or an API key."""

    value: str

    def __repr__(self) -> str:
        return "Credential(…)"

    @property
    def is_key(self) -> bool:
        """Whether it is an API key."""
        return self.value.startswith(KEY_PREFIX)


def credential_of(metadata: Iterable[tuple[str, str | bytes]]) -> Credential | None:
    """The credential of a call: `authorization: Bearer …` or `x-api-key: …`; None if there is neither.

    Raises:
        BadCredentials: there is more than one, or it is of another kind.
    """
    entries = [(key, str(value)) for key, value in metadata if key in (AUTHORIZATION, API_KEY)]
    if not entries:
        return None
    if len(entries) > 1:
        raise BadCredentials("there are several credentials")
    ((key, value),) = entries
    if key == API_KEY:
        return _key(value.strip())
    scheme, _, rest = value.strip().partition(" ")
    if scheme.lower() != "bearer" or not rest.strip():
        raise BadCredentials("the scheme is not Bearer")
    return Credential(rest.strip())


def _key(value: str) -> Credential:
    credential = Credential(value)
    if not credential.is_key:
        raise BadCredentials("the key is not one of parley's")
    return credential
