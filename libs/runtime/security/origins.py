"""Where a call comes from that a process of the suite passes on, signed so that nobody else can say it.

The HTTP process and the gateway share a secret for it. It proves nothing else: the signature covers the origin and the
time, and who reads the network may send both again for some minutes.
"""

from collections.abc import Iterable
from typing import Final

from libs.runtime.security.trust import Secrets, TrustSettings

ORIGIN_KEY: Final = "x-parley-peer"
"""The origin, as gRPC writes a peer: `ipv4:192.0.2.1:4711`."""
ORIGIN_SIGNATURE_KEY: Final = "x-parley-peer-signature"
LONGEST: Final = 128
"""Characters of an origin; an IPv6 address with its zone has some sixty."""

Pair = tuple[str, str]


def open_origin_secrets(settings: TrustSettings) -> Secrets | None:
    """The secrets that sign origins: those of their own, else the suite's; None if there are none.

    Raises:
        SettingsError: the file cannot be used.
    """
    if settings.origin_secret:
        return Secrets(settings.origin_secret, "origin_secret")
    return Secrets(settings.secret) if settings.secret else None


def signed_origin(secrets: Secrets, origin: str) -> tuple[Pair, Pair]:
    """The metadata that says where a call comes from, and proves it."""
    return (ORIGIN_KEY, origin), (ORIGIN_SIGNATURE_KEY, secrets.signature(ORIGIN_KEY, origin.encode()))


def proven_origin(secrets: Secrets, metadata: Iterable[tuple[str, str | bytes]], seconds: float) -> str:
    """Where a call comes from, as its metadata proves; empty if it does not, or says it more than once.

    Args:
        seconds: age of a signature from which it is not believed.
    """
    pairs = [(key, str(value)) for key, value in metadata if key in (ORIGIN_KEY, ORIGIN_SIGNATURE_KEY)]
    values = dict(pairs)
    if len(pairs) != 2 or len(values) != 2 or len(values[ORIGIN_KEY]) > LONGEST:
        return ""
    origin = values[ORIGIN_KEY]
    is_proven = secrets.is_signed(values[ORIGIN_SIGNATURE_KEY], ORIGIN_KEY, origin.encode(), seconds)
    return origin if is_proven else ""
