from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from libs.contracts.dates import TimeRange
from libs.contracts.options import Depth, RetrieveOptions
from libs.contracts.query import WeightedQuery, WeightedTerm, WeightedText
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from tests.fakes.stored_documents import ENCODER, put

SHELF = (
    Document("luna", "Luna 9 landed softly on the Moon.", title="Luna 9", date="1966-02-03", whole=True),
    Document("surveyor", "Surveyor 1 landed on the Moon too.", date="1966-06-02", whole=True),
    Document("viking", "Viking 1 landed on Mars.", date="1976-07-20", whole=True),
    Document("copy", "Luna 9 landed softly on the moon!", whole=True, source="news"),
    Document("cassini", "Cassini circled Saturn for thirteen years, from 2004 to 2017.", whole=True),
)
EVERYTHING = RetrieveOptions()


@pytest.fixture(autouse=True)
def _shelf(corpus: Corpus) -> None:
    for document in SHELF:
        put(corpus, document)


async def found(retriever: Retriever, query: str | WeightedQuery, options: RetrieveOptions = EVERYTHING) -> list[str]:
    """The documents of the evidence, the best first."""
    weighted_query = query if isinstance(query, WeightedQuery) else WeightedQuery(query)
    result, _ = await search(retriever, weighted_query, options)
    return [evidence.passage.document_id for evidence in result.evidence]


@pytest.mark.parametrize("evidence", [1, 20])
async def test_first_candidates_that_make_too_few_groups_are_no_end_of_the_list(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch, evidence: int
) -> None:
    query = WeightedQuery("Luna 9 landed softly on the Moon")
    options = RetrieveOptions(depth=Depth(evidence=evidence))
    whole, _ = await search(retriever, query, options)
    monkeypatch.setattr("services.retrieve.search.evidence_building._GROUPED", 2)
    monkeypatch.setattr("services.retrieve.search.evidence_building._GROUPED_EACH", 0)
    few, _ = await search(retriever, query, options)
    assert few.evidence == whole.evidence
    assert (len(few.evidence) == 1) == (evidence == 1)


async def test_the_ranking_before_grouping_comes_back_when_asked_for(retriever: Retriever) -> None:
    query = WeightedQuery("Luna 9 landed softly on the Moon")
    result, _ = await search(retriever, query, RetrieveOptions(ranking=2))
    assert {place.passage_id for place in result.ranking} == {"luna", "copy"}
    assert result.ranking[0].score >= result.ranking[1].score
    assert (await search(retriever, query, EVERYTHING))[0].ranking == ()


async def test_weighted_history_steers_a_query_that_says_too_little(retriever: Retriever) -> None:
    vague = WeightedQuery("when did it land")
    words, vectors = RetrieveOptions(vector_weight=0), RetrieveOptions(lexical_weight=0)
    assert (await found(retriever, vague, words))[0] != "viking"
    assert (await found(retriever, vague, vectors))[0] != "viking"
    with_terms = replace(vague, terms=(WeightedTerm("Viking", 0.4), WeightedTerm("Mars", 0.4)))
    assert (await found(retriever, with_terms, words))[0] == "viking"
    with_texts = replace(vague, texts=(WeightedText("Viking 1 on Mars", 0.9),))
    assert (await found(retriever, with_texts, vectors))[0] == "viking"


async def test_a_text_of_negative_weight_pushes_away(retriever: Retriever) -> None:
    plain = await found(retriever, "landed on Mars")
    results = await found(retriever, WeightedQuery("landed on Mars", texts=(WeightedText("Mars Viking", -0.9),)))
    assert plain[0] == "viking"
    assert results.index("viking") > 0


async def test_each_of_several_wordings_is_searched_less_deep_and_the_best_of_all_come_back(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder
) -> None:
    settings = RankingSettings(variant_depth=1, variant_evidence=2)
    retriever = Retriever(corpus, engines, embedder, settings)
    query = WeightedQuery("Saturn", variants=(WeightedText("Viking on Mars", 0.95), WeightedText("Surveyor 1", 0.9)))
    result, _ = await search(retriever, query, RetrieveOptions(ranking=10))
    passage_ids = [place.passage_id for place in result.ranking]
    assert len(passage_ids) == len(set(passage_ids)) == 3
    assert len(result.evidence) == 2
    assert len(await found(retriever, "landed on the Moon")) > 2


async def test_a_wording_finds_what_is_like_it(corpus: Corpus, engines: Engines, embedder: BatchingEmbedder) -> None:
    retriever = Retriever(corpus, engines, embedder, RankingSettings(variant_cosine=0.5))
    query = WeightedQuery("Cassini circled Saturn", variants=(WeightedText("Cassini circled Saturn", 0.95),))
    assert await found(retriever, query) == ["cassini"]
    assert len(await found(retriever, "Cassini circled Saturn")) > 1


