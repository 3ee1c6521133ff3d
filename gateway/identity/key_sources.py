"""Where the keys of the issuer come from: a file, or a URL that is fetched off and on."""

import asyncio
import time
from pathlib import Path
from typing import Final, Protocol

import httpx2
import structlog

from gateway.identity.key_set import KeySet, PublicKey, read_key_set
from libs.runtime.errors import Unavailable
from libs.runtime.security.watched_files import WatchedFiles

MAX_BYTES: Final = 1024 * 1024
"""Largest JWK Set; one of 20 RSA keys with their certificates has 50 KB."""
REFRESH_SECONDS: Final = 30.0
"""Minimum time between two fetches, so that tokens that name unknown keys cannot flood the issuer; taste."""
FETCH_SECONDS: Final = 5.0
"""Timeout of a fetch; the calls that need the keys wait for it."""
_log = structlog.get_logger("parley.identity")


class KeySource(Protocol):
    """Finds the key of a token."""

    async def key(self, key_id: str | None, algorithm: str) -> PublicKey | None:
        """The key of this id for this algorithm; None if the issuer has none.

        Raises:
            Unavailable: the keys are not known yet and cannot be fetched.
        """
        ...


class KeyFile:
    """Keys from a file, read anew when it changes.

    Raises:
        OSError, ValueError: the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._files = WatchedFiles([path], lambda: read_key_set(path.read_bytes()))

    async def key(self, key_id: str | None, algorithm: str) -> PublicKey | None:
        """See KeySource."""
        return self._files.current().key(key_id, algorithm)


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
        self._keys: KeySet | None = None
        self._fetched_at = -float("inf")
        self._tried_at = -float("inf")
        self._fetching: asyncio.Task[None] | None = None

    async def key(self, key_id: str | None, algorithm: str) -> PublicKey | None:
        """See KeySource."""
        key = self._keys.key(key_id, algorithm) if self._keys else None
        if key is None:
            await self._refresh()
            if self._keys is None:
                raise Unavailable(
                    "ISSUER_UNAVAILABLE",
                    "Tokens cannot be checked: the issuer's keys cannot be fetched.",
                    retry_after=self._seconds_to_wait(),
                )
            return self._keys.key(key_id, algorithm)
        if time.monotonic() - self._fetched_at >= self._max_age_seconds:
            self._begin()  # the call goes on with the keys that there are
        return key

    async def close(self) -> None:
        """End a running fetch."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    async def _refresh(self) -> None:
        self._begin()
        if self._fetching is not None:
            await asyncio.shield(self._fetching)

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
