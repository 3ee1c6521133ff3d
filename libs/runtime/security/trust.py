"""The suite's processes recognise each other: by a secret that signs their calls, or by their certificates.

A stage believes what a request says of its caller's principals; with one of the two it hears the suite's processes
alone. The signature covers the method, the time and the message, so that it fits no other message. It keeps those out
who do not know the secret; who can read the network may send the same message again for some minutes: use TLS there.

The HTTP server signs where its callers come from, by a secret that it shares with the gateway.
"""

import hashlib
import hmac
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from libs.runtime.security.watched_files import WatchedFiles
from libs.runtime.serving.service import Gate, not_trusted
from libs.runtime.settings import AreaSettings

SIGNATURE_KEY: Final = "x-parley-signature"
VERSION: Final = "v1"
MAX_AGE_SECONDS: Final = 300.0
"""How far the time of a signature may be from this machine's: clocks that are not set well still fit (taste)."""
MIN_BYTES: Final = 32
"""Length of a secret, as long as the digest that it keys."""
ORIGIN_KEY: Final = "x-parley-peer"
"""The origin, as gRPC writes a peer: `ipv4:192.0.2.1:4711`."""
ORIGIN_SIGNATURE_KEY: Final = "x-parley-peer-signature"
MAX_ORIGIN: Final = 128
"""Characters of an origin; an IPv6 address with its zone has some sixty (taste)."""

Pair = tuple[str, str]


class TrustSettings(AreaSettings, area="trust"):
    """How the processes of a suite recognise each other; without either a stage hears everybody who reaches it."""

    secret: Path | None = None
    """File with the secret that signs the suite's calls, at least 32 characters (`openssl rand -hex 32`). Each line is
    a secret: the first one signs, all are accepted, so that it can be replaced. Read anew when it changes."""
    origin_secret: Path | None = None
    """File with a secret, in the same form, that the HTTP server and the gateway alone share. By it the gateway
    believes where callers of the HTTP server come from, and gives each one without credentials a share and quota of
    its own. Empty: the secret of the suite, where both have it."""
    names: tuple[str, ...] = ()
    """Names in certificates, one of which a caller must show (mTLS). With a secret as well, both are needed."""

    @property
    def is_set(self) -> bool:
        """Whether calls are checked."""
        return self.secret is not None or bool(self.names)


class Secrets:
    """The secrets in a file, the signing one first.

    Args:
        field: the setting that names the file.

    Raises:
        SettingsError: the file cannot be used.
    """

    def __init__(self, path: Path, field: str = "secret") -> None:
        self._files = WatchedFiles([path], lambda: _secrets(path), TrustSettings.variable(field))

    def signature(self, method: str, content: bytes) -> str:
        """Sign a call of `/package.Service/Method`; a stream of messages has no content."""
        moment = str(int(time.time()))
        return f"{VERSION}.{moment}.{_digest(self._files.current()[0], method, moment, content)}"

    def is_signed(self, signature: str, method: str, content: bytes) -> bool:
        """Whether the call was signed with one of the secrets lately."""
        version, _, rest = signature.partition(".")
        moment, _, digest = rest.partition(".")
        if version != VERSION or not (moment.isascii() and moment.isdigit() and len(moment) < 12):
            return False
        if abs(time.time() - int(moment)) > MAX_AGE_SECONDS:
            return False
        digests = [_digest(secret, method, moment, content) for secret in self._files.current()]
        return any([hmac.compare_digest(digest.encode(), each.encode()) for each in digests])


class TrustGate(Gate):
    """Admits the suite's own processes.

    Raises:
        SettingsError: the secret cannot be read.
    """

    def __init__(self, settings: TrustSettings) -> None:
        self._settings = settings
        self._secrets = open_secrets(settings)

    async def admit(self, method: str, context: Any) -> None:
        """See Gate."""
        if self._settings.names and not _names_of(context).intersection(self._settings.names):
            raise not_trusted()

    def check(self, method: str, context: Any, content: bytes) -> None:
        """See Gate."""
        if self._secrets is None:
            return
        signatures = [value for key, value in context.invocation_metadata() or () if key == SIGNATURE_KEY]
        if len(signatures) != 1 or not self._secrets.is_signed(str(signatures[0]), method, content):
            raise not_trusted()


def open_secrets(settings: TrustSettings) -> Secrets | None:
    """The secrets that sign this process's calls; None if there are none.

    Raises:
        SettingsError: the file cannot be used.
    """
    return Secrets(settings.secret) if settings.secret else None


def open_origin_secrets(settings: TrustSettings) -> Secrets | None:
    """The secrets that sign origins: those of their own, else the suite's; None and errors as with `open_secrets`."""
    return Secrets(settings.origin_secret, "origin_secret") if settings.origin_secret else open_secrets(settings)


def signed_origin(secrets: Secrets, origin: str) -> tuple[Pair, Pair]:
    """The metadata that says where a call comes from, and proves it."""
    return (ORIGIN_KEY, origin), (ORIGIN_SIGNATURE_KEY, secrets.signature(ORIGIN_KEY, origin.encode()))


def proven_origin(secrets: Secrets, metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """Where a call comes from, as its metadata proves; empty if it does not, or says it more than once."""
    pairs = [(key, str(value)) for key, value in metadata if key in (ORIGIN_KEY, ORIGIN_SIGNATURE_KEY)]
    values = dict(pairs)
    if len(pairs) != 2 or len(values) != 2 or len(values[ORIGIN_KEY]) > MAX_ORIGIN:
        return ""
    origin = values[ORIGIN_KEY]
    is_proven = secrets.is_signed(values[ORIGIN_SIGNATURE_KEY], ORIGIN_KEY, origin.encode())
    return origin if is_proven else ""


def _secrets(path: Path) -> Sequence[bytes]:
    secrets = [line.strip() for line in path.read_bytes().splitlines() if line.strip()]
    if not secrets:
        raise ValueError("the file holds no secret: write one with `openssl rand -hex 32`")
    if any(len(secret) < MIN_BYTES for secret in secrets):
        raise ValueError(
            f"each secret must have at least {MIN_BYTES} characters: write one with `openssl rand -hex 32`"
        )
    return secrets


def _digest(secret: bytes, method: str, moment: str, content: bytes) -> str:
    text = f"{VERSION}\n{method}\n{moment}\n{hashlib.sha256(content).hexdigest()}"
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()


def _names_of(context: Any) -> set[str]:
    """The names in the certificate of the other side; empty without one."""
    properties = context.auth_context()
    values = [*properties.get("x509_common_name", ()), *properties.get("x509_subject_alternative_name", ())]
    return {value.decode(errors="replace") for value in values}
