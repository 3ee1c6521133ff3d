"""Fits the calibration of the tagger: a ridge logistic regression, by Newton's method."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.decompose.wording.calibration import TERMS, calibrated, terms
from services.decompose.wording.inputs import Inputs
from services.decompose.wording.tagger import Needed

Floats = NDArray[np.float32]
_PENALTY = 3.3
_STEPS = 25
_HOPELESS = -5.0
"""Log-odds below which a word says nothing about the others: it is left out of the fit."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What the networks say of a case, and what it needs."""

    inputs: Inputs
    scores: Floats
    need: float
    gold: frozenset[str]

    def needed(self, calibration: dict[str, Floats]) -> Needed:
        """Calibrated."""
        if not self.inputs.stems:
            return Needed({}, self.need)
        odds = calibrated(self.inputs, self.scores, self.need, calibration)
        probabilities = 1 / (1 + np.exp(-odds))
        return Needed(dict(zip(self.inputs.stems, probabilities.tolist(), strict=True)), self.need)


def fit_calibration(cases: Sequence[Scored]) -> dict[str, Floats]:
    """`weight` and `bias`, for terms as they are."""
    cases = [case for case in cases if case.inputs.stems]
    x = np.concatenate([terms(case.inputs, case.scores, case.need) for case in cases]).astype(np.float64)
    y = np.array([stem in case.gold for case in cases for stem in case.inputs.stems], np.float64)
    hopeful = x[:, 0] > _HOPELESS
    x, y = x[hopeful], y[hopeful]
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z = np.column_stack([(x - mean) / deviation, np.ones(len(x))])
    penalty = np.diag([_PENALTY] * TERMS + [0.0])
    weights = np.zeros(TERMS + 1)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(z @ weights)))
        curvature = (z * (p * (1 - p))[:, None]).T @ z + penalty
        weights -= np.linalg.solve(curvature, z.T @ (p - y) + penalty @ weights)
    weight = weights[:-1] / deviation
    return {"weight": weight.astype(np.float32), "bias": np.array(weights[-1] - weight @ mean, np.float32)}
