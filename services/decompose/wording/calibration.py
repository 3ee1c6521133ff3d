"""Corrects the networks' log-odds by what kind of turn it is: a logistic regression with few weights.

The networks score each word for itself. How many others are as likely, how much the turn says itself, and whether there
were answers to take words from, moves the share of right words among those of one score.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.decompose.wording.inputs import AGES, IN_FIRST_QUESTION, IN_LAST_QUESTION, Inputs

Floats = NDArray[np.float32]
TERMS: Final = 18
_MOST_RANK: Final = 6
_MOST_EXPECTED: Final = 8
_LIKELIEST: Final = 13.8
"""Limit of log-odds: those of a probability of 1 - 1e-6."""


def calibrated(inputs: Inputs, scores: Floats, need: float, weights: Mapping[str, Floats]) -> Floats:
    """Log-odds of each stem, from those of the networks, of at least one stem."""
    result: Floats = terms(inputs, scores, need) @ weights["weight"] + weights["bias"]
    return result


def terms(inputs: Inputs, scores: Floats, need: float) -> Floats:
    """A row per stem."""
    scores = np.clip(scores, -_LIKELIEST, _LIKELIEST)
    own = int((inputs.kinds == 0).sum())
    points = float((inputs.kinds == 2).any())
    has_answers = float((inputs.ages >= AGES).any())
    rank = (scores[None, :] > scores[:, None]).sum(axis=1)
    expected = min(float((1 / (1 + np.exp(-scores))).sum()), _MOST_EXPECTED)
    of_turn = [need, expected, np.log1p(own), own <= 1, has_answers, points]
    of_turn += [np.log1p(len(scores)), len(inputs.kinds) / 10]
    of_stem = [
        scores,
        scores - scores.max(),
        np.minimum(rank, _MOST_RANK),
        rank == 0,
        inputs.features[:, IN_LAST_QUESTION],
        inputs.features[:, IN_FIRST_QUESTION],
        scores * has_answers,
        scores * points,
        scores * np.log1p(own),
        scores * need,
    ]
    return np.column_stack([*of_stem, np.tile(np.array(of_turn, np.float32), (len(scores), 1))]).astype(np.float32)