AFTER_2000 = TimeRange(start=datetime(2000, 1, 1, tzinfo=UTC))


async def test_a_range_of_time_lifts_what_is_dated_in_it_and_then_what_speaks_of_it(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder
) -> None:
    put(corpus, Document("curiosity", "Curiosity landed on Mars.", date="2012-08-06", whole=True))
    retriever = Retriever(corpus, engines, embedder, RankingSettings(time_boost=9))
    plain = await found(retriever, "Viking or Cassini")
    results = await found(retriever, "Viking or Cassini", RetrieveOptions(boost=AFTER_2000))
    assert results[:2] == ["curiosity", "cassini"]
    assert set(results) == set(plain)


async def test_a_question_s_dates_are_no_words_of_its_search(retriever: Retriever, corpus: Corpus) -> None:
    for year in (2025, 2026):
        put(corpus, Document(f"log-{year}", f"On 27 November {year} the pump was painted.", whole=True))
    day = TimeRange(datetime(2026, 11, 27, tzinfo=UTC), datetime(2026, 11, 28, tzinfo=UTC))
    result, degraded = await search(
        retriever, WeightedQuery("What was done to the pump on 27 November 2026?"), RetrieveOptions(boost=day)
    )
    assert result.evidence[0].passage.document_id == "log-2026"
    assert not any(character.isdigit() for term in result.terms for character in term.term)
    assert not degraded


async def test_a_day_that_names_no_year_is_of_each_year(retriever: Retriever, corpus: Corpus) -> None:
    for day in ("4 January", "1 March"):
        put(corpus, Document(day, f"{day}: the plumbing of a small house.", whole=True))
    for start in (datetime(2027, 1, 1, tzinfo=UTC), datetime(2026, 12, 20, tzinfo=UTC)):
        options = RetrieveOptions(boost=TimeRange(start, datetime(2027, 2, 1, tzinfo=UTC)))
        result, degraded = await search(retriever, WeightedQuery("Who teaches plumbing?"), options)
        assert result.evidence[0].passage.document_id == "4 January"
        assert not degraded


async def test_with_nothing_in_a_range_it_is_said_when_the_nearest_is_from(retriever: Retriever) -> None:
    berlin = timezone(timedelta(hours=1))
    july = TimeRange(datetime(1971, 7, 1, tzinfo=berlin), datetime(1971, 8, 1, tzinfo=berlin))
    result, degraded = await search(retriever, WeightedQuery("landed on the Moon"), RetrieveOptions(boost=july))
    assert result.evidence
    assert [report.effect for report in degraded] == [
        "Nothing dated 1971-07-01 to 1971-07-31 was found; the nearest is from 1976-07-20."
    ]


async def test_a_question_about_now_finds_the_version_that_holds_at_the_moment_of_asking(
    retriever: Retriever, corpus: Corpus
) -> None:
    for year in (2024, 2025, 2026):
        put(corpus, Document(f"rates-{year}", f"Meals: EUR {year - 1990} a day.", title=f"Rates {year}", whole=True))
    rates = {"rates-2024", "rates-2025", "rates-2026"}
    for year, valid in ((2025, "rates-2025"), (2027, "rates-2026")):
        results = await found(retriever, "What is a meal now?", RetrieveOptions(now=datetime(year, 3, 1, tzinfo=UTC)))
        assert rates.intersection(results) == {valid}
    assert rates <= set(await found(retriever, "What was a meal?"))


async def test_vectors_of_another_model_are_not_searched_and_it_is_said(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ENCODER, "profile", replace(ENCODER.profile, name="another"))
    result, degraded = await search(
        Retriever(corpus, engines, embedder, RankingSettings()), WeightedQuery("Viking"), EVERYTHING
    )
    assert [failure.reason for failure in degraded] == ["VECTOR_MODEL_MISMATCH"]
    assert result.evidence[0].passage.document_id == "viking"


@pytest.mark.parametrize("principals", [(), ("bob",)])
async def test_nothing_of_a_result_moves_with_what_one_may_not_see(
    retriever: Retriever, corpus: Corpus, principals: tuple[str, ...]
) -> None:
    put(corpus, replace(SHELF[0], document_id="mine", text="Luna 9 landed on my Moon.", principals=("bob",)))
    options = RetrieveOptions(principals=principals, ranking=20)

    async def told(question: str) -> list[object]:
        result, _ = await search(retriever, WeightedQuery(question), options)
        return [result.evidence, result.ranking, result.terms]

    questions = ("When did Luna land on the Moon?", "Wann ist die Sonde weich gelandet?", "Saturn")
    before = [await told(question) for question in questions]
    for number in range(12):
        text, language = [("Die Sonde Luna ist weich gelandet, Saturn.", "de"), ("Saturn Saturn landed.", "en")][
            number % 2
        ]
        put(corpus, Document(f"x{number}", text, whole=True, language=language, principals=("alice",)))
    assert [await told(question) for question in questions] == before
