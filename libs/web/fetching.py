"""Fetches a page from a public address, as robots.txt allows, in bounded time and size.

    async with Fetcher(FetchLimits()) as fetcher:
        page = await fetcher.get("https://example.org/news.html")

Every failure is a `FetchError`: `failure` is for programs, the message for people. Redirects are followed here rather
than by the HTTP client, so that each step gets the same checks. Proxies, cookies and .netrc are not used. Nothing
blocks the event loop but unpacking a page of at most `FetchLimits.max_bytes`, and reading a robots.txt.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from types import TracebackType
from typing import Final, Self

import httpx2

from libs.web.addresses import AddressRefused, resolve
from libs.web.limits import PRODUCT, FetchLimits, user_agent
from libs.web.robots import ROBOTS_BYTES, Pacing, RobotsCache
from libs.web.unpacking import OversizedError, UnpackError, unpack

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
PORTS: Final = {"http": 80, "https": 443}
MAX_URL: Final = 4096
"""Characters; the limit of the contract."""


class Failure(StrEnum):
    """Why a page could not be fetched."""

    BAD_URL = "BAD_URL"
    ADDRESS_REFUSED = "ADDRESS_REFUSED"
    """The host is unknown, or not on the public internet."""
    ROBOTS = "ROBOTS"
    UNREACHABLE = "UNREACHABLE"
    TOO_SLOW = "TOO_SLOW"
    TOO_LARGE = "TOO_LARGE"
    UNREADABLE = "UNREADABLE"
    """The body is damaged, or its content encoding is not supported."""
    STATUS = "STATUS"
    """The host answered with a status other than 200."""


class FetchError(Exception):
    """A page could not be fetched; the message is a predicate of "the page": "is refused by robots.txt"."""

    def __init__(self, failure: Failure, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.failure = failure
        self.status = status
        """The HTTP status; 0 if there was none."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A fetched page."""

    url: str
    """The final URL, after redirects."""
    body: bytes
    media_type: str = ""
    """For example "text/html", in lower case; empty if the host does not state it."""
    charset: str = ""
    """As the host states it; empty if it does not."""
    last_modified: str = ""
    """As the host states it (RFC 9110 date); empty if it does not."""


