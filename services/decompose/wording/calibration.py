"""Makes probabilities of the networks' log-odds: logistic regressions with few weights.

The networks score each word for itself. How many others are as likely, how much the turn says itself, and whether there
were answers to take words from, moves the share of right words among those of one score. Whether the turn needs
anything, and whether it is about something else, is told by all of its words together.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.decompose.wording.inputs import AGES, IN_FIRST_QUESTION, IN_LAST_QUESTION, Inputs

Floats = NDArray[np.float32]
_MOST_RANK: Final = 6
_MOST_EXPECTED: Final = 8
_MOST_SAID: Final = 4
_LIKELIEST: Final = 13.8
"""Limit of log-odds: those of a probability of 1 - 1e-6."""
_LIKELIEST_OF_TURN: Final = 9.2
"""The same of what is told of the turn: 1 - 1e-4."""


def terms(inputs: Inputs, scores: Floats, need: float) -> Floats:
    """A row per stem."""
    scores = np.clip(scores, -_LIKELIEST, _LIKELIEST)
    own, points, has_answers = _form(inputs)
    rank = (scores[None, :] > scores[:, None]).sum(axis=1)
    expected = min(float(probability(scores).sum()), _MOST_EXPECTED)
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


def turn_terms(inputs: Inputs, odds: Floats, need: float) -> Floats:
    """Of the whole turn, from the calibrated log-odds of its stems."""
    own, points, has_answers = _form(inputs)
    of_none = -float(np.logaddexp(0, odds).sum())
    of_any = np.log(max(-np.expm1(of_none), 1e-9)) - of_none
    likeliest, of_any = np.clip([odds.max(), of_any], -_LIKELIEST_OF_TURN, _LIKELIEST_OF_TURN)
    said = [min(inputs.said, _MOST_SAID), inputs.said / max(own, 1), own - inputs.said]
    return np.array([need, likeliest, of_any, np.log1p(own), has_answers, points, *said], np.float32)


def _form(inputs: Inputs) -> tuple[int, float, float]:
    """How many content words the turn has; whether it points; whether there were answers."""
    own = int((inputs.kinds == 0).sum())
    return own, float((inputs.kinds == 2).any()), float((inputs.ages >= AGES).any())


def probability(odds: Floats) -> Floats:
    """Of log-odds."""
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)
