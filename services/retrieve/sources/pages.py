"""Reads pages concurrently: fetches them by the shared fetcher, extracts their text, and caches it for a while."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import structlog

from services.retrieve.sources.extraction import ACCEPT, NoText, PageText, text_of
from services.retrieve.sources.urls import page_key

if TYPE_CHECKING:
    from libs.web.fetching import FetchedPage, Fetcher

EXTRACTORS = 2
"""Threads that extract text; separate from those of searches, so that a slow page delays no search."""

TOO_SLOW = "is too slow"

_log = structlog.get_logger("parley.retrieve")


class PageUnread(Exception):  # noqa: N818 - it names what happened
    """A page was not read; the message completes a sentence that begins with "the page"."""


class PageReader:
    """Reads pages; close it at the end. The fetcher's owner closes the fetcher."""

    def __init__(self, fetcher: "Fetcher", seconds: float, cache_pages: int, cache_seconds: float) -> None:
        """`seconds` is the timeout of a page; `cache_pages` texts are cached for `cache_seconds`."""
        self._fetcher = fetcher
        self._seconds = seconds
        self._cache_pages = cache_pages
        self._cache_seconds = cache_seconds
        self._cache: OrderedDict[str, tuple[float, PageText]] = OrderedDict()
        self._threads = ThreadPoolExecutor(EXTRACTORS, thread_name_prefix="page")

    async def read(self, url: str) -> PageText:
        """The text of a page.

        Raises:
            PageUnread: it cannot be read, or not in time.
        """
        from libs.web.fetching import FetchError  # an HTTP client, which only the web needs

        key = page_key(url) or url
        expires, cached_page = self._cache.get(key, (0.0, None))
        if cached_page is not None and time.monotonic() < expires:
            return cached_page
        try:
            async with asyncio.timeout(self._seconds):
                page = await self._text(await self._fetcher.get(url, ACCEPT))
        except TimeoutError:
            raise PageUnread(TOO_SLOW) from None
        except (FetchError, NoText) as error:
            raise PageUnread(str(error)) from error
        self._keep(key, page)
        return page

    async def read_all(self, urls: Sequence[str], seconds: float) -> list[PageText | PageUnread]:
        """Read pages concurrently, in order; those that are not finished after `seconds` in all are unread."""
        tasks = [asyncio.create_task(self.read(url)) for url in urls]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=max(0.0, seconds))
            return [_outcome(task) for task in tasks]
        finally:
            for task in tasks:
                task.cancel()

    def close(self) -> None:
        """Close without waiting: remaining work is harmless."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _text(self, page: "FetchedPage") -> PageText:
        return await asyncio.get_running_loop().run_in_executor(self._threads, text_of, page)

    def _keep(self, key: str, page: PageText) -> None:
        self._cache[key] = (time.monotonic() + self._cache_seconds, page)
        self._cache.move_to_end(key)
        while len(self._cache) > self._cache_pages:
            self._cache.popitem(last=False)


def _outcome(task: asyncio.Task[PageText]) -> PageText | PageUnread:
    if not task.done():
        return PageUnread(TOO_SLOW)
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, PageUnread):
        return error
    _log.error("a page could not be read", exc_info=error)
    return PageUnread("cannot be read")
