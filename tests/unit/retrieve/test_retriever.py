from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from libs.contracts.dates import TimeRange
from libs.contracts.options import Depth, Fusion, RetrieveOptions
from libs.contracts.query import Filters, WeightedQuery, WeightedTerm, WeightedText
from libs.contracts.stages.retrieve import RetrievePartial, RetrieveResult
from libs.contracts.usage import Degraded
from libs.runtime.errors import NotFound, Unavailable
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, DocumentImage
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.embedded.lexical import LexicalIndex
from services.retrieve.engines.embedded.vector import VectorIndex
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


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path) as corpus:
        for document in SHELF:
            put(corpus, document)
        yield corpus


@pytest.fixture
def engines(corpus: Corpus, tmp_path: Path) -> Iterator[Engines]:
    engines = Engines(corpus, tmp_path / "engines")
    yield engines
    engines.close()


@pytest.fixture
def embedder() -> Iterator[BatchingEmbedder]:
    embedder = BatchingEmbedder(ENCODER)
    yield embedder
    embedder.close()


@pytest.fixture
def retriever(corpus: Corpus, engines: Engines, embedder: BatchingEmbedder) -> Retriever:
    return Retriever(corpus, engines, embedder, RankingSettings())


async def found(retriever: Retriever, query: str | WeightedQuery, options: RetrieveOptions = EVERYTHING) -> list[str]:
    """The documents of the evidence, the best first."""
    weighted_query = query if isinstance(query, WeightedQuery) else WeightedQuery(query)
    result, _ = await search(retriever, weighted_query, options)
    return [evidence.passage.document_id for evidence in result.evidence]


async def test_evidence_comes_ranked_with_the_score_of_each_engine(retriever: Retriever) -> None:
    result, degraded = await search(retriever, WeightedQuery("Viking landed on Mars"), EVERYTHING)
    best = result.evidence[0]
    assert (best.passage.document_id, best.rank, degraded) == ("viking", 1, [])
    assert best.scores.lexical is not None
    assert best.scores.vector is not None
    assert best.scores.lexical > 0
    assert [evidence.scores.fused for evidence in result.evidence] == sorted(
        (evidence.scores.fused for evidence in result.evidence), reverse=True
    )


async def test_every_candidate_has_the_exact_score_of_both_engines(retriever: Retriever) -> None:
    shallow = RetrieveOptions(depth=Depth(lexical=1, vector=1))
    deep, _ = await search(retriever, WeightedQuery("Luna 9 landed softly"), EVERYTHING)
    few, _ = await search(retriever, WeightedQuery("Luna 9 landed softly"), shallow)
    scores = {evidence.passage.passage_id: evidence.scores for evidence in deep.evidence}
    for evidence in few.evidence:
        expected = scores[evidence.passage.passage_id]
        assert evidence.scores.lexical == pytest.approx(expected.lexical)
        assert evidence.scores.vector == pytest.approx(expected.vector, abs=1e-5)


async def test_a_near_duplicate_hangs_on_the_better_passage_as_a_further_source(retriever: Retriever) -> None:
    result, _ = await search(retriever, WeightedQuery("Luna 9 landed softly on the Moon"), EVERYTHING)
    documents = [evidence.passage.document_id for evidence in result.evidence]
    best = result.evidence[0]
    assert {best.passage.document_id, *(copy.passage.document_id for copy in best.near_duplicates)} == {"luna", "copy"}
    assert documents.count("luna") + documents.count("copy") == 1


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


async def test_a_variant_finds_what_the_text_does_not_say(retriever: Retriever) -> None:
    options = RetrieveOptions(depth=Depth(lexical=1, vector=1, evidence=3))
    query = WeightedQuery("Saturn", variants=(WeightedText("Viking on Mars", 0.5),))
    assert set(await found(retriever, query, options)) == {"cassini", "viking"}


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


async def test_what_is_unlike_a_wording_is_not_found_by_it(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder
) -> None:
    retriever = Retriever(corpus, engines, embedder, RankingSettings(variant_cosine=0.5))
    query = WeightedQuery("Cassini circled Saturn", variants=(WeightedText("Cassini circled Saturn", 0.95),))
    assert await found(retriever, query) == ["cassini"]
    assert len(await found(retriever, "Cassini circled Saturn")) > 1


@pytest.mark.parametrize("fusion", list(Fusion))
async def test_each_way_of_fusing_puts_the_obvious_first(retriever: Retriever, fusion: Fusion) -> None:
    assert (await found(retriever, "Cassini circled Saturn", RetrieveOptions(fusion=fusion)))[0] == "cassini"


async def test_as_much_evidence_comes_back_as_was_asked_for(retriever: Retriever) -> None:
    assert len(await found(retriever, "landed", RetrieveOptions(depth=Depth(evidence=2)))) == 2


SIXTIES = TimeRange(datetime(1960, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC))
AFTER_2000 = TimeRange(start=datetime(2000, 1, 1, tzinfo=UTC))


async def test_a_range_of_time_filters(retriever: Retriever) -> None:
    options = RetrieveOptions(filters=Filters(dates=SIXTIES))
    assert set(await found(retriever, "landed", options)) == {"luna", "surveyor"}


