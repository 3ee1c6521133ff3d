"""A model's cosines on its own scale."""

import numpy as np
import pytest

from libs.inference.vectors import UNRELATED, floor_of, on_own_scale
from tests.fakes.meant_vectors import MeantEncoder


@pytest.mark.parametrize("floor", [0.0, 0.5, 0.78])
async def test_the_floor_is_what_two_sentences_without_anything_in_common_have(floor: float) -> None:
    vectors = await MeantEncoder("no such phrase", floor=floor).embed(UNRELATED)
    assert floor_of(vectors) == pytest.approx(floor, abs=1e-6)


def test_the_floor_is_the_mean_of_all_pairs() -> None:
    vectors = [np.array(values, np.float32) for values in ((1, 0), (0, 1), (-1, 0))]
    assert floor_of(vectors) == pytest.approx(-1 / 3)


def test_the_floor_is_nought_and_one_stays_one() -> None:
    assert [on_own_scale(cosine, 0.78) for cosine in (0.78, 0.89, 1.0)] == pytest.approx([0, 0.5, 1])
    assert on_own_scale(-0.1, 0.0) == pytest.approx(-0.1)


def test_to_a_model_that_calls_everything_the_same_nothing_is_near() -> None:
    assert on_own_scale(1.0, 1.0) == 0
