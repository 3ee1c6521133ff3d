"""Fits the calibration of the tagger: ridge logistic regressions, by Newton's method, and the thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bench.fit.wording_rows import OTHER_TOPIC, Row
from bench.fit.wording_thresholds import fit_thresholds
from services.decompose.wording.calibration import terms, turn_terms
from services.decompose.wording.inputs import Inputs
from services.decompose.wording.tagger import Needed, read_needed

Floats = NDArray[np.float32]
_PENALTY = 3.3
_STEPS = 25
_HOPELESS = -5.0
"""Log-odds below which a word says nothing about the others: it is left out of the fit."""
_ANY_THRESHOLDS = np.zeros((2, 3), np.float32)


@dataclass(frozen=True)
class Scored:
    """What the networks say of a row."""

    row: Row
    inputs: Inputs
    scores: Floats
    need: float

    @cached_property
    def gold(self) -> frozenset[str]:
        """The stems that it needs."""
        return self.row.gold

    def needed(self, calibration: dict[str, Floats]) -> Needed:
        """Calibrated."""
        return read_needed(self.inputs, self.scores, self.need, calibration)


def fit_calibration(own: Sequence[Scored], made: Sequence[Scored]) -> dict[str, Floats]:
    """The arrays that `read_needed` takes, for terms as they are.

    `own` says what is needed, `made` what a change of topic looks like; the thresholds are those of `own` of weight 1.
    """
    own = [case for case in own if case.inputs.stems]
    switched = [case for case in made if case.inputs.stems and case.row.kind == OTHER_TOPIC]
    x = np.concatenate([terms(case.inputs, case.scores, case.need) for case in own]).astype(np.float64)
    y = np.array([stem in case.gold for case in own for stem in case.inputs.stems], np.float64)
    hopeful = x[:, 0] > _HOPELESS
    weight, bias = _logistic(x[hopeful], y[hopeful])
    of_turns = np.array([_of_turn(case, weight, bias) for case in (*own, *switched)], np.float64)
    need = _logistic(of_turns[: len(own)], np.array([bool(case.gold) for case in own], np.float64))
    other_topic = _logistic(of_turns, np.array([False] * len(own) + [True] * len(switched), np.float64))
    turn_weight, turn_bias = (np.stack(parts) for parts in zip(need, other_topic, strict=True))
    result = {"weight": weight, "bias": bias, "turn_weight": turn_weight, "turn_bias": turn_bias}
    needs = [case.needed(result | {"thresholds": _ANY_THRESHOLDS}) for case in own]
    return result | {"thresholds": fit_thresholds([case.row for case in own], needs)}


def _of_turn(case: Scored, weight: Floats, bias: Floats) -> Floats:
    return turn_terms(case.inputs, terms(case.inputs, case.scores, case.need) @ weight + bias, case.need)


def _logistic(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Weight and bias."""
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z = np.column_stack([(x - mean) / deviation, np.ones(len(x))])
    penalty = np.diag([_PENALTY] * x.shape[1] + [0.0])
    weights = np.zeros(z.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(z @ weights)))
        curvature = (z * (p * (1 - p))[:, None]).T @ z + penalty
        weights -= np.linalg.solve(curvature, z.T @ (p - y) + penalty @ weights)
    weight = weights[:-1] / deviation
    return weight.astype(np.float32), np.array(weights[-1] - weight @ mean, np.float32)
