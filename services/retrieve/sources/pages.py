"""Reads pages concurrently: fetches them by the shared fetcher, extracts their text in threads, caches it in memory."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import structlog

from libs.contracts.spans import Span
from libs.documents.reading import structure_of
from libs.documents.structure import slice_structure
from libs.web.charsets import declared_charset
from services.retrieve.sources.web_search import page_key

if TYPE_CHECKING:
    from libs.web.fetching import FetchedPage, Fetcher
    from libs.web.pages import WebPage


EXTRACTORS = 2
"""Threads that extract text; separate from those of searches, so that a slow page delays no search (taste)."""
PAGE_SECONDS: Final = 3.0
"""Timeout of a page with its robots.txt and redirects (taste: three of the five seconds of a web search)."""
CACHED_PAGES: Final = 64
"""Pages whose text is cached in memory, so that the sub-queries of a turn read each page once (taste)."""
CACHE_SECONDS: Final = 300.0  # seconds that a page is cached: some turns (taste)
TOO_SLOW = "is too slow"
_log = structlog.get_logger("parley.retrieve")


ACCEPT: Final = "text/html,application/xhtml+xml,text/plain;q=0.8"
MARKUP: Final = frozenset({"text/html", "application/xhtml+xml"})
PLAIN: Final = frozenset({"text/plain", "text/markdown"})
MAX_TEXT_CHARACTERS: Final = 200_000  # characters; the rest of a page is ignored (taste)
MAX_TITLE_CHARACTERS: Final = 300  # taste


class PageUnread(Exception):  # noqa: N818 - it names what happened
    """A page was not read; the message completes a sentence that begins with "the page"."""


class PageReader:
    """Reads pages; close it at the end. The fetcher's owner closes the fetcher."""

    def __init__(self, fetcher: "Fetcher") -> None:
        """Nothing is fetched yet."""
        self._fetcher = fetcher
        self._cache: OrderedDict[str, tuple[float, WebPage]] = OrderedDict()
        self._threads = ThreadPoolExecutor(EXTRACTORS, thread_name_prefix="page")

    async def read_all(self, urls: Sequence[str], seconds: float) -> "list[WebPage | PageUnread]":
        """Read pages concurrently, in order; those that are not finished after `seconds` in all are unread."""
        tasks = [asyncio.create_task(self._read(url)) for url in urls]
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=max(0.0, seconds))
            return [task.result() if task.done() else PageUnread(TOO_SLOW) for task in tasks]
        finally:
            for task in tasks:
                task.cancel()

    async def _read(self, url: str) -> "WebPage | PageUnread":
        from libs.web.fetching import FetchError  # an HTTP client, which only the web needs

        key = page_key(url) or url
        expires, cached_page = self._cache.get(key, (0.0, None))
        if cached_page is not None and time.monotonic() < expires:
            return cached_page
        try:
            async with asyncio.timeout(PAGE_SECONDS):
                fetched = await self._fetcher.get(url, ACCEPT)
                page = await asyncio.get_running_loop().run_in_executor(self._threads, text_of, fetched)
        except TimeoutError:
            return PageUnread(TOO_SLOW)
        except (FetchError, PageUnread) as error:
            return PageUnread(str(error))
        except Exception as error:
            _log.error("a page could not be read", exc_info=error)
            return PageUnread("cannot be read")
        self._keep(key, page)
        return page

    def close(self) -> None:
        """Close without waiting: remaining work is harmless."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _keep(self, key: str, page: "WebPage") -> None:
        self._cache[key] = (time.monotonic() + CACHE_SECONDS, page)
        self._cache.move_to_end(key)
        while len(self._cache) > CACHED_PAGES:
            self._cache.popitem(last=False)


def text_of(page: "FetchedPage") -> "WebPage":
    """The main text of a page; raises PageUnread. Blocking: tens of milliseconds for 50 KB, seconds for the largest."""
    from libs.web.pages import NoPage, WebPage, read_page  # parsers that only pages need

    if page.media_type not in PLAIN | MARKUP:
        raise PageUnread(f"is no text but {page.media_type[:60] or 'of an unknown kind'}")  # taste
    text = _decode(page)
    try:
        is_plain = page.media_type in PLAIN
        content = WebPage(text, structure=structure_of(text)) if is_plain else read_page(text, page.url, main=True)
    except NoPage:
        raise PageUnread("says nothing") from None
    except Exception as error:  # parsers may raise anything on a malformed page
        raise PageUnread("cannot be read") from error
    if not content.text.strip():
        raise PageUnread("says nothing")
    text, structure = content.text.replace("\0", " "), content.structure
    if len(text) > MAX_TEXT_CHARACTERS:
        text, structure = text[:MAX_TEXT_CHARACTERS], slice_structure(structure, Span(0, MAX_TEXT_CHARACTERS))
    return replace(content, text=text, title=content.title[:MAX_TITLE_CHARACTERS], structure=structure)


def _decode(page: "FetchedPage") -> str:
    """Decode by the encoding that the server states, else the page, else UTF-8; invalid bytes are replaced."""
    for charset in (page.charset, declared_charset(page.body)):
        try:
            return page.body.decode(charset, "replace") if charset else page.body.decode("utf-8")
        except (LookupError, UnicodeDecodeError):
            continue
    return page.body.decode("utf-8", "replace")