class Fetcher:
    """Fetches pages, also concurrently. An async context manager."""

    def __init__(self, limits: FetchLimits | None = None) -> None:
        self.limits = limits or FetchLimits()
        self._agent = user_agent()
        self._robots = RobotsCache(self._ask_robots)
        self._pacing = Pacing(self.limits.pause_seconds, self.limits.longest_pause_seconds)
        self._transport: httpx2.AsyncHTTPTransport | None = None
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> Self:
        context = await asyncio.to_thread(ssl.create_default_context)
        # No keep-alive: the pool distinguishes connections by address, so a TLS connection verified for host A could be
        # reused for host B at the same address.
        alone = httpx2.Limits(max_connections=100, max_keepalive_connections=0)  # 100: httpx's default
        self._transport = await self._opened.enter_async_context(
            httpx2.AsyncHTTPTransport(verify=context, trust_env=False, limits=alone)
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opened.aclose()

    async def get(self, url: str, accept: str = "*/*") -> FetchedPage:
        """Fetch the page at a URL.

        Raises:
            FetchError: the page cannot or must not be fetched within the limits.
        """
        parsed_url = parse_url(url)
        try:
            if self.limits.robots:
                await self._obey(parsed_url)
            async with self._pacing.turn(parsed_url.host), asyncio.timeout(self.limits.seconds):
                return await self._follow(parsed_url, accept, self.limits, obey_robots=True)
        except TimeoutError:
            raise FetchError(Failure.TOO_SLOW, f"did not arrive within {self.limits.seconds:g} seconds") from None

    async def _obey(self, url: httpx2.URL) -> None:
        rules = await self._robots.rules(f"{url.scheme}://{url.netloc.decode('ascii')}")
        if rules is None:
            raise FetchError(
                Failure.UNREACHABLE, "cannot be fetched (the host does not answer the request for its robots.txt)"
            )
        if not rules.can_fetch(str(url), PRODUCT):
            raise FetchError(Failure.ROBOTS, "is disallowed by the host's robots.txt")
        self._pacing.slow_down(url.host, rules.crawl_delay(PRODUCT) or 0.0)

    async def _ask_robots(self, url: str) -> str | None:
        try:
            async with asyncio.timeout(self.limits.seconds):
                limits = replace(self.limits, max_bytes=ROBOTS_BYTES, robots=False)
                page = await self._follow(httpx2.URL(url), "text/plain", limits, obey_robots=True)
        except FetchError as error:
            if error.failure is Failure.ADDRESS_REFUSED:
                raise
            return "" if 400 <= error.status < 500 else None  # RFC 9309: then there are no rules
        except TimeoutError:
            return None
        return page.body.decode("utf-8", "replace")

    async def _follow(self, url: httpx2.URL, accept: str, limits: FetchLimits, obey_robots: bool) -> FetchedPage:
        """Fetch a page with at most `limits.redirects` redirects; check robots.txt for each target if enabled."""
        for _ in range(limits.redirects + 1):
            if limits.robots and not obey_robots:
                await self._obey(url)
            async with self._response(url, accept) as response:
                if response.status_code not in REDIRECTS:
                    return await _page(url, response, limits.max_bytes)
                target = response.headers.get("location", "")
            url, obey_robots = parse_url(str(url.join(target))), False
        raise FetchError(Failure.UNREACHABLE, f"redirects more than {limits.redirects} times")

    @asynccontextmanager
    async def _response(self, url: httpx2.URL, accept: str) -> AsyncIterator[httpx2.Response]:
        """The response to one request to a checked address; closed on exit."""
        port = url.port or PORTS[url.scheme]
        try:
            addresses = await resolve(url.raw_host.decode("ascii"), port, self.limits.allow_loopback)
        except AddressRefused as error:
            raise FetchError(Failure.ADDRESS_REFUSED, f"cannot be requested: {error}") from None
        try:
            response = await self._send([self._request(url, address, accept) for address in addresses])
            try:
                yield response
            finally:
                await response.aclose()
        except httpx2.TransportError as error:
            raise FetchError(Failure.UNREACHABLE, f"cannot be fetched ({_in_words(error)})") from None

    async def _send(self, requests: Sequence[httpx2.Request]) -> httpx2.Response:
        """The response to the first request whose address accepts a connection."""
        if self._transport is None:
            raise RuntimeError("the fetcher is not open")
        for request in requests[:-1]:
            with suppress(httpx2.ConnectError):
                return await self._transport.handle_async_request(request)
        return await self._transport.handle_async_request(requests[-1])

    def _request(self, url: httpx2.URL, address: str, accept: str) -> httpx2.Request:
        """A request to an address; `Host` and TLS (SNI, certificate check) still use the host name."""
        headers = {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": self._agent,
            "Accept": accept,
            "Accept-Encoding": "gzip",
            "Connection": "close",
        }
        patience = dict.fromkeys(("connect", "read", "write", "pool"), self.limits.seconds)
        name = url.raw_host.decode("ascii")
        return httpx2.Request(
            "GET", url.copy_with(host=address), headers=headers, extensions={"sni_hostname": name, "timeout": patience}
        )


def parse_url(url: str) -> httpx2.URL:
    """Parse an http or https URL; drop its fragment.

    Raises:
        FetchError: it is not such a URL, contains a user name, or is too long.
    """
    try:
        parsed_url = httpx2.URL(url)
    except httpx2.InvalidURL:
        raise FetchError(Failure.BAD_URL, "is not a URL") from None
    if parsed_url.scheme not in PORTS or not parsed_url.host:
        raise FetchError(Failure.BAD_URL, "is not an http or https URL")
    if parsed_url.userinfo:
        raise FetchError(Failure.BAD_URL, "contains a user name, which is not sent")
    if len(url) > MAX_URL:
        raise FetchError(Failure.BAD_URL, f"is longer than {MAX_URL:,} characters")
    return parsed_url.copy_with(fragment=None)


async def _page(url: httpx2.URL, response: httpx2.Response, most: int) -> FetchedPage:
    if response.status_code != 200:
        status = response.status_code
        raise FetchError(Failure.STATUS, f"cannot be fetched (the host answers {status})", status)
    content = await _read_body(response, most)
    encoding = response.headers.get("content-encoding", "").strip().lower()
    try:
        body = content if encoding in ("", "identity") else unpack(content, encoding, most)
    except UnpackError as error:
        failure = Failure.TOO_LARGE if isinstance(error, OversizedError) else Failure.UNREADABLE
        raise FetchError(failure, str(error)) from None
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return FetchedPage(
        str(url), body, media_type, response.charset_encoding or "", response.headers.get("last-modified", "")
    )


async def _read_body(response: httpx2.Response, most: int) -> bytes:
    """The body as sent, still encoded; stops reading once it exceeds `most` bytes."""
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > most:
            raise FetchError(Failure.TOO_LARGE, f"is larger than {most:,} bytes")
    return bytes(body)


def _in_words(error: httpx2.TransportError) -> str:
    if isinstance(error, httpx2.TimeoutException):
        return "it takes too long"
    return "no connection" if isinstance(error, httpx2.ConnectError) else "the connection broke"
