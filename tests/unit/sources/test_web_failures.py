"""What fails on the web, or must not be read, is said; the corpus and the other pages answer."""

import pytest
from structlog.testing import capture_logs

from libs.contracts.options import RetrieveOptions
from libs.runtime.deadline import limited
from libs.runtime.errors import Unavailable
from services.retrieve.corpus.documents import Document
from services.retrieve.engines.embedded.lexical import LexicalIndex
from services.retrieve.engines.embedded.vector import VectorIndex
from services.retrieve.sources.web import WebSource
from tests.fakes.stored_documents import put
from tests.fakes.web_pages import Web

BAD_PAGES = {
    "/bomb": "1 is larger than",
    "/huge": "1 is larger than",
    "/private/page": "1 is disallowed by the host's robots.txt",
    "/failing": "1 cannot be fetched (the host answers 500)",
    "/picture": "1 is no text but image/png",
    "/empty": "1 says nothing",
    "/metadata": "169.254.169.254 is not on the public internet",
    "/inside": "10.0.0.1 is not on the public internet",
    "/gone": "1 cannot be fetched (the host answers 404)",
}


@pytest.mark.parametrize(("path", "why"), BAD_PAGES.items(), ids=BAD_PAGES)
async def test_a_page_that_cannot_be_used_is_said_and_the_others_are_read(web: Web, path: str, why: str) -> None:
    web.names(path, "/harrow")
    result, degraded = await web.ask()
    assert {evidence.passage.url for evidence in result.evidence} == {web.host.url("/harrow")}
    assert [failure.reason for failure in degraded] == ["PAGE_UNUSABLE"]
    assert degraded[0].effect.startswith("1 of 2 pages of the web were not read")
    assert why in degraded[0].effect


@pytest.mark.parametrize("patience", [1.5])
async def test_a_slow_page_is_left_and_the_others_are_read(web: Web) -> None:
    web.names("/slow", "/harrow")
    result, degraded = await web.ask()
    assert {evidence.passage.url for evidence in result.evidence} == {web.host.url("/harrow")}
    assert [(failure.reason, failure.effect) for failure in degraded] == [
        ("DEADLINE_EXCEEDED", "1 of 2 pages of the web were not read: 1 is too slow.")
    ]


@pytest.mark.parametrize(
    ("trouble", "patience"),
    [({"status": 500}, 10.0), ({"body": b"not json"}, 10.0), ({"wait_seconds": 5.0}, 0.3)],
    ids=["down", "invalid JSON", "slow"],
)
async def test_when_the_search_engine_fails_the_corpus_answers_openly(web: Web, trouble: dict[str, object]) -> None:
    put(web.corpus, Document("harrow", "The lander Harrow touched down.", whole=True))
    web.names("/harrow")
    for name, value in trouble.items():
        setattr(web.engine, name, value)
    result, degraded = await web.ask()
    assert [evidence.passage.passage_id for evidence in result.evidence] == ["harrow"]
    assert [failure.reason in ("ENGINE_UNAVAILABLE", "DEADLINE_EXCEEDED") for failure in degraded] == [True]
    assert "SearXNG is left out" in degraded[0].effect


async def test_when_the_corpus_engines_fail_the_web_answers_openly(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    put(web.corpus, Document("harrow", "The lander Harrow touched down.", whole=True))
    web.names("/harrow")

    def broken(*_: object) -> None:
        raise Unavailable("ENGINE_UNAVAILABLE", "gone")

    monkeypatch.setattr(LexicalIndex, "search", broken)
    monkeypatch.setattr(VectorIndex, "search", broken)
    with capture_logs():
        result, degraded = await web.ask()
    assert {evidence.passage.source for evidence in result.evidence} == {"web"}
    assert [failure.effect for failure in degraded] == [
        "Only the web was searched: no engine of the collection answers."
    ]
    with capture_logs(), pytest.raises(Unavailable):
        await web.ask(options=RetrieveOptions())


async def test_whatever_happens_on_the_web_the_corpus_answers(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    put(web.corpus, Document("harrow", "The lander Harrow touched down.", whole=True))
    web.names("/harrow")

    def broken(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(WebSource, "_cut", broken)
    with capture_logs() as logs:
        result, degraded = await web.ask()
    assert [evidence.passage.passage_id for evidence in result.evidence] == ["harrow"]
    assert [failure.effect for failure in degraded] == [
        "The search of the web failed: the results are those of the documents."
    ]
    assert [log["event"] for log in logs] == ["the web failed"]


async def test_a_call_with_little_time_left_goes_without_the_web(web: Web) -> None:
    put(web.corpus, Document("harrow", "The lander Harrow touched down.", whole=True))
    web.names("/harrow")
    with limited(1.2):
        result, degraded = await web.ask()
    assert [evidence.passage.passage_id for evidence in result.evidence] == ["harrow"]
    assert [failure.effect for failure in degraded] == [
        "The web was not searched: too little of the call's time was left."
    ]
    assert web.engine.asked == []


async def test_a_page_is_asked_for_at_the_address_that_was_checked(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    async def checked(host: str, port: int, allow_loopback: bool) -> list[str]:
        assert host == "moon.invalid"
        return ["127.0.0.1"]

    monkeypatch.setattr("libs.web.fetching.resolve", checked)
    web.engine.rows = [{"url": f"http://moon.invalid:{web.host.port}/harrow"}]
    result, degraded = await web.ask()
    assert (bool(result.evidence), degraded) == (True, [])


@pytest.mark.parametrize("allow_loopback", [True, False])
async def test_pages_of_this_machine_are_read_only_where_a_setting_allows_it(web: Web, allow_loopback: bool) -> None:
    web.names("/harrow")
    result, degraded = await web.ask()
    assert bool(result.evidence) is allow_loopback
    assert bool(degraded) is not allow_loopback
