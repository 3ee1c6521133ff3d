"""A page is fetched politely, from public addresses only, in bounded time and size."""

import gzip
from collections.abc import AsyncIterator, Iterator

import pytest

from libs.web.fetching import Fetcher, FetchError, parse_url
from libs.web.limits import FetchLimits
from tests.fakes.web_host import WebHost, WebPage, web_host

LOOPBACK = FetchLimits(seconds=5.0, allow_loopback=True, max_bytes=10_000)
ROBOTS = b"User-agent: *\nDisallow: /secret\n\nUser-agent: parley\nDisallow: /not-for-parley\n"
DISALLOWED = "is disallowed by the host's robots.txt"
ROBOTS_UNKNOWN = "cannot be fetched (the host does not answer the request for its robots.txt)"


def moved(target: str) -> WebPage:
    return WebPage(status=302, headers={"Location": target})


@pytest.fixture
def host() -> Iterator[WebHost]:
    pages: dict[str, WebPage | bytes] = {
        "/robots.txt": ROBOTS,
        "/page": WebPage(b"<p>Hello</p>", headers={"Content-Type": "Text/HTML; charset=ISO-8859-1"}),
        "/packed": WebPage(gzip.compress(b"unpacked"), headers={"Content-Encoding": "gzip"}),
        "/bomb": WebPage(gzip.compress(bytes(10_000_000)), headers={"Content-Encoding": "gzip"}),
        "/torn": WebPage(gzip.compress(b"unpacked")[:-9], headers={"Content-Encoding": "gzip"}),
        "/strange": WebPage(b"x", headers={"Content-Encoding": "br"}),
        "/moved": moved("/page"),
        "/moved-to-refused": moved("/not-for-parley"),
        "/moved-inside": moved("http://10.0.0.1/"),
        "/moved-to-file": moved("file:///etc/passwd"),
        "/round": moved("/round"),
        "/not-for-parley": b"x",
        "/secret": b"x",
        "/large": b"x" * 10_001,
        "/slow": WebPage(b"x", wait_seconds=1.0),
        "/failing": WebPage(status=503),
    }
    with web_host(pages) as running:
        yield running


@pytest.fixture
async def fetcher() -> AsyncIterator[Fetcher]:
    async with Fetcher(LOOPBACK) as new_fetcher:
        yield new_fetcher


async def failure(fetcher: Fetcher, url: str) -> str:
    with pytest.raises(FetchError) as error:
        await fetcher.get(url)
    return str(error.value)


async def test_a_page_comes_with_what_the_host_says_of_it(fetcher: Fetcher, host: WebHost) -> None:
    page = await fetcher.get(host.url("/page#part"))
    assert (page.url, page.body) == (host.url("/page"), b"<p>Hello</p>")
    assert (page.media_type, page.charset) == ("text/html", "iso-8859-1")
    assert host.agents[-1].startswith("parley/")


async def test_a_packed_page_is_unpacked(fetcher: Fetcher, host: WebHost) -> None:
    assert (await fetcher.get(host.url("/packed"))).body == b"unpacked"


async def test_a_redirect_is_followed(fetcher: Fetcher, host: WebHost) -> None:
    assert (await fetcher.get(host.url("/moved"))).url == host.url("/page")


async def test_robots_txt_is_asked_once_and_obeyed_by_name(fetcher: Fetcher, host: WebHost) -> None:
    assert await failure(fetcher, host.url("/not-for-parley")) == DISALLOWED
    assert (await fetcher.get(host.url("/secret"))).body == b"x"  # a group of our own counts, not the one for all
    assert host.asked == ["/robots.txt", "/secret"]


async def test_where_a_redirect_leads_is_checked_like_the_first_page(fetcher: Fetcher, host: WebHost) -> None:
    assert await failure(fetcher, host.url("/moved-to-refused")) == DISALLOWED
    assert (
        await failure(fetcher, host.url("/moved-inside"))
        == "cannot be requested: 10.0.0.1 is not on the public internet"
    )
    assert await failure(fetcher, host.url("/moved-to-file")) == "is not an http or https URL"
    assert "/not-for-parley" not in host.asked


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/round", "redirects more than 5 times"),
        ("/large", "is larger than 10,000 bytes"),
        ("/bomb", "is larger than 10,000 bytes"),
        ("/torn", "cannot be decompressed"),
        ("/strange", "is packed as br, which is not supported"),
        ("/none", "cannot be fetched (the host answers 404)"),
        ("/failing", "cannot be fetched (the host answers 503)"),
    ],
)
async def test_what_gives_no_page_says_why(fetcher: Fetcher, host: WebHost, path: str, expected: str) -> None:
    assert await failure(fetcher, host.url(path)) == expected


async def test_a_slow_page_is_left(host: WebHost) -> None:
    async with Fetcher(FetchLimits(seconds=0.2, allow_loopback=True)) as fetcher:
        assert await failure(fetcher, host.url("/slow")) == "did not arrive within 0.2 seconds"


async def test_a_host_that_is_down_is_not_asked_on(fetcher: Fetcher) -> None:
    with web_host({}) as host:
        url = host.url("/page")
    assert await failure(fetcher, url) == ROBOTS_UNKNOWN


async def test_a_host_whose_robots_txt_fails_is_not_asked_on(fetcher: Fetcher, host: WebHost) -> None:
    host.pages["/robots.txt"] = WebPage(status=500)
    assert await failure(fetcher, host.url("/page")) == ROBOTS_UNKNOWN
    assert host.asked == ["/robots.txt"]


async def test_a_host_without_robots_txt_allows_everything(fetcher: Fetcher, host: WebHost) -> None:
    del host.pages["/robots.txt"]
    assert (await fetcher.get(host.url("/not-for-parley"))).body == b"x"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://localhost/", "http://[::1]/", "http://[::ffff:7f00:1]/"]
)
async def test_this_machine_is_not_asked_unless_allowed(url: str) -> None:
    async with Fetcher(FetchLimits()) as fetcher:
        assert "is not on the public internet" in await failure(fetcher, url)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.org/", "not an http or https URL"),
        ("page.html", "not an http or https URL"),
        ("http://", "not an http or https URL"),
        ("http://u:p@example.org/", "a user name"),
        ("http://x:y/", "is not a URL"),
    ],
)
def test_what_is_no_url_of_the_web_is_refused(url: str, why: str) -> None:
    with pytest.raises(FetchError, match=why):
        parse_url(url)
