"""Sitemaps: the pages that a host lists for crawlers (sitemaps.org)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from libs.web.fetching import FetchedPage, Fetcher, FetchError, parse_url
from libs.web.iso_dates import iso_stamp
from libs.web.unpacking import UnpackError, unpack

MAX_BYTES: Final = 50 * 1024 * 1024
"""Maximum size of one sitemap, by its protocol."""
MAX_SITEMAPS: Final = 1000
"""An index may list 50,000; reading stops at this number, with up to 50,000 pages each (taste)."""


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page that a sitemap lists, or a sitemap that could not be read."""

    url: str
    date: str = ""
    """Last change, ISO 8601; empty if the sitemap does not state it."""
    failure: str = ""
    """Why it could not be read; empty for a page."""


async def listed_pages(fetcher: Fetcher, url: str) -> AsyncIterator[ListedPage]:
    """Yield the pages of a sitemap and of those that it lists, on its own host only.

    A host may not list pages of other hosts. A sitemap that cannot be read is yielded as a failure; FetchError is
    raised for a `url` that is none.
    """
    waiting = [url]
    host = parse_url(url).host
    visited: set[str] = set()
    while waiting and len(visited) < MAX_SITEMAPS:
        place = waiting.pop(0)
        if place in visited:
            continue
        visited.add(place)
        try:
            pages, maps = read_sitemap(await fetcher.get(place, "application/xml, text/xml, text/plain"))
        except (FetchError, ValueError) as error:
            yield ListedPage(place, failure=str(error))
            continue
        for page in pages:
            if _host(page.url) == host:
                yield page
        waiting += (inner for inner in maps if _host(inner) == host)


def read_sitemap(page: FetchedPage) -> tuple[list[ListedPage], list[str]]:
    """The pages that a sitemap lists, and the other sitemaps: of XML, packed or not, or one url per line.

    Raises:
        ValueError: the content is not a sitemap; the message says why.
    """
    body = page.body
    if body.startswith(b"\x1f\x8b"):  # as each gzip file
        try:
            body = unpack(body, "gzip", MAX_BYTES)
        except UnpackError as error:
            raise ValueError(str(error)) from None
    return _xml(body) if body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<") else (_plain(body), [])


def _xml(body: bytes) -> tuple[list[ListedPage], list[str]]:
    from lxml import etree

    try:
        root = etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError:
        raise ValueError("is not a sitemap: it is not XML") from None
    name = etree.QName(root).localname
    if name == "sitemapindex":
        return [], [_child(entry, "loc") for entry in root.iter("{*}sitemap")]
    if name != "urlset":
        raise ValueError(f"is not a sitemap but {name[:40]}")  # cut: a stranger's text
    return [ListedPage(_child(entry, "loc"), iso_stamp(_child(entry, "lastmod"))) for entry in root.iter("{*}url")], []


def _child(entry: Any, name: str) -> str:
    return (entry.findtext(f"{{*}}{name}") or "").strip()


def _plain(body: bytes) -> list[ListedPage]:
    lines = [line.strip() for line in body.decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines or not all(line.startswith(("http://", "https://")) for line in lines):
        raise ValueError("is not a sitemap: it is neither XML nor a list of urls")
    return [ListedPage(line) for line in lines]


def _host(url: str) -> str:
    try:
        return parse_url(url).host
    except FetchError:
        return ""
