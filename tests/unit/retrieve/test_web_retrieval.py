"""The web beside the corpus: pages are found, read within bounds, and take part in one ranking; what fails is said."""

import gzip
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.lexical import LexicalIndex
from services.retrieve.engines.vector import VectorIndex
from services.retrieve.preparing import Preparation
from services.retrieve.ranking import RankingSettings
from services.retrieve.recall import search
from services.retrieve.retriever import Retriever, RetrieveResult
from services.retrieve.sources.kept import KeptPassages
from services.retrieve.sources.opening import open_web
from services.retrieve.sources.pages import PageReader, PageUnread
from services.retrieve.sources.settings import WebSettings
from services.retrieve.sources.web import WebSource
from services.runtime.deadline import limited
from services.runtime.errors import Unavailable
from services.vocabulary.dates import TimeRange
from services.vocabulary.options import RetrieveOptions
from services.vocabulary.query import Filters, WeightedQuery, WeightedTerm
from services.vocabulary.usage import Degraded
from services.web.fetching import Fetcher
from services.web.limits import FetchLimits
from tests.fakes.search_host import SearchHost, search_host
from tests.fakes.stored_documents import ENCODER, put
from tests.fakes.web_host import WebHost, WebPage, web_host

ON_THE_WEB = RetrieveOptions(web=True)
WEB_ALONE = RetrieveOptions(filters=Filters(sources=("web",)))
QUESTION = "Where did the lander Harrow touch down?"


def article(title: str, *paragraphs: str, date: str = "") -> bytes:
    """A page with a menu around its words."""
    meta = f'<meta property="article:published_time" content="{date}">' if date else ""
    words = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    head = f"<head><title>{title}</title>{meta}</head>"
    return f"<html>{head}<body><nav>Home Menu Shop</nav><article>{words}</article></body></html>".encode()


HARROW = article(
    "Harrow lands",
    "The lander Harrow touched down in the crater Malapert on Thursday evening, after a flight of eight days.",
    "Its four legs took up the shock, and the first pictures came down to the station at Cebreros within the hour.",
    "The crater Malapert lies near the south pole of the Moon, where the Sun stands low above the horizon all year.",
    date="2026-11-19T20:00:00Z",
)
OTHER = article(
    "Rover news",
    "A rover of another agency drove for two kilometres along the rim of the crater and rested for the lunar night.",
    "Its wheels had been worn by the sharp stones, the engineers said, but they will last for another two years.",
)
SLOW = WebPage(HARROW, wait_seconds=4.0)
BOMB = WebPage(
    gzip.compress(b"<p>" + b"a" * 40_000_000), headers={"Content-Type": "text/html", "Content-Encoding": "gzip"}
)
PAGES: dict[str, WebPage | bytes] = {
    "/robots.txt": b"User-agent: *\nDisallow: /private/",
    "/harrow": HARROW,
    "/other": OTHER,
    "/slow": SLOW,
    "/bomb": BOMB,
    "/huge": b"<p>" + b"a" * 3_000_000,
    "/private/page": HARROW,
    "/failing": WebPage(b"", 500),
    "/picture": WebPage(b"\x89PNG", headers={"Content-Type": "image/png"}),
    "/empty": b"<html><body></body></html>",
    "/broken": WebPage(b"<p>\xff\xfe\x00<<<<!-- <p", headers={"Content-Type": "text/html"}),
    "/metadata": WebPage(b"", 302, {"Location": "http://169.254.169.254/latest/meta-data/"}),
    "/inside": WebPage(b"", 302, {"Location": "http://10.0.0.1/"}),
    "/moved": WebPage(b"", 301, {"Location": "/harrow"}),
}


@pytest.fixture(scope="module")
def host() -> Iterator[WebHost]:
    with web_host(PAGES) as running:
        yield running


@pytest.fixture
def engine() -> Iterator[SearchHost]:
    with search_host() as running:
        yield running
        running.wait_seconds = 0.0


