"""Web pages as documents: urls that a user names, and those that a sitemap lists.

Pages are fetched one after another, with a pause between two requests to a host, as its robots.txt allows, from public
addresses only.
"""

import asyncio
import hashlib
import posixpath
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

from ingest.content import Content
from ingest.documents import Read, Unreadable
from ingest.readers import read
from ingest.sitemaps import Listed, listed_pages
from libs.web.fetching import FetchedPage, Fetcher, FetchError, parse_url
from libs.web.limits import FetchLimits
from libs.web.stamps import iso_stamp

LONGEST_ID: Final = 512
"""Maximum characters that the contract allows."""
ACCEPTED: Final = "text/html, application/xhtml+xml, application/pdf;q=0.9, text/plain;q=0.8, */*;q=0.5"


def read_web(
    urls: Sequence[str],
    sitemaps: Sequence[str],
    limits: FetchLimits,
    read_content: Callable[[Content], Iterator[Read]] = read,
) -> Iterator[tuple[str, Iterator[Read]]]:
    """Yield each page's url with the documents from `read_content`, or the reason for none. Blocks while fetching."""
    with asyncio.Runner() as runner:
        pages = _pages(urls, sitemaps, limits)
        while (page := runner.run(_next(pages))) is not None:
            listed, fetched = page
            yield listed.url, _documents(listed, fetched, read_content)


async def _next(pages: AsyncIterator[tuple[Listed, FetchedPage | str]]) -> tuple[Listed, FetchedPage | str] | None:
    return await anext(pages, None)


async def _pages(
    urls: Sequence[str], sitemaps: Sequence[str], limits: FetchLimits
) -> AsyncIterator[tuple[Listed, FetchedPage | str]]:
    """Yield each page with what was fetched, or why nothing was."""
    async with Fetcher(limits) as fetcher:
        for url in urls:
            yield await _fetched(fetcher, Listed(url))
        for sitemap in sitemaps:
            try:
                parse_url(sitemap)
            except FetchError as error:
                yield Listed(sitemap), str(error)
                continue
            async for listed in listed_pages(fetcher, sitemap):
                yield (listed, listed.failure) if listed.failure else await _fetched(fetcher, listed)


async def _fetched(fetcher: Fetcher, listed: Listed) -> tuple[Listed, FetchedPage | str]:
    try:
        return listed, await fetcher.get(listed.url, ACCEPTED)
    except FetchError as error:
        return listed, str(error)


def _documents(
    listed: Listed, fetched: FetchedPage | str, read_content: Callable[[Content], Iterator[Read]]
) -> Iterator[Read]:
    if isinstance(fetched, str):
        yield Unreadable(listed.url, fetched)
        return
    yield from read_content(
        Content(
            where=listed.url,
            name=posixpath.basename(unquote(urlsplit(fetched.url).path)) or "page.html",
            document_id=url_id(listed.url),
            data=fetched.body,
            media_type=fetched.media_type,
            charset=fetched.charset,
            url=fetched.url,
            date=listed.date or iso_stamp(fetched.last_modified),
            main_text=True,
        )
    )


def url_id(url: str) -> str:
    """The id of the document at a url: the url without its fragment; a very long one ends in a digest."""
    place = str(parse_url(url))
    if len(place) <= LONGEST_ID:
        return place
    return f"{place[: LONGEST_ID - 17]}~{hashlib.sha256(place.encode()).hexdigest()[:16]}"
