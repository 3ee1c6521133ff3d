"""Web pages as documents: urls that a user names, and those that a sitemap lists.

Pages are fetched one after another, with a pause between two requests to a host, as its robots.txt allows, from public
addresses only. A page that is reached by several addresses is one document, called by its canonical one.
"""

import asyncio
import hashlib
import posixpath
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote, urlsplit

from ingest.content import Content
from ingest.documents import ParsedDocument, PassedOver, ReadResult, Unreadable
from ingest.formats.known import HTML
from ingest.readers import read
from ingest.sources.sitemaps import ListedPage, listed_pages
from libs.web.fetching import FetchedPage, Fetcher, FetchError, parse_url
from libs.web.iso_dates import iso_stamp
from libs.web.limits import FetchLimits

MAX_ID: Final = 512
"""Maximum characters that the contract allows."""
ACCEPTED: Final = "text/html, application/xhtml+xml, application/pdf;q=0.9, text/plain;q=0.8, */*;q=0.5"


def read_web(
    urls: Sequence[str],
    sitemaps: Sequence[str],
    limits: FetchLimits,
    read_content: Callable[[Content], Iterator[ReadResult]] = read,
) -> Iterator[tuple[str, Iterator[ReadResult]]]:
    """Yield each page's url with the documents from `read_content`, or the reason for none. Blocks while fetching."""
    seen: set[str] = set()
    with asyncio.Runner() as runner:
        pages = _pages(urls, sitemaps, limits)
        while (page := runner.run(_next(pages))) is not None:
            listed_page, page_content = page
            yield listed_page.url, _documents(listed_page, page_content, read_content, seen)


async def _next(
    pages: AsyncIterator[tuple[ListedPage, FetchedPage | str]],
) -> tuple[ListedPage, FetchedPage | str] | None:
    return await anext(pages, None)


async def _pages(
    urls: Sequence[str], sitemaps: Sequence[str], limits: FetchLimits
) -> AsyncIterator[tuple[ListedPage, FetchedPage | str]]:
    """Yield each page with what was fetched, or why nothing was."""
    async with Fetcher(limits) as fetcher:
        for url in urls:
            yield await _fetch(fetcher, ListedPage(url))
        for sitemap in sitemaps:
            try:
                parse_url(sitemap)
            except FetchError as error:
                yield ListedPage(sitemap), str(error)
                continue
            async for listed_page in listed_pages(fetcher, sitemap):
                yield (listed_page, listed_page.failure) if listed_page.failure else await _fetch(fetcher, listed_page)


async def _fetch(fetcher: Fetcher, listed_page: ListedPage) -> tuple[ListedPage, FetchedPage | str]:
    try:
        return listed_page, await fetcher.get(listed_page.url, ACCEPTED)
    except FetchError as error:
        return listed_page, str(error)


def _documents(
    listed_page: ListedPage,
    page: FetchedPage | str,
    read_content: Callable[[Content], Iterator[ReadResult]],
    seen: set[str],
) -> Iterator[ReadResult]:
    """Yield the documents of a page, unless one of the addresses `seen` was the same page."""
    if isinstance(page, str):
        yield Unreadable(listed_page.url, page)
        return
    address = _address(page)
    if address in seen:
        yield PassedOver(listed_page.url, f"is the same page as {address}")
        return
    seen.add(address)
    for result in read_content(
        Content(
            where=listed_page.url,
            name=posixpath.basename(unquote(urlsplit(page.url).path)) or "page.html",
            document_id=url_id(address),
            data=page.body,
            media_type=page.media_type,
            charset=page.charset,
            url=page.url,
            date=listed_page.date or iso_stamp(page.last_modified),
            main_text=True,
        )
    ):
        if isinstance(result, ParsedDocument) and result.url == page.url:
            result = replace(result, url=address)
        yield result


def _address(page: FetchedPage) -> str:
    from ingest.sources.canonical import canonical_url  # imports lxml

    return canonical_url(page.url, page.body if page.media_type in ("", *HTML.media_types) else b"")


def url_id(url: str) -> str:
    """The id of a document: its url without the fragment (or FetchError); a long one ends in 64 bits of a digest."""
    place = str(parse_url(url))
    if len(place) <= MAX_ID:
        return place
    return f"{place[: MAX_ID - 17]}~{hashlib.sha256(place.encode()).hexdigest()[:16]}"
