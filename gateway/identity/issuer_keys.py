"""The public keys of the issuer of tokens: a JWK Set (RFC 7517) from a file, or from a URL that is fetched off and on.

PyJWT's own client fetches while the event loop waits, forgets its keys while the URL is down, and reads any size.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
import jwt
import structlog

from gateway.identity.settings import AuthSettings
from libs.runtime.errors import Unavailable
from libs.runtime.security.watched_files import WatchedFiles
from libs.runtime.settings import SettingsError

ALGORITHMS: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("RSA", ""): frozenset({"RS256", "PS256"}),
    ("EC", "P-256"): frozenset({"ES256"}),
    ("OKP", "Ed25519"): frozenset({"EdDSA"}),
}
"""The signatures of each type of key (kty, crv). Shared secrets (`oct`) are in none of them."""
URLS: Final = ("https://", "http://")
MAX_BYTES: Final = 1024 * 1024
"""Largest JWK Set; one of 20 RSA keys with their certificates has 50 KB (taste)."""
REFRESH_SECONDS: Final = 30.0
"""Minimum time between two fetches, so that tokens that name unknown keys cannot flood the issuer; taste."""
FETCH_SECONDS: Final = 5.0
"""Timeout of a fetch; the calls that need the keys wait for it (taste)."""

_log = structlog.get_logger("parley.identity")


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks signatures."""

    key_id: str
    algorithms: frozenset[str]
    key: Any
    """As the library of tokens takes it."""


@dataclass(frozen=True, slots=True)
class KeySet:
    """The keys of an issuer."""

    keys: tuple[PublicKey, ...] = ()

    def key(self, key_id: str | None, algorithm: str) -> PublicKey | None:
        """The key of this id, or the only one for the algorithm if a token names none; None if there is none."""
        fitting = [key for key in self.keys if algorithm in key.algorithms and key_id in (key.key_id, None)]
        return fitting[0] if len(fitting) == 1 else None


FindKey = Callable[[str | None, str], Awaitable[PublicKey | None]]
"""Finds the issuer's key of an id for an algorithm, as `KeySet.key` does; raises Unavailable if keys are not known."""


class KeyUrl:
    """Keys from a URL, fetched when they are first needed, when they are old, and when a token names an unknown one.

    All calls wait for one fetch together, and none of them ends it. If a fetch fails, the earlier keys stay.

    Args:
        client: fetches; closed by its owner.
        max_age_seconds: age at which the keys are fetched again.
    """

    def __init__(self, url: str, client: httpx2.AsyncClient, max_age_seconds: float) -> None:
        self._url = url
        self._client = client
        self._max_age_seconds = max_age_seconds
        self._keys = KeySet()
        self._fetched_at = -float("inf")
        self._tried_at = -float("inf")
        self._fetching: asyncio.Task[None] | None = None

    async def key(self, key_id: str | None, algorithm: str) -> PublicKey | None:
        """Return the issuer's key of an id for an algorithm, None if it has none; Unavailable if no keys are known."""
        key = self._keys.key(key_id, algorithm)
        if key is None or time.monotonic() - self._fetched_at >= self._max_age_seconds:
            self._begin()
        if key is not None:
            return key  # a fetch because of their age goes on beside the call
        if self._fetching is not None:
            await asyncio.shield(self._fetching)
        if not self._keys.keys:
            raise Unavailable(
                "ISSUER_UNAVAILABLE",
                "Tokens cannot be checked now: try again later.",
                retry_after=self._seconds_to_wait(),
            )
        return self._keys.key(key_id, algorithm)

    async def close(self) -> None:
        """End a running fetch."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    def _begin(self) -> None:
        """Start a fetch unless one runs, or the last one is not long ago."""
        if self._fetching is None and self._seconds_to_wait() <= 0:
            self._tried_at = time.monotonic()
            self._fetching = asyncio.create_task(self._fetch())
            self._fetching.add_done_callback(self._end)

    def _end(self, _: asyncio.Task[None]) -> None:
        self._fetching = None

    def _seconds_to_wait(self) -> float:
        return max(0.0, self._tried_at + REFRESH_SECONDS - time.monotonic())

    async def _fetch(self) -> None:
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                self._keys = read_key_set(await self._content())
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, TimeoutError, ValueError) as error:
            _log.warning("keys of the issuer not fetched", url=self._url, reason=str(error) or type(error).__name__)
        else:
            self._fetched_at = time.monotonic()
            _log.info("keys of the issuer fetched", url=self._url, keys=[key.key_id for key in self._keys.keys])

    async def _content(self) -> bytes:
        content = bytearray()
        async with self._client.stream("GET", self._url) as response:
            response.raise_for_status()
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > MAX_BYTES:
                    raise ValueError(f"the JWK Set has more than {MAX_BYTES} bytes")
        return bytes(content)


@asynccontextmanager
async def open_issuer_keys(settings: AuthSettings) -> AsyncIterator[FindKey]:
    """The keys that the setting `jwks` names; a file that has changed is read within the next call.

    Raises:
        SettingsError: the file or the URL cannot be used.
    """
    if not settings.jwks.startswith(URLS):
        path = Path(settings.jwks)
        files = WatchedFiles([path], lambda: read_key_set(path.read_bytes()), settings.variable("jwks"))

        async def key(key_id: str | None, algorithm: str) -> PublicKey | None:
            return files.current().key(key_id, algorithm)

        yield key
        return
    if not httpx2.URL(settings.jwks).host:
        raise SettingsError(f"{settings.variable('jwks')}: the URL names no host")
    if not settings.jwks.startswith(URLS[0]):
        _log.warning("keys of the issuer come in plain text: whoever changes them on the way can make tokens")
    async with httpx2.AsyncClient(timeout=FETCH_SECONDS) as client:
        keys = KeyUrl(settings.jwks, client, settings.max_age_seconds)
        try:
            yield keys.key
        finally:
            await keys.close()


def read_key_set(content: bytes) -> KeySet:
    """The usable keys of a JWK Set; keys of other types, private ones and those for encryption are left out.

    Raises:
        ValueError: it is no JWK Set, or has no usable key.
    """
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("the JWK Set is not JSON") from None
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ValueError("the JWK Set has no list of keys")
    keys = [key for entry in entries if isinstance(entry, dict) and (key := _public_key(entry)) is not None]
    if not keys:
        raise ValueError("the JWK Set has no public key of a supported type: RSA, EC P-256, Ed25519")
    return KeySet(tuple(keys))


def _public_key(entry: dict[str, Any]) -> PublicKey | None:
    kind = str(entry.get("kty")), str(entry.get("crv", ""))
    algorithms = ALGORITHMS.get(kind, frozenset())
    if entry.get("alg") is not None:
        algorithms &= {str(entry["alg"])}
    operations = entry.get("key_ops", ["verify"])
    verifies = operations is None or (isinstance(operations, list) and "verify" in operations)
    if not algorithms or "d" in entry or entry.get("use", "sig") != "sig" or not verifies:
        return None
    try:
        return PublicKey(str(entry.get("kid", "")), algorithms, jwt.PyJWK(entry, min(algorithms)).key)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError, AttributeError):
        return None
