"""Search engines of the web: each is asked in its own words, their results become one list, a failed one is said."""

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from libs.contracts.dates import TimeRange
from libs.runtime.errors import Unavailable
from services.retrieve.sources.search_engines import MAX_BYTES, Brave, Searxng, Tavily, configured_names
from services.retrieve.sources.web_search import WebResult, WebSearch, WebSettings, merge, page_key, search_all
from tests.fakes.search_host import Row, SearchHost, search_host

ROWS: list[Row] = [
    {"url": "https://moon.example/a", "title": "Luna", "publishedDate": "2026-03-05T08:00:00Z"},
    {"url": "https://mars.example/b", "title": "Phoenix", "publishedDate": "Thu, 05 Mar 2026 08:00:00 GMT"},
    {"url": "https://old.example/c", "title": None, "publishedDate": "three days ago"},
]
FOUND = [
    WebResult("https://moon.example/a", "Luna", "2026-03-05"),
    WebResult("https://mars.example/b", "Phoenix", "2026-03-05"),
    WebResult("https://old.example/c"),
]
KEY = SecretStr("secret")


@pytest.fixture
def host() -> Iterator[SearchHost]:
    with search_host(ROWS) as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(trust_env=False, verify=False) as client:
        yield client


def engines(host: SearchHost, client: httpx2.AsyncClient) -> dict[str, WebSearch]:
    return {
        "SearXNG": Searxng(client, host.base_url),
        "Brave": Brave(client, host.base_url, KEY),
        "Tavily": Tavily(client, f"{host.base_url}/", KEY),
    }


@pytest.mark.parametrize("name", ["SearXNG", "Brave", "Tavily"])
async def test_an_engines_answer_becomes_results(host: SearchHost, client: httpx2.AsyncClient, name: str) -> None:
    assert list(await engines(host, client)[name].search("moon", 10, None)) == FOUND


async def test_searxng_is_asked_for_json_and_for_the_shortest_range_that_reaches_back(
    host: SearchHost, client: httpx2.AsyncClient
) -> None:
    recently = TimeRange(start=datetime.now(UTC) - timedelta(days=3))
    await Searxng(client, host.base_url).search("moon ice", 10, recently)
    request = host.asked[0]
    assert (request.method, request.path) == ("GET", "/search")
    assert request.parameters == {"q": "moon ice", "format": "json", "time_range": "week"}


