"""A page that is reached by several addresses has one."""

import pytest

from ingest.sources.canonical import canonical_url, untracked

PAGE = "https://example.org/plan"


def page(*links: str, body: str = "") -> bytes:
    stated = "".join(f'<link rel="canonical" href="{link}">' for link in links)
    return f"<html><head>{stated}</head><body>{body}<p>Words.</p></body></html>".encode()


@pytest.mark.parametrize(
    "parameter", ["utm_source=a", "gclid=1", "fbclid=x", "msclkid=x", "mc_cid=7", "_ga=1", "UTM_term="]
)
def test_what_tracks_readers_is_left_out(parameter: str) -> None:
    assert untracked(f"{PAGE}?{parameter}#top") == PAGE
    assert untracked(f"{PAGE}?id=7&{parameter}&q=a%20b") == f"{PAGE}?id=7&q=a%20b"


@pytest.mark.parametrize("parameter", ["id=7", "page=2", "clidden=1", "q=utm_source"])
def test_what_says_which_page_it_is_stays(parameter: str) -> None:
    assert untracked(f"{PAGE}?{parameter}") == f"{PAGE}?{parameter}"


@pytest.mark.parametrize(
    "stated", ["https://example.org/plan", "/plan", "plan?utm_source=a", "http://www.example.org/plan"]
)
def test_a_page_says_which_address_is_its_own(stated: str) -> None:
    assert canonical_url(f"{PAGE}?print=1", page(stated)).removeprefix("http://www.").removeprefix("https://") == (
        "example.org/plan"
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"%PDF-1.7",
        page(),
        page(""),
        page("https://elsewhere.example/plan"),
        page("/"),
        page("/a", "/b"),
        page(body='<link rel="canonical" href="/other">'),
    ],
)
def test_otherwise_it_is_where_it_was_found(body: bytes) -> None:
    assert canonical_url(f"{PAGE}?print=1", body) == f"{PAGE}?print=1"


def test_a_front_page_may_be_called_so() -> None:
    assert canonical_url("https://example.org/?print=1", page("/")) == "https://example.org/"
