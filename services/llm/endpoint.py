"""The chat completions API over HTTP: a request out, JSON or a stream of JSON back.

Written on aiohttp, which parses HTTP in C: with OpenAI's own library a streamed answer of 60 pieces took 25 ms of CPU,
here 2 ms, and 46 MB of memory more. Texts of the endpoint stay in the cause of an error, out of its message.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from services.llm.errors import LlmError, LlmTooSlow, LlmUnavailable, LlmUnusable

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession, StreamReader

MOST_CONNECTIONS: Final = 1000
"""At once; one more request waits for another's end. As OpenAI's library has it."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0
"""Seconds before a request is repeated, doubled each time, up to the second; as OpenAI's library has them. An endpoint
that wants us to wait for longer is taken for down: somebody waits for the answer, and the rules are there."""
REPEATED: Final = frozenset((408, 409, 429))
"""HTTP statuses after which a request is repeated, besides all from 500 on."""
REFUSED: Final = (400, 413, 422)
"""HTTP statuses by which an endpoint says that it will never take this request."""
_DATA, _DONE = b"data:", b"[DONE]"


@dataclass(slots=True)
class Endpoint:
    """One address with its key and its connections. Close it when nobody asks any more."""

    base_url: str
    key: str
    connect_seconds: float
    retries: int
    _session: "ClientSession | None" = field(default=None)

    async def answer(self, request: Mapping[str, Any], ends: float | None) -> Any:
        """The whole answer, as JSON.

        Args:
            request: the API's fields, without `stream`.
            ends: when it must have come, in time.monotonic's seconds; None sets no limit.

        Raises:
            LlmError: it cannot be reached, refuses, is too slow, or answers no JSON.
        """
        async with self._answered(request, ends) as response, asyncio.timeout(_left(ends)):
            return _json(await response.read())

    async def chunks(self, request: Mapping[str, Any], ends: float | None) -> AsyncGenerator[list[Any], None]:
        """The chunks of a streamed answer, those that came together in one list; leaving it drops the connection.

        An endpoint that answers with one JSON instead gives that as its only chunk.

        Args:
            request: as for `answer`.
            ends: when the last one must have come, likewise.

        Raises:
            LlmError: as with `answer`; or it left in the middle, or was too slow.
        """
        async with self._answered({**request, "stream": True}, ends) as response:
            if response.content_type == "application/json":
                async with asyncio.timeout(_left(ends)):
                    yield [_json(await response.read())]
                return
            left = b""
            while data := await _more(response, ends):
                *lines, left = (left + data).split(b"\n")
                told = [line[len(_DATA) :].strip() for line in lines if line.startswith(_DATA)]
                read, broken = _read([chunk for chunk in told if chunk != _DONE])
                if read:
                    yield read
                if broken:
                    raise broken
                if _DONE in told:
                    return

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    @asynccontextmanager
    async def _answered(self, request: Mapping[str, Any], ends: float | None) -> AsyncIterator["ClientResponse"]:
        """The response to a request that went well, closed at the end."""
        import aiohttp

        try:
            async with asyncio.timeout(_left(ends)):
                response = await self._asked(json.dumps(request, ensure_ascii=False).encode(), ends)
            try:
                yield response
            finally:
                if not response.content.is_eof():
                    response.close()
        except TimeoutError as error:
            raise LlmTooSlow from error
        except aiohttp.ClientError as error:
            raise LlmUnavailable("the language model can't be reached, or left in the middle") from error

    async def _asked(self, body: bytes, ends: float | None) -> "ClientResponse":
        """The response, repeated as often as may be, and as there is time for."""
        import aiohttp

        for attempt in range(self.retries + 1):
            try:
                response = await self._opened().post(
                    f"{self.base_url}/chat/completions",
                    data=body,
                    # Those of the session would go to a proxy, too.
                    headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
                )
            except (aiohttp.ClientConnectionError, TimeoutError):
                if attempt == self.retries:
                    raise
                await asyncio.sleep(_wait(attempt))
                continue
            if response.status < 400:
                return response
            response.close()
            asked, left = _retry_after(response), _left(ends)
            wait = _wait(attempt, asked)
            in_time = wait <= LONGEST_WAIT and (left is None or wait < left)
            if attempt == self.retries or not _may_repeat(response.status) or not in_time:
                raise _of_status(response.status, asked)
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _opened(self) -> "ClientSession":
        import aiohttp

        if self._session is None:
            self._session = aiohttp.ClientSession(
                # The rest is `asyncio.timeout`'s.
                timeout=aiohttp.ClientTimeout(total=None, connect=None, sock_connect=self.connect_seconds),
                connector=aiohttp.TCPConnector(limit=MOST_CONNECTIONS),
                proxy=_proxy_to(self.base_url),
            )
        return self._session


def _proxy_to(address: str) -> str | None:
    """The environment's proxy (`HTTPS_PROXY`, but not for what is in `NO_PROXY`).

    aiohttp's `trust_env` would read it with each request, and ~/.netrc besides: for a host that stands there it sends
    no request that brings its own key.
    """
    from urllib.request import getproxies, proxy_bypass

    url = urlsplit(address)
    return None if proxy_bypass(url.hostname or "") else getproxies().get(url.scheme)


async def _more(response: "ClientResponse", ends: float | None) -> bytes:
    """What has come since; empty at the end. A connection that broke is told when all that came before is read."""
    import aiohttp

    try:
        async with asyncio.timeout(_left(ends)):
            return await response.content.readany()
    except aiohttp.ClientError as error:
        if came := _unread(response.content, error):
            return came
        raise


def _unread(content: "StreamReader", error: BaseException) -> bytes:
    """What came before a connection broke.

    aiohttp's reader (3.14) keeps it, but each of its methods raises the error first, and none takes the error off. So
    it is taken off by the one that sets it, for which None is not meant. Would that cease to work, what came last were
    lost with the connection.
    """
    content.set_exception(None)  # type: ignore[arg-type]
    try:
        return content.read_nowait()
    finally:
        content.set_exception(error)


def _left(ends: float | None) -> float | None:
    return None if ends is None else max(0.0, ends - time.monotonic())


def _read(chunks: Sequence[bytes]) -> tuple[list[Any], LlmUnusable | None]:
    """The chunks up to the first that is no JSON, and what is wrong with that one."""
    with suppress(LlmUnusable):  # as one text: 60 take less than half the time that they take one by one
        together = _json(b"[%b]" % b",".join(chunks))
        if len(together) == len(chunks):
            return together, None
    read: list[Any] = []
    for chunk in chunks:
        try:
            read.append(_json(chunk))
        except LlmUnusable as error:
            return read, error
    return read, None


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise LlmUnusable("the endpoint's answer is no chat completion") from error


def _may_repeat(status: int) -> bool:
    return status in REPEATED or status >= 500


def _retry_after(response: "ClientResponse") -> float | None:
    """Seconds that the endpoint asks us to wait, where it says so as a number."""
    said = response.headers.get("Retry-After", "")
    return float(said) if said.replace(".", "", 1).isdecimal() else None


def _wait(attempt: int, asked: float | None = None) -> float:
    """Seconds before the next attempt: as asked, else longer each time, with up to a quarter taken off by chance."""
    if asked:
        return asked
    return min(FIRST_WAIT * float(2**attempt), LONGEST_WAIT) * (1 - 0.25 * random.random())


def _of_status(status: int, retry_after: float | None) -> LlmError:
    if status in REFUSED:
        return LlmUnusable(f"the language model's endpoint refuses the request (HTTP {status})")
    return LlmUnavailable(f"the language model's endpoint answers HTTP {status}", retry_after)