@dataclass
class Web:
    """A retriever over a corpus and the web, and where its citations are kept."""

    retriever: Retriever
    corpus: Corpus
    kept: KeptPassages
    engine: SearchHost
    host: WebHost

    def names(self, *paths: str) -> None:
        """Let the search engine find these pages."""
        self.engine.rows = [{"url": self.host.url(path), "title": path} for path in paths]

    async def ask(
        self, query: str | WeightedQuery = QUESTION, options: RetrieveOptions = ON_THE_WEB
    ) -> tuple[RetrieveResult, list[Degraded]]:
        weighted = query if isinstance(query, WeightedQuery) else WeightedQuery(query)
        result, degraded = await search(self.retriever, weighted, options)
        return result, list(degraded)


@pytest.fixture
def patience() -> float:
    """Seconds that an engine, and a page, may take."""
    return 10.0


@pytest.fixture
def settings(engine: SearchHost, patience: float) -> WebSettings:
    return WebSettings(
        searxng_url=engine.base_url,
        allow_loopback=True,
        search_seconds=patience,
        page_seconds=patience,
        seconds=3 * patience,
    )


@pytest.fixture
def with_embedder() -> bool:
    return True


@pytest.fixture
async def web(
    tmp_path: Path, settings: WebSettings, engine: SearchHost, host: WebHost, with_embedder: bool
) -> AsyncIterator[Web]:
    async with AsyncExitStack() as stack:
        corpus = stack.enter_context(Corpus.open(tmp_path))
        engines = Engines(corpus, tmp_path / "engines")
        stack.callback(engines.close)
        embedder = BatchingEmbedder(ENCODER) if with_embedder else None
        if embedder is not None:
            stack.callback(embedder.close)
        kept = KeptPassages(tmp_path / "web.db", most=100, days=1)
        stack.callback(kept.close)
        found = await open_web(settings, Preparation(), embedder, kept, stack)
        retriever = Retriever(corpus, engines, embedder, RankingSettings(), web=found)
        yield Web(retriever, corpus, kept, engine, host)


async def test_a_page_of_the_web_becomes_evidence_with_its_place_title_and_date(web: Web) -> None:
    web.names("/harrow", "/other")
    result, degraded = await web.ask()
    passage = result.evidence[0].passage
    assert (passage.source, passage.url, passage.title) == ("web", web.host.url("/harrow"), "Harrow lands")
    assert passage.date == "2026-11-19T20:00:00Z"
    assert "crater Malapert" in passage.text
    assert "Menu" not in passage.text
    assert degraded == []


async def test_the_web_and_the_corpus_are_ranked_in_one_list_by_the_same_scores(web: Web) -> None:
    put(web.corpus, Document("viking", "Viking 1 touched down on Mars.", whole=True))
    put(web.corpus, Document("harrow", "The lander Harrow touched down where it should.", whole=True))
    web.names("/harrow", "/other")
    result, _ = await web.ask()
    assert {"web", "corpus"} == {evidence.passage.source for evidence in result.evidence}
    for evidence in result.evidence:
        assert evidence.scores.lexical is not None
        assert evidence.scores.vector is not None
    fused = [evidence.scores.fused for evidence in result.evidence]
    assert fused == sorted(fused, reverse=True)
    assert {evidence.passage.passage_id for evidence in result.evidence[:2]} & {"harrow"}


async def test_the_same_text_has_the_same_scores_wherever_it_stands(web: Web) -> None:
    text = "The lander Harrow touched down in the crater Malapert on Thursday evening, after a flight of eight days."
    for number in range(30):
        put(web.corpus, Document(f"d{number}", f"Probe {number} flew by a comet and sent pictures home.", whole=True))
    put(web.corpus, Document("copy", text, title="Harrow lands"))
    web.host.pages["/short"] = WebPage(article("Harrow lands", text))
    web.names("/short")
    result, _ = await web.ask()
    best = result.evidence[0]
    (twin,) = best.near_duplicates
    assert {best.passage.source, twin.passage.source} == {"web", "corpus"}
    ranking = (await web.ask(options=replace(ON_THE_WEB, ranking=2)))[0].ranking
    assert ranking[0].score == pytest.approx(ranking[1].score, rel=0.05)


async def test_a_citation_of_the_web_is_kept_and_what_was_no_evidence_is_not(web: Web) -> None:
    web.names("/harrow")
    result, _ = await web.ask()
    passage = result.evidence[0].passage
    assert web.kept.get(passage.passage_id) == passage
    assert web.kept.get("web:0123") is None