async def test_a_range_of_time_lifts_what_is_dated_in_it_and_then_what_speaks_of_it(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder
) -> None:
    put(corpus, Document("curiosity", "Curiosity landed on Mars.", date="2012-08-06", whole=True))
    retriever = Retriever(corpus, engines, embedder, RankingSettings(time_boost=9))
    plain = await found(retriever, "Viking or Cassini")
    results = await found(retriever, "Viking or Cassini", RetrieveOptions(boost=AFTER_2000))
    assert results[:2] == ["curiosity", "cassini"]
    assert set(results) == set(plain)


async def test_evidence_carries_the_documents_pictures(corpus: Corpus, retriever: Retriever) -> None:
    put(corpus, replace(SHELF[2], images=(DocumentImage(caption="Chryse Planitia", data=b"png", width=8),)))
    result, _ = await search(retriever, WeightedQuery("Viking"), EVERYTHING)
    (image,) = result.evidence[0].passage.images
    assert (image.image_id, image.caption, image.width) == ("viking/1", "Chryse Planitia", 8)


async def test_without_an_embedder_words_alone_are_searched_and_it_is_said(corpus: Corpus, engines: Engines) -> None:
    retriever = Retriever(corpus, engines, None, RankingSettings())
    result, degraded = await search(retriever, WeightedQuery("Viking"), EVERYTHING)
    assert [evidence.passage.document_id for evidence in result.evidence] == ["viking"]
    assert result.evidence[0].scores.vector is None
    assert [failure.reason for failure in degraded] == ["EMBEDDER_MISSING"]


async def test_vectors_of_another_model_are_not_searched_and_it_is_said(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ENCODER, "profile", replace(ENCODER.profile, name="another"))
    result, degraded = await search(
        Retriever(corpus, engines, embedder, RankingSettings()), WeightedQuery("Viking"), EVERYTHING
    )
    assert [failure.reason for failure in degraded] == ["VECTOR_MODEL_MISMATCH"]
    assert result.evidence[0].passage.document_id == "viking"


async def test_an_empty_collection_gives_nothing_and_complains_of_nothing(corpus: Corpus, retriever: Retriever) -> None:
    corpus.delete_collection("default").result()
    result, degraded = await search(retriever, WeightedQuery("Viking"), EVERYTHING)
    assert (result.evidence, degraded) == ((), [])


async def test_an_unknown_collection_is_not_found(retriever: Retriever) -> None:
    with pytest.raises(NotFound, match="COLLECTION_NOT_FOUND"):
        await found(retriever, "Viking", RetrieveOptions(collection="nowhere"))


def broken(*_: object) -> None:
    raise OSError("the disk is gone")


@pytest.mark.parametrize(("engine", "score_field"), [(LexicalIndex, "vector"), (VectorIndex, "lexical")])
async def test_an_engine_that_fails_is_said_to_and_the_other_goes_on(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch, engine: type, score_field: str
) -> None:
    monkeypatch.setattr(engine, "search", broken)
    result, degraded = await search(retriever, WeightedQuery("Viking landed on Mars"), EVERYTHING)
    assert [failure.reason for failure in degraded] == ["ENGINE_UNAVAILABLE"]
    assert result.evidence[0].passage.document_id == "viking"
    assert getattr(result.evidence[0].scores, score_field) is not None


async def test_when_no_engine_answers_the_call_fails(retriever: Retriever, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LexicalIndex, "search", broken)
    monkeypatch.setattr(VectorIndex, "search", broken)
    with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
        await found(retriever, "Viking")


class SaturnFirst:
    """A reranker that loves Saturn, or fails."""

    name = "saturn"

    def __init__(self, fails: bool = False) -> None:
        self._fails = fails

    async def rerank(self, query: str, passages: list[str]) -> NDArray[np.float64]:
        if self._fails:
            raise Unavailable("RERANKER_MISSING", "gone")
        return np.array([0.9 if "Saturn" in passage else 0.1 for passage in passages])


async def test_a_reranker_has_the_last_word_after_a_first_list(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder
) -> None:
    retriever = Retriever(corpus, engines, embedder, RankingSettings(), SaturnFirst())  # type: ignore[arg-type]
    steps = [step async for step in retriever.retrieve(WeightedQuery("landed on Mars"), EVERYTHING)]
    assert [type(step) for step in steps] == [RetrievePartial, RetrieveResult]
    first, last = steps
    assert isinstance(first, RetrievePartial)
    assert isinstance(last, RetrieveResult)
    assert first.evidence[0].passage.document_id == "viking"
    assert last.evidence[0].passage.document_id == "cassini"
    assert last.evidence[0].scores.rerank == pytest.approx(0.9)


async def test_a_reranker_that_fails_leaves_the_fused_order_and_it_is_said(
    corpus: Corpus, engines: Engines, embedder: BatchingEmbedder
) -> None:
    retriever = Retriever(corpus, engines, embedder, RankingSettings(), SaturnFirst(fails=True))  # type: ignore[arg-type]
    steps = [step async for step in retriever.retrieve(WeightedQuery("landed on Mars"), EVERYTHING)]
    assert [type(step) for step in steps] == [RetrievePartial, Degraded, RetrieveResult]
    assert isinstance(steps[-1], RetrieveResult)
    assert steps[-1].evidence[0].passage.document_id == "viking"
