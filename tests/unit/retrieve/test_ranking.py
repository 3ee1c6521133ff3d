"""What a request leaves open is filled in from the settings; labels follow thresholds."""

import math

import pytest

from libs.contracts.evidence import Relevance
from libs.contracts.options import Depth, Fusion, RetrieveOptions
from services.retrieve.search.fusion import FusionWeights
from services.retrieve.search.ranking import Ranking, RankingSettings, RelevanceThresholds, ranking_of

SETTINGS = RankingSettings(
    lexical_depth=100,
    vector_depth=90,
    rerank_depth=80,
    evidence=20,
    lexical_weight=2.0,
    vector_weight=3.0,
    variant_depth=50,
    variant_cosine=0.1,
    variant_evidence=8,
)


@pytest.mark.parametrize(
    ("score", "label"),
    [
        (1.0, Relevance.HIGH),
        (0.999, Relevance.MEDIUM),
        (0.7, Relevance.MEDIUM),
        (0.699, Relevance.LOW),
        (-math.inf, Relevance.LOW),
    ],
)
def test_a_label_begins_at_its_threshold(score: float, label: Relevance) -> None:
    assert RelevanceThresholds(high=1.0, medium=0.7).label(score) is label


def test_a_request_that_says_nothing_is_ranked_by_the_settings() -> None:
    expected = Ranking(Depth(100, 90, 80, 20), Fusion.SUM, FusionWeights(2.0, 3.0), -math.inf)
    assert ranking_of(RetrieveOptions(), SETTINGS) == expected


def test_several_wordings_are_searched_less_deeply() -> None:
    expected = Ranking(Depth(50, 50, 80, 8), Fusion.SUM, FusionWeights(2.0, 3.0), 0.1)
    assert ranking_of(RetrieveOptions(), SETTINGS, several=True) == expected


def test_a_depth_below_that_of_several_wordings_stays() -> None:
    shallow = RankingSettings(lexical_depth=3, vector_depth=2, rerank_depth=80, evidence=1)
    assert ranking_of(RetrieveOptions(), shallow, several=True).depth == Depth(3, 2, 80, 1)


@pytest.mark.parametrize("several", [False, True])
def test_what_a_request_says_goes_before_the_settings(several: bool) -> None:
    options = RetrieveOptions(
        depth=Depth(lexical=7, vector=6, rerank=5, evidence=4),
        fusion=Fusion.RRF,
        lexical_weight=0.0,
        vector_weight=0.5,
    )
    ranking = ranking_of(options, SETTINGS, several)
    assert (ranking.depth, ranking.fusion, ranking.weights) == (Depth(7, 6, 5, 4), Fusion.RRF, FusionWeights(0.0, 0.5))