async def test_without_being_asked_for_the_web_takes_no_part(web: Web) -> None:
    put(web.corpus, Document("viking", "Viking 1 touched down on Mars.", whole=True))
    web.names("/harrow")
    result, degraded = await web.ask(options=RetrieveOptions())
    assert ([evidence.passage.source for evidence in result.evidence], degraded) == (["corpus"], [])
    assert web.engine.asked == []


@pytest.mark.parametrize(
    "filters",
    [Filters(sources=("corpus",)), Filters(metadata={"kind": "note"}), Filters(document_ids=("viking",))],
    ids=["source", "metadata", "documents"],
)
async def test_a_filter_that_no_page_can_pass_keeps_the_web_out(web: Web, filters: Filters) -> None:
    web.names("/harrow")
    await web.ask(options=replace(ON_THE_WEB, filters=filters))
    assert web.engine.asked == []


async def test_a_filter_for_the_web_keeps_the_corpus_out(web: Web) -> None:
    put(web.corpus, Document("harrow", "The lander Harrow touched down.", whole=True))
    web.names("/harrow")
    result, _ = await web.ask(options=WEB_ALONE)
    assert {evidence.passage.source for evidence in result.evidence} == {"web"}


NOVEMBER = TimeRange(datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))


@pytest.mark.parametrize(("undated", "pages"), [(False, {"/harrow"}), (True, {"/harrow", "/other"})])
async def test_a_range_of_time_filters_pages_by_their_date(web: Web, undated: bool, pages: set[str]) -> None:
    web.names("/harrow", "/other")
    options = replace(ON_THE_WEB, filters=Filters(dates=NOVEMBER, undated=undated))
    result, _ = await web.ask(options=options)
    assert {evidence.passage.url for evidence in result.evidence} == {web.host.url(page) for page in pages}


