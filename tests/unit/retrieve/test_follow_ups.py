"""The order of what a follow-up finds: what stands near to what was found before comes sooner."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import Evidence, RankedPassage
from libs.contracts.options import Fusion, RetrieveOptions
from libs.contracts.query import WeightedQuery
from libs.contracts.stages.retrieve import EarlierRanking, RetrieveResult
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.embedded.vector import VectorIndex
from services.retrieve.search.earlier import Recalled
from services.retrieve.search.follow_ups import FEATURES, FittedOrder, features_of
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.retriever import Retriever
from tests.fakes.stored_documents import put

TOWERS = Document(
    "towers",
    "# North tower\n\nThe north tower has a clock.\n\n# Height\n\nIt rises above the roofs.\n\n"
    "# South tower\n\nThe south tower has a bell.\n\n# Age\n\nIt was built of oak.",
    title="Towers",
    language="en",
)
BARN = Document("barn", "The barn was built of oak.", title="Barn", language="en")
OAK = WeightedQuery("Was the barn built of oak?")
BUILT = RetrieveOptions()


@pytest.fixture(autouse=True)
def _shelf(corpus: Corpus) -> None:
    put(corpus, TOWERS)
    put(corpus, BARN)


def turn(keys: Sequence[int], documents: Sequence[int], scores: Sequence[float]) -> Recalled:
    return Recalled(np.array(keys), np.array(documents), np.array(scores))


def test_a_passage_is_told_by_what_was_found_before_of_it_beside_it_and_in_its_document() -> None:
    keys, documents = np.array([10, 11, 13, 50, 51]), np.array([1, 1, 1, 2, 2])
    earlier = (turn([11, 14], [1, 1], [1.0, 0.6]), turn([50], [2], [0.7]))
    features = features_of(keys, documents, np.full(5, 0.5), earlier)
    columns = dict(zip(FEATURES, features.T.tolist(), strict=True))
    assert columns == {
        "alone": [0.5] * 5,
        "itself": [0, 1.0, 0, 0, 0],
        "around": [1.0, 0, 1.0, 0, 0],
        "document": [1.0, 0.6, 1.0, 0, 0],
        "document_before": [0, 0, 0, 0, 0.7],
    }


def test_with_one_earlier_turn_it_stands_for_the_one_before() -> None:
    features = features_of(np.array([10]), np.array([1]), np.zeros(1), (turn([13], [1], [0.8]),))
    assert features[0].tolist() == [0, 0, 0, 0.8, 0.8]


def test_neighbours_in_the_index_that_are_of_another_document_are_none() -> None:
    features = features_of(np.array([10]), np.array([1]), np.zeros(1), (turn([11], [2], [1.0]),))
    assert features[0].tolist() == [0, 0, 0, 0, 0]


TURNS = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 1), st.floats(0, 1)), min_size=1, max_size=6)


@given(TURNS, TURNS)
def test_every_feature_is_between_0_and_1(
    last: list[tuple[int, int, float]], before: list[tuple[int, int, float]]
) -> None:
    keys = np.arange(1, 10)
    earlier = tuple(turn(*zip(*each, strict=True)) for each in (last, before))
    features = features_of(keys, keys % 2, np.linspace(0, 1, 9), earlier)
    assert features.shape == (9, len(FEATURES))
    assert ((features >= 0) & (features <= 1)).all()


def test_the_weights_of_the_package_raise_what_the_turn_alone_finds_and_what_stands_near() -> None:
    assert (FittedOrder.load().weights > 0).all()


@pytest.fixture
def by_document(corpus: Corpus, engines: Engines, embedder: BatchingEmbedder) -> Retriever:
    """A retriever that orders by the document of the last turn."""
    order = FittedOrder(np.array([0, 0, 0, 1.0, 0]))
    return Retriever(corpus, engines, embedder, RankingSettings(), order=order)


async def searched(
    retriever: Retriever, earlier: Sequence[EarlierRanking] = (), options: RetrieveOptions = BUILT
) -> tuple[Evidence, ...]:
    (*_, result) = [step async for step in retriever.retrieve(OAK, options, earlier)]
    assert isinstance(result, RetrieveResult)
    return result.evidence


def after(passage_id: str) -> tuple[EarlierRanking]:
    return (EarlierRanking((RankedPassage(passage_id, 1.0),)),)


def documents_of(evidence: Sequence[Evidence]) -> list[str]:
    return [each.passage.document_id for each in evidence]


async def test_what_is_in_the_document_of_the_last_turn_comes_first(by_document: Retriever) -> None:
    assert documents_of(await searched(by_document))[0] == "barn"
    assert documents_of(await searched(by_document, after("towers#0")))[0] == "towers"


async def test_the_best_passage_takes_over_the_score_of_the_one_that_was_best(
    by_document: Retriever, retriever: Retriever, corpus: Corpus, engines: Engines, embedder: BatchingEmbedder
) -> None:
    unfitted = Retriever(corpus, engines, embedder, RankingSettings(), order=FittedOrder(np.zeros(len(FEATURES))))
    plain, fitted = await searched(unfitted, after("towers#0")), await searched(by_document, after("towers#0"))
    assert plain[0].passage != fitted[0].passage
    assert fitted[0].scores.fused == pytest.approx(plain[0].scores.fused)
    assert [each.scores.fused for each in fitted] == sorted((each.scores.fused for each in fitted), reverse=True)


async def test_a_requested_fusion_keeps_its_order(by_document: Retriever) -> None:
    by_ranks = replace(BUILT, fusion=Fusion.RRF)
    assert documents_of(await searched(by_document, after("towers#0"), by_ranks))[0] == "barn"


async def test_where_an_engine_fails_the_other_orders(by_document: Retriever, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(VectorIndex, "search", broken)
    assert documents_of(await searched(by_document, after("towers#0")))[0] == "barn"
