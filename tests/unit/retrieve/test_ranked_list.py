"""The ranked list: its order, the scores that it tells, its labels, and the evidence that it becomes."""

import numpy as np
import pytest

from libs.contracts.evidence import EngineScores, Evidence, NearDuplicate, Passage, Relevance
from libs.contracts.options import Depth, Fusion
from services.retrieve.search.fusion import FusionWeights, lexical_scale
from services.retrieve.search.grouping import DuplicateGroup, GroupMember
from services.retrieve.search.hybrid import Candidates
from services.retrieve.search.ranked_list import Ranked, evidence_of, rank, thresholds_of
from services.retrieve.search.ranking import Ranking, RankingSettings, RelevanceThresholds

KEYS = np.array([3, 5, 8])
WORDS = np.array([1.0, 0.0, 2.0])
COSINES = np.array([0.3, 0.9, np.nan])
MANY = 10_000


def ranked(lexical: bool = True, vector: bool = True, fusion: Fusion = Fusion.SUM, cosine_share: float = 1.0) -> Ranked:
    candidates = Candidates(KEYS, WORDS if lexical else None, COSINES if vector else None)
    return rank(candidates, Ranking(Depth(), fusion, FusionWeights(), cosine_share=cosine_share), MANY)


def test_a_passage_without_a_vector_is_as_near_as_those_that_words_find_as_well_and_tells_no_cosine() -> None:
    scores = ranked()
    assert scores.keys.tolist() == [5, 8, 3]
    assert scores.scores[1] == pytest.approx(2 * 0.3 + 2.0 * lexical_scale(MANY))
    assert scores.engine_scores(1) == EngineScores(lexical=2.0, fused=float(scores.scores[1]))


@pytest.mark.parametrize(
    ("words", "cosine"),
    [([1.0, 0.0, 9.0], 0.9), ([0.0, 0.0, 2.0], 0.9), ([1.0, 0.0, 0.0], 0.0)],
    ids=["never nearer than any", "words find no other", "words do not find it"],
)
def test_a_passage_without_a_vector_is_at_most_as_near_as_any(words: list[float], cosine: float) -> None:
    found = rank(Candidates(KEYS, np.array(words), COSINES), Ranking(Depth(), Fusion.SUM, FusionWeights()), MANY)
    score = found.scores[found.keys.tolist().index(8)]
    assert score == pytest.approx(cosine + words[2] * lexical_scale(MANY))


def test_a_passage_with_a_vector_tells_its_cosine() -> None:
    assert ranked().engine_scores(0).vector == 0.9


@pytest.mark.parametrize("fusion", list(Fusion))
def test_where_no_passage_has_a_vector_yet_words_rank_alone(fusion: Fusion) -> None:
    candidates = Candidates(KEYS, WORDS, np.full(3, np.nan))
    alone = rank(candidates, Ranking(Depth(), fusion, FusionWeights()), MANY)
    assert alone.scores.tolist() == ranked(vector=False, fusion=fusion).scores.tolist()
    assert thresholds_of(alone, RankingSettings()) == RankingSettings().lexical


@pytest.mark.parametrize("fusion", list(Fusion))
def test_without_vectors_words_rank_alone_on_their_scale(fusion: Fusion) -> None:
    scores = ranked(vector=False, fusion=fusion)
    assert scores.keys.tolist() == [8, 3, 5]
    assert scores.scores == pytest.approx(np.array([2.0, 1.0, 0.0]) * lexical_scale(MANY))
    assert scores.engine_scores(0).vector is None


def test_labels_are_based_on_the_sum_whatever_the_list_is_sorted_by() -> None:
    by_ranks, by_sum = ranked(fusion=Fusion.RRF), ranked()
    assert dict(zip(by_ranks.keys, by_ranks.relevance, strict=True)) == dict(
        zip(by_sum.keys, by_sum.scores, strict=True)
    )


def test_a_cosine_that_counts_little_orders_little_and_the_best_score_stays_on_its_scale() -> None:
    words_first = ranked(cosine_share=0.05)
    assert words_first.keys.tolist() == [8, 3, 5]
    plain = ranked()
    assert dict(zip(words_first.keys, words_first.relevance, strict=True)) == dict(
        zip(plain.keys, plain.relevance, strict=True)
    )
    half = ranked(cosine_share=0.5)
    assert half.keys.tolist() == plain.keys.tolist()
    assert half.scores[0] == pytest.approx(plain.scores[0])


def test_equal_scores_are_in_the_order_of_their_keys() -> None:
    assert ranked().sorted_by(np.zeros(3)).keys.tolist() == [3, 5, 8]


def test_a_reranker_sorts_the_list_and_labels_it() -> None:
    scores = ranked().reranked(np.array([0.1, 0.2, 0.6]))
    assert scores.keys.tolist() == [3, 8, 5]
    assert scores.scores.tolist() == scores.rerank.tolist() == scores.relevance.tolist() == [0.6, 0.2, 0.1]
    assert (scores.engine_scores(0).rerank, scores.engine_scores(0).fused) == (0.6, 0.6)


def test_the_thresholds_are_those_of_the_scale_of_the_labels() -> None:
    settings = RankingSettings()
    assert thresholds_of(ranked(), settings) == settings.hybrid
    assert thresholds_of(ranked(vector=False), settings) == settings.lexical
    assert thresholds_of(ranked(lexical=False), settings) == settings.hybrid
    assert thresholds_of(ranked().reranked(np.ones(3)), settings) == settings.reranked


def passage(key: int) -> Passage:
    return Passage(f"p{key}", f"d{key}", f"Passage {key}.")


def test_evidence_has_rank_label_and_further_sources_and_leaves_out_what_was_deleted() -> None:
    groups = [DuplicateGroup(0), DuplicateGroup(1, (GroupMember(2, 0.97), GroupMember(0, 0.96)))]
    passages = {3: passage(3), 8: passage(8)}
    thresholds = RelevanceThresholds(high=0.9, medium=0.5)
    assert evidence_of(ranked(), groups, passages, thresholds) == (
        Evidence(
            passage(8), ranked().engine_scores(1), 1, Relevance.MEDIUM, (NearDuplicate(passage(3), similarity=0.97),)
        ),
    )