async def test_a_page_of_another_time_is_left_out_quietly(web: Web) -> None:
    web.names("/harrow")
    march = TimeRange(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
    result, degraded = await web.ask(options=replace(ON_THE_WEB, filters=Filters(dates=march)))
    assert (result.evidence, degraded) == ((), [])


BAD_PAGES = {
    "/bomb": "1 is larger than",
    "/huge": "1 is larger than",
    "/private/page": "1 is refused by the host's robots.txt",
    "/failing": "1 cannot be had (the host answers 500)",
    "/picture": "1 is no text but image/png",
    "/empty": "1 says nothing",
    "/metadata": "169.254.169.254 is not on the public internet",
    "/inside": "10.0.0.1 is not on the public internet",
    "/gone": "1 cannot be had (the host answers 404)",
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


async def test_a_redirect_is_followed_and_damaged_markup_harms_nothing(web: Web) -> None:
    web.names("/moved", "/broken")
    result, _ = await web.ask()
    assert result.evidence[0].passage.url == web.host.url("/moved")


@pytest.mark.parametrize(
    ("trouble", "patience"),
    [({"status": 500}, 10.0), ({"body": b"not json"}, 10.0), ({"wait_seconds": 5.0}, 0.3)],
    ids=["down", "invalid JSON", "slow"],
)
async def test_when_the_search_engine_fails_the_corpus_answers_and_it_is_said(
    web: Web, trouble: dict[str, object]
) -> None:
    put(web.corpus, Document("harrow", "The lander Harrow touched down.", whole=True))
    web.names("/harrow")
    for name, value in trouble.items():
        setattr(web.engine, name, value)
    result, degraded = await web.ask()
    assert [evidence.passage.passage_id for evidence in result.evidence] == ["harrow"]
    assert [failure.reason in ("ENGINE_UNAVAILABLE", "DEADLINE_EXCEEDED") for failure in degraded] == [True]
    assert "SearXNG took no part" in degraded[0].effect


async def test_when_the_engines_of_the_corpus_fail_the_web_answers_and_it_is_said(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert [failure.effect for failure in degraded] == ["The web took no part: it failed."]
    assert [log["event"] for log in logs] == ["the web failed"]


async def test_a_call_with_little_time_left_goes_without_the_web(web: Web) -> None:
    put(web.corpus, Document("harrow", "The lander Harrow touched down.", whole=True))
    web.names("/harrow")
    with limited(1.2):
        result, degraded = await web.ask()
    assert [evidence.passage.passage_id for evidence in result.evidence] == ["harrow"]
    assert [failure.effect for failure in degraded] == ["The web took no part: too little time was left."]
    assert web.engine.asked == []


async def test_the_pages_of_a_turn_are_fetched_once(web: Web) -> None:
    web.names("/other")
    before = web.host.asked.count("/other")
    await web.ask()
    await web.ask("How far did the rover drive?")
    assert web.host.asked.count("/other") == before + 1


async def test_history_is_searched_beside_the_words_of_the_question(web: Web) -> None:
    web.names("/harrow")
    terms = (WeightedTerm("Harrow", 0.9), WeightedTerm("land", 0.4), WeightedTerm("no", -1.0))
    await web.ask(WeightedQuery("where did it land?", terms))
    assert web.engine.asked[0].parameters["q"] == "where did it land? Harrow"


@pytest.mark.parametrize("with_embedder", [False])
async def test_without_an_embedder_words_alone_rank_the_web(web: Web) -> None:
    web.names("/other", "/harrow")
    result, _ = await web.ask()
    best = result.evidence[0]
    assert (best.passage.url, best.scores.vector) == (web.host.url("/harrow"), None)


async def test_a_request_for_a_web_that_is_not_configured_is_told_so(tmp_path: Path) -> None:
    with Corpus.open(tmp_path) as corpus:
        engines = Engines(corpus, tmp_path / "engines")
        retriever = Retriever(corpus, engines, None, RankingSettings())
        for options, expected in ((ON_THE_WEB, ["WEB_MISSING"]), (WEB_ALONE, ["WEB_MISSING"]), (RetrieveOptions(), [])):
            _, degraded = await search(retriever, WeightedQuery("Harrow"), options)
            assert [failure.reason for failure in degraded] == expected
        engines.close()


async def test_a_page_is_asked_for_at_the_address_that_was_checked(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    async def checked(host: str, port: int, allow_loopback: bool) -> list[str]:
        assert host == "moon.invalid"
        return ["127.0.0.1"]

    monkeypatch.setattr("services.web.fetching.resolve", checked)
    web.engine.rows = [{"url": f"http://moon.invalid:{web.host.port}/harrow"}]
    result, degraded = await web.ask()
    assert (bool(result.evidence), degraded) == (True, [])


@pytest.mark.parametrize(
    "host",
    ["2130706433", "0x7f.1", "017700000001", "0", "127.1", "[::ffff:169.254.169.254]", "[::1]", "169.254.169.254"],
)
async def test_an_inner_address_is_refused_however_it_is_written(host: str) -> None:
    async with Fetcher(FetchLimits()) as fetcher:
        reader = PageReader(fetcher, seconds=10, cache_pages=0, cache_seconds=0)
        with pytest.raises(PageUnread, match="is not on the public internet"):
            await reader.read(f"http://{host}/page")
        reader.close()


@pytest.mark.parametrize("allowed", [True, False])
async def test_pages_of_this_machine_are_read_only_where_a_setting_allows_it(
    tmp_path: Path, settings: WebSettings, engine: SearchHost, host: WebHost, allowed: bool
) -> None:
    engine.rows = [{"url": host.url("/harrow")}]
    async with AsyncExitStack() as stack:
        kept = KeptPassages(tmp_path / "web.db", most=1, days=1)
        stack.callback(kept.close)
        opened = settings.model_copy(update={"allow_loopback": allowed})
        web = await open_web(opened, Preparation(), None, kept, stack)
        corpus = stack.enter_context(Corpus.open(tmp_path))
        engines = Engines(corpus, tmp_path / "engines")
        stack.callback(engines.close)
        retriever = Retriever(corpus, engines, None, RankingSettings(), web=web)
        result, degraded = await search(retriever, WeightedQuery("Harrow"), ON_THE_WEB)
    assert bool(result.evidence) is allowed
    assert bool(degraded) is not allowed
