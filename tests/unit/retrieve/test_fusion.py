import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from libs.contracts.options import Fusion
from services.retrieve.search.fusion import LEXICAL_WEIGHT, FusionWeights, Scores, fuse, lexical_scale

EVEN = FusionWeights()
BM25 = np.array([10.0, 0.0, 5.0])
COSINE = np.array([0.2, 0.9, 0.4])


FUSED = {
    "BM25 at a scale that is free of the collection's size": (Fusion.SUM, BM25, COSINE, 10_000, [0.602, 0.9, 0.601]),
    "each engine stretched to the unit interval": (Fusion.MIN_MAX, BM25, COSINE, 3, [0.5, 0.5, (0.5 + 2 / 7) / 2]),
    "reciprocal ranks, and no match has none": (Fusion.RRF, BM25, COSINE, 3, [1 / 61 + 1 / 63, 1 / 61, 2 / 62]),
    "the full-text engine alone": (Fusion.LEXICAL, BM25, COSINE, 10_000, [0.402, 0.0, 0.201]),
    "a weak match of words has a rank": (Fusion.RRF, np.array([0.5, 0.0]), np.zeros(2), 3, [2 / 61, 1 / 61]),
    "equal scores share the better rank": (
        Fusion.RRF, np.zeros(3), np.array([0.5, 0.9, 0.5]), 3, [1 / 62, 1 / 61, 1 / 62],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FUSED)
def test_scores_are_fused_by_the_formula(case: str) -> None:
    method, lexical, vector, passages, expected = FUSED[case]
    tolerance = 1e-3 if passages == 10_000 else 1e-9
    assert fuse(method, lexical, vector, EVEN, passages) == pytest.approx(expected, abs=tolerance)


def test_the_scale_of_words_falls_with_the_size_of_the_collection() -> None:
    assert lexical_scale(10_000) == pytest.approx(0.04, rel=0.01)


@pytest.mark.parametrize("method", [method for method in Fusion if method is not Fusion.LEXICAL])
def test_weights_of_zero_silence_an_engine(method: Fusion) -> None:
    by_words = fuse(method, BM25, COSINE, FusionWeights(lexical=1, vector=0), 3)
    assert np.argsort(-by_words).tolist() == [0, 2, 1]
    by_meaning = fuse(method, BM25, COSINE, FusionWeights(lexical=0, vector=1), 3)
    assert np.argsort(-by_meaning).tolist() == [1, 2, 0]


def test_a_collection_of_fewer_than_two_passages_has_the_scale_of_two() -> None:
    assert lexical_scale(0) == lexical_scale(2) == pytest.approx(LEXICAL_WEIGHT / np.log(3))


@pytest.mark.parametrize("method", list(Fusion))
def test_one_engine_alone_ranks_by_its_own_scores(method: Fusion) -> None:
    assert fuse(method, None, COSINE, EVEN, 3).tolist() == COSINE.tolist()
    assert fuse(method, BM25, None, EVEN, 3) == pytest.approx(BM25 * lexical_scale(3))
    assert len(fuse(method, None, None, EVEN, 3)) == 0


@pytest.mark.parametrize("method", list(Fusion))
def test_no_candidates_have_no_scores(method: Fusion) -> None:
    assert len(fuse(method, np.zeros(0), np.zeros(0), EVEN, 3)) == 0


@pytest.mark.parametrize("method", [method for method in Fusion if method is not Fusion.LEXICAL])
def test_where_neither_engine_has_a_weight_all_scores_are_0(method: Fusion) -> None:
    assert fuse(method, BM25, COSINE, FusionWeights(lexical=0, vector=0), 3).tolist() == [0.0, 0.0, 0.0]


@given(
    st.sampled_from(list(Fusion)),
    arrays(np.float64, 8, elements=st.floats(0, 30)),
    arrays(np.float64, 8, elements=st.floats(-1, 1)),
)
def test_what_both_engines_like_better_ranks_no_lower(method: Fusion, lexical: Scores, vector: Scores) -> None:
    scores = fuse(method, lexical, vector, EVEN, 100)
    better = (lexical[:, None] > lexical[None, :]) & (vector[:, None] > vector[None, :])
    assert (scores[:, None] >= scores[None, :] - 1e-9)[better].all()
