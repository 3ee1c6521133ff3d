"""Logistic regression with a small ridge, by Newton's method, and its scores for what it was not fitted on."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RIDGE = 1.0
"""On standardised features; the intercept is free."""
_STEPS = 50


def fit_logistic(features: Floats, positive: NDArray[np.bool_]) -> Floats:
    """The intercept and a weight a feature, on the features' own scale.

    Args:
        features: shape (cases, features).
        positive: shape (cases,).
    """
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    design = np.column_stack([np.ones(len(features)), (features - mean) / spread])
    ridge = np.diag([0.0, *[RIDGE] * features.shape[1]])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (positive - chance) - ridge @ weights
        curvature = (design.T * (chance * (1 - chance))) @ design + ridge
        step = np.linalg.solve(curvature, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    own = weights[1:] / spread
    return np.array([weights[0] - own @ mean, *own])


def out_of_fold(features: Floats, positive: NDArray[np.bool_], folds: NDArray[np.int64]) -> Floats:
    """The score of each case by weights that were fitted without its fold."""
    scores = np.zeros(len(features))
    for fold in np.unique(folds):
        held_out = folds == fold
        weights = fit_logistic(features[~held_out], positive[~held_out])
        scores[held_out] = weights[0] + features[held_out] @ weights[1:]
    return scores
