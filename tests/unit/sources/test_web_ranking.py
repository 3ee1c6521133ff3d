"""The web beside the corpus: its passages take part in one ranking, where a request or a setting wants them."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from libs.contracts.dates import TimeRange
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Filters, WeightedQuery, WeightedTerm
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.engines.collection import Engines
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from tests.fakes.stored_documents import put
from tests.fakes.web_host import WebPage
from tests.fakes.web_pages import ON_THE_WEB, WEB_ALONE, Web, article


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
    fused_scores = [evidence.scores.fused for evidence in result.evidence]
    assert fused_scores == sorted(fused_scores, reverse=True)
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


@pytest.mark.parametrize(
    "filters",
    [Filters(sources=("corpus",)), Filters(metadata={"kind": "note"}), Filters(document_ids=("viking",))],
    ids=["source", "metadata", "documents"],
)
async def test_a_filter_that_no_page_can_pass_keeps_the_web_out(web: Web, filters: Filters) -> None:
    web.names("/harrow")
    await web.ask(options=replace(ON_THE_WEB, filters=filters))
    assert web.engine.asked == []


NOVEMBER = TimeRange(datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))


MARCH = TimeRange(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("dates", "undated", "pages"),
    [(NOVEMBER, False, {"/harrow"}), (NOVEMBER, True, {"/harrow", "/other"}), (MARCH, False, set())],
)
async def test_a_time_range_filters_pages_by_date(web: Web, dates: TimeRange, undated: bool, pages: set[str]) -> None:
    web.names("/harrow", "/other")
    result, degraded = await web.ask(options=replace(ON_THE_WEB, filters=Filters(dates=dates, undated=undated)))
    assert degraded == []
    assert {evidence.passage.url for evidence in result.evidence} == {web.host.url(page) for page in pages}


async def test_the_pages_of_a_turn_are_fetched_once(web: Web) -> None:
    web.names("/other")
    before = web.host.asked.count("/other")
    await web.ask()
    await web.ask("How far did the rover drive?")
    assert web.host.asked.count("/other") == before + 1


async def test_history_is_searched_beside_the_words_of_the_question(web: Web) -> None:
    web.names("/harrow")
    history = WeightedTerm("When was the crater of Harrow named?", 0.9)
    terms = (WeightedTerm("land", 0.4), history, WeightedTerm("no", -1.0))
    await web.ask(WeightedQuery("where did it land?", terms))
    assert web.engine.asked[0].parameters["q"] == "where did it land? crater harrow named"


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
