"""Vectors of any model on the scale of the packaged one's."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from services.retrieve.embedding.centering import CenteredEncoder
from services.retrieve.embedding.embedder import unit
from tests.fakes.word_encoder import WordEncoder

SUBJECTS = (
    "the rover landed on mars",
    "bread is baked in an oven",
    "a court dismissed the appeal",
    "trains leave hourly",
)


class NarrowEncoder(WordEncoder):
    """All its vectors point one way, as those of many models do."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return unit(super().encode(texts) + np.float32(0.2))


def cosines(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Those of each pair."""
    products: NDArray[np.float32] = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    return products


def test_unrelated_texts_are_unlike_with_a_model_whose_vectors_all_point_one_way() -> None:
    encoder = NarrowEncoder()
    assert cosines(encoder.encode(SUBJECTS)).min() > 0.7
    assert cosines(CenteredEncoder(encoder).encode(SUBJECTS)).mean() < 0.2


def test_vectors_have_the_length_1_and_like_texts_stay_alike() -> None:
    like, twin, other = CenteredEncoder(NarrowEncoder()).encode(
        ["the rover landed on mars", "the rover landed", "a loaf"]
    )
    assert np.linalg.norm(like) == pytest.approx(1, abs=1e-5)
    assert like @ twin > 0.5 > like @ other


def test_the_models_name_tells_that_its_vectors_are_compared_with_no_others() -> None:
    encoder = NarrowEncoder()
    assert CenteredEncoder(encoder).profile.name == f"{encoder.profile.name} (centered)"
