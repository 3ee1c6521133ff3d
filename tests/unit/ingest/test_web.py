"""Pages of the web become documents: named ones, and those that a sitemap lists."""

import gzip
from collections.abc import Iterator

import pytest

from ingest.documents import ParsedDocument, PassedOver, ReadResult, Unreadable
from ingest.sources.sitemaps import read_sitemap
from ingest.sources.web import read_web, url_id
from libs.web.fetching import FetchedPage
from libs.web.limits import FetchLimits
from tests.fakes import office_files as make
from tests.fakes.web_host import WebHost, WebPage, web_host

LIMITS = FetchLimits(seconds=5.0, allow_loopback=True)


@pytest.fixture
def host() -> Iterator[WebHost]:
    pages: dict[str, WebPage | bytes] = {
        "/robots.txt": b"User-agent: *\nDisallow: /private\n",
        "/aquila": make.html(),
        "/report": WebPage(make.pdf([make.FACT]), headers={"Content-Type": "application/octet-stream"}),
        "/picture.png": WebPage(make.png(), headers={"Content-Type": "image/png"}),
        "/private": b"x",
        "/dated": WebPage(
            b"<p>Words.</p>",
            headers={"Content-Type": "text/html", "Last-Modified": "Tue, 05 Mar 2024 10:00:00 GMT"},
        ),
    }
    with web_host(pages) as running:
        yield running


def found(host: WebHost, *paths: str, sitemaps: tuple[str, ...] = ()) -> list[ReadResult]:
    pages = read_web([host.url(path) for path in paths], [host.url(path) for path in sitemaps], LIMITS)
    return [one for _, documents in pages for one in documents]


def sitemap(*entries: str, name: str = "urlset", of: str = "url") -> bytes:
    inner = "".join(f"<{of}>{entry}</{of}>" for entry in entries)
    return f'<?xml version="1.0"?><{name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inner}</{name}>'.encode()


def test_a_page_is_called_by_its_url(host: WebHost) -> None:
    (document,) = found(host, "/aquila#orbit")
    assert isinstance(document, ParsedDocument)
    assert (document.document_id, document.url) == (host.url("/aquila"), host.url("/aquila"))
    assert (document.title, document.date) == ("Aquila", "2024-03-05")
    assert make.FACT in document.text


def page(head: str = "", text: str = "The launch moved to 9 June.") -> WebPage:
    return WebPage(f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode())


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def test_a_page_under_five_addresses_is_one_document(host: WebHost) -> None:
    host.pages["/plan"] = host.pages["/plan?print=1"] = page(canonical("/plan"))
    host.pages["/plan?utm_source=mail&fbclid=x"] = host.pages["/plan?gclid=1"] = page(canonical("/plan"))
    host.pages["/old"] = WebPage(status=301, headers={"Location": "/plan"})
    first, *others = found(
        host, "/plan?utm_source=mail&fbclid=x", "/plan?gclid=1", "/plan?print=1", "/old", "/plan#top"
    )
    assert isinstance(first, ParsedDocument)
    assert (first.document_id, first.url) == (host.url("/plan"), host.url("/plan"))
    assert [one.reason for one in others if isinstance(one, PassedOver)] == [
        f"is the same page as {host.url('/plan')}"
    ] * 4


def test_what_tracks_readers_is_no_part_of_an_address(host: WebHost) -> None:
    host.pages["/plan?id=7&utm_medium=a&page=2"] = page()
    (document,) = found(host, "/plan?id=7&utm_medium=a&page=2")
    assert isinstance(document, ParsedDocument)
    assert document.document_id == host.url("/plan?id=7&page=2")


@pytest.mark.parametrize("stated", ["https://elsewhere.example/plan", "/", "https://[", ""])
def test_a_page_speaks_neither_for_another_host_nor_for_the_front_page(host: WebHost, stated: str) -> None:
    host.pages["/plan"] = page(canonical(stated))
    (document,) = found(host, "/plan")
    assert isinstance(document, ParsedDocument)
    assert document.document_id == host.url("/plan")


def test_a_page_that_states_no_date_has_its_hosts(host: WebHost) -> None:
    (document,) = found(host, "/dated")
    assert isinstance(document, ParsedDocument)
    assert document.date == "2024-03-05T10:00:00Z"


def test_what_stands_at_a_url_is_told_by_its_bytes(host: WebHost) -> None:
    (document,) = found(host, "/report")
    assert isinstance(document, ParsedDocument)
    assert document.text == make.FACT


def test_a_page_that_gives_nothing_stops_nothing(host: WebHost) -> None:
    results = found(host, "/private", "/none", "/picture.png", "/aquila")
    assert [type(one).__name__ for one in results] == ["Unreadable", "Unreadable", "Unreadable", "ParsedDocument"]
    reasons = [one.reason for one in results if isinstance(one, Unreadable)]
    assert reasons[:2] == ["is disallowed by the host's robots.txt", "cannot be fetched (the host answers 404)"]
    assert reasons[2].startswith("is of an unsupported kind")
    assert "/private" not in host.asked


def index(url: str) -> WebPage:
    return WebPage(sitemap(f"<loc>{url}</loc>", name="sitemapindex", of="sitemap"))


def test_a_sitemap_gives_its_pages_with_their_dates(host: WebHost) -> None:
    host.pages["/index.xml"] = index(host.url("/map.xml.gz"))
    entries = [
        f"<loc>{host.url('/report')}</loc><lastmod>2024-01-02</lastmod>",
        f"<loc>{host.url('/dated')}</loc><lastmod>2024-01-02</lastmod>",
        f"<loc>{host.url('/private')}</loc>",
        "<loc>https://elsewhere.example/</loc>",
    ]
    host.pages["/map.xml.gz"] = WebPage(gzip.compress(sitemap(*entries)))
    results = found(host, sitemaps=("/index.xml",))
    assert [(one.document_id, one.date) for one in results if isinstance(one, ParsedDocument)] == [
        (host.url("/report"), "2024-03-05T10:00:00Z"),  # what a file says of itself counts more
        (host.url("/dated"), "2024-01-02"),
    ]
    assert [one.where for one in results if isinstance(one, Unreadable)] == [host.url("/private")]


def test_a_sitemap_that_lists_itself_ends(host: WebHost) -> None:
    host.pages["/index.xml"] = index(host.url("/index.xml"))
    assert found(host, sitemaps=("/index.xml",)) == []
    assert host.asked.count("/index.xml") == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<rss/>", "is not a sitemap but rss"),
        (b"<urlset", "is not a sitemap: it is not XML"),
        (b"just words", "is not a sitemap: it is neither XML nor a list of urls"),
        (b"\x1f\x8bdamaged", "cannot be decompressed"),
    ],
)
def test_what_is_no_sitemap_is_told(host: WebHost, body: bytes, message: str) -> None:
    host.pages["/map.xml"] = WebPage(body)
    assert found(host, sitemaps=("/map.xml",)) == [Unreadable(host.url("/map.xml"), message)]


def test_a_sitemap_may_be_a_list_of_urls() -> None:
    pages, _ = read_sitemap(FetchedPage("u", b"https://example.org/a\nhttps://example.org/b\n"))
    assert [page.url for page in pages] == ["https://example.org/a", "https://example.org/b"]


def test_a_long_url_gives_an_id_that_the_contract_takes() -> None:
    long = [f"https://example.org/?q={'x' * 600}{end}" for end in "ab"]
    assert len({url_id(url) for url in long}) == 2
    assert all(len(url_id(url)) == 512 for url in long)