MARCH = TimeRange(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
BY_KEY = {
    "Brave": (
        ("GET", "/res/v1/web/search", "X-Subscription-Token", "secret"),
        {"q": "moon ice", "count": "7", "freshness": "2026-03-01to2026-04-01"},
    ),
    "Tavily": (
        ("POST", "/search", "Authorization", "Bearer secret"),
        {"query": "moon ice", "max_results": 7, "start_date": "2026-03-01", "end_date": "2026-04-01"},
    ),
}


@pytest.mark.parametrize("name", BY_KEY)
async def test_an_engine_with_a_key_gets_it_and_dates(host: SearchHost, client: httpx2.AsyncClient, name: str) -> None:
    (method, path, header, key), parameters = BY_KEY[name]
    await engines(host, client)[name].search("moon ice", 7, MARCH)
    request = host.asked[0]
    assert (request.method, request.path, request.headers[header]) == (method, path, key)
    assert request.parameters == parameters


BAD_ANSWERS = {
    "no JSON": b"<html>busy</html>",
    "no object": b"[1, 2]",
    "too deep": b'{"results":' + b"[" * 200_000,
    "too large": b" " * (MAX_BYTES + 1),
}


@pytest.mark.parametrize("body", BAD_ANSWERS.values(), ids=BAD_ANSWERS)
@pytest.mark.parametrize("name", ["SearXNG", "Brave", "Tavily"])
async def test_what_is_no_answer_fails(host: SearchHost, client: httpx2.AsyncClient, name: str, body: bytes) -> None:
    host.body = body
    with pytest.raises(Unavailable, match="its answer is"):
        await engines(host, client)[name].search("moon", 10, None)


@pytest.mark.parametrize("body", [b"{}", b'{"results": 7, "web": []}', b'{"results": [1, {"title": "x"}, null]}'])
@pytest.mark.parametrize("name", ["SearXNG", "Brave", "Tavily"])
async def test_rows_that_name_no_page_are_left_out(
    host: SearchHost, client: httpx2.AsyncClient, name: str, body: bytes
) -> None:
    host.body = body
    assert list(await engines(host, client)[name].search("moon", 10, None)) == []


async def test_text_that_is_no_unicode_is_mended(host: SearchHost, client: httpx2.AsyncClient) -> None:
    host.body = b'{"results": [{"url": "https://moon.example/", "title": "Luna \\ud800 9"}]}'
    (result,) = await Searxng(client, host.base_url).search("moon", 10, None)
    assert result.title == "Luna ? 9"


async def test_an_engine_that_refuses_or_is_down_is_unavailable(host: SearchHost, client: httpx2.AsyncClient) -> None:
    host.status = 429
    with pytest.raises(Unavailable, match="it answers 429"):
        await Searxng(client, host.base_url).search("moon", 10, None)
    with pytest.raises(Unavailable, match="it cannot be reached"):
        await Searxng(client, "http://127.0.0.1:1").search("moon", 10, None)


async def test_the_key_of_an_engine_is_never_told(host: SearchHost, client: httpx2.AsyncClient) -> None:
    host.status = 401
    results = await search_all([Brave(client, host.base_url, KEY)], "moon", 10, None, seconds=2)
    assert "secret" not in repr(results)


async def test_all_engines_are_asked_a_late_or_failed_one_is_said(host: SearchHost, client: httpx2.AsyncClient) -> None:
    with search_host(ROWS) as slow, search_host() as failing:
        slow.wait_seconds, failing.status = 5.0, 500
        engines: list[WebSearch] = [
            Searxng(client, host.base_url), Brave(client, slow.base_url, KEY), Tavily(client, failing.base_url, KEY),
        ]  # fmt: skip
        results = await search_all(engines, "moon", 10, None, seconds=0.5)
        slow.wait_seconds = 0.0
    assert list(results.results) == FOUND
    assert [(failure.reason, failure.effect) for failure in results.degraded] == [
        ("DEADLINE_EXCEEDED", "The web search engine Brave is left out: it was too slow."),
        ("ENGINE_UNAVAILABLE", "The web search engine Tavily is left out: it answers 500."),
    ]


async def test_when_all_engines_are_down_there_is_nothing_but_what_is_said(client: httpx2.AsyncClient) -> None:
    nobody = "http://127.0.0.1:1"
    down: list[WebSearch] = [Searxng(client, nobody), Brave(client, nobody, KEY), Tavily(client, nobody, KEY)]
    results = await search_all(down, "moon", 10, None, seconds=2)
    assert results.results == ()
    assert [failure.reason for failure in results.degraded] == ["ENGINE_UNAVAILABLE"] * 3


def test_a_page_that_several_engines_name_comes_before_one_that_a_single_one_names() -> None:
    first = [WebResult("https://a.example/x"), WebResult("https://b.example/")]
    second = [WebResult("http://www.b.example?utm_source=feed", "B", "2026-01-01")]
    assert merge([first, second]) == (
        WebResult("https://b.example/", "B", "2026-01-01"),
        WebResult("https://a.example/x"),
    )


RESULTS = st.lists(st.builds(WebResult, st.sampled_from([f"https://h{n}.example/p" for n in range(8)])), max_size=6)


@given(st.lists(RESULTS, max_size=4))
def test_every_page_comes_once_and_one_that_all_rank_first_is_first(lists: Sequence[Sequence[WebResult]]) -> None:
    urls = [result.url for result in merge(lists)]
    assert sorted(urls) == sorted({result.url for results in lists for result in results})
    firsts = {results[0].url if results else "" for results in lists}
    if len(firsts) == 1 and "" not in firsts:
        assert urls[0] in firsts


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a?x=1&y=2",
        "http://www.example.org:80/a/?y=2&x=1#part",
        "HTTPS://EXAMPLE.ORG:443/a?x=1&utm_campaign=q&y=2&fbclid=z",
    ],
)
def test_urls_of_the_same_page_have_one_key(url: str) -> None:
    assert page_key(url) == "example.org/a?x=1&y=2"


def test_urls_of_other_pages_have_other_keys() -> None:
    others = ["https://example.org/A", "https://example.org/a?x=2", "https://example.org:8080/a", "https://e.org/a"]
    assert len({page_key(url) for url in [*others, "https://example.org/a"]}) == 5


@pytest.mark.parametrize(
    "url", ["ftp://example.org/a", "javascript:alert(1)", "example.org", "", "http://[::1", "https://"]
)
def test_what_is_no_page_has_no_key_and_is_no_result(url: str) -> None:
    assert page_key(url) is None
    assert merge([[WebResult(url)]]) == ()


def test_without_an_address_or_a_key_no_engine_is_configured() -> None:
    assert not configured_names(WebSettings())
    assert configured_names(WebSettings(searxng_url="http://localhost:8080"))
    assert configured_names(WebSettings(tavily_key=KEY))
