"""Fits corrections of a score so that right passages come before wrong ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS: Final = 40
"""Steps of Newton's method; it needs about eight."""
SMALL: Final = 1e-6
"""It ends when no weight changes by more."""


@dataclass(frozen=True, slots=True)
class Case:
    """The passages of one turn; arrays are aligned."""

    features: Floats
    """Shape (passages, features)."""
    scores: Floats
    """What is corrected."""
    right: NDArray[np.bool_]
    """At least one passage is right and one is not."""
    weight: float = 1.0


def fit_corrections(cases: Sequence[Case], temperature: float, l2: float) -> Floats:
    """The weights w that minimize the loss over all cases, one for each feature.

    A case's loss is -log of the share of its right passages in softmax(temperature * (scores + features @ w)). Each
    weight, times the temperature and its feature's deviation, is penalized by l2 / 2 times its square.
    """
    deviation = np.concatenate([case.features for case in cases]).std(axis=0) + 1e-9
    scaled = [case.features / deviation for case in cases]
    weights = np.zeros(len(deviation))
    for _ in range(STEPS):
        gradient, curvature = l2 * weights, l2 * np.eye(len(weights))
        for case, features in zip(cases, scaled, strict=True):
            slope, bend = _derivatives(case, features, features @ weights + temperature * case.scores)
            gradient, curvature = gradient + case.weight * slope, curvature + case.weight * bend
        step = np.linalg.solve(curvature, gradient)
        weights = weights - step
        if np.abs(step).max() < SMALL:
            break
    fitted: Floats = weights / deviation / temperature
    return fitted


def _derivatives(case: Case, features: Floats, logits: Floats) -> tuple[Floats, Floats]:
    """The gradient of a case's loss, and its curvature without the part that may be negative."""
    shares = softmax(logits)
    right = softmax(np.where(case.right, logits, -np.inf))
    centred = features - shares @ features
    return features.T @ (shares - right), (centred * shares[:, None]).T @ centred


def softmax(logits: Floats) -> Floats:
    """Shares proportional to the exponentials."""
    powers: Floats = np.exp(logits - logits.max())
    shares: Floats = powers / powers.sum()
    return shares
