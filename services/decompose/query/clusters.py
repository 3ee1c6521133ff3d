"""Deterministic k-means over unit vectors, and the representative points of each cluster. Pure functions.

Conv-RAG, a published method that rewrites a turn from selected sentences of its history, gives the numbers.
"""

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Shape (points, width)."""
Labels: TypeAlias = NDArray[np.int64]
"""The cluster of each point."""

MAX_ROUNDS: Final = 50
"""Maximum rounds; enough for a clustering of a few hundred points (taste)."""
MIN_CLUSTERS, MAX_CLUSTERS = 2, 7
REPRESENTATIVES: Final = 3
"""Points per cluster, those nearest to its centre."""


def cluster_count(points: int) -> int:
    """Return the number of clusters of at least one point: about the square root of the points."""
    return min(max(round(math.sqrt(points)), MIN_CLUSTERS), MAX_CLUSTERS, points)


def k_means(vectors: Vectors, count: int) -> tuple[Labels, Vectors]:
    """Cluster by Lloyd's algorithm, starting from points that are far apart; return labels and centres.

    The first centre is the point nearest the mean, each further one the point farthest from all before it, so the
    result is deterministic. Clusters that lose all their points keep their centre and stay empty.

    Args:
        vectors: at least one point.
        count: the number of clusters, 1 to the number of points.
    """
    centres = vectors[[_distances(vectors, vectors.mean(axis=0, keepdims=True))[0].argmin()]]
    while len(centres) < count:
        centres = np.vstack([centres, vectors[_distances(vectors, centres).min(axis=0).argmax()]])
    labels = _distances(vectors, centres).argmin(axis=0)
    for _ in range(MAX_ROUNDS):
        members = [vectors[labels == label] for label in range(count)]
        centres = np.stack([own.mean(axis=0) if len(own) else old for own, old in zip(members, centres, strict=True)])
        before, labels = labels, _distances(vectors, centres).argmin(axis=0)
        if (labels == before).all():
            break
    return labels, centres


def representatives(vectors: Vectors, labels: Labels, centres: Vectors, each: int = REPRESENTATIVES) -> list[int]:
    """Return the points nearest their cluster's centre, at most `each` per cluster, as ascending positions."""
    nearest_first = np.argsort(_distances(vectors, centres).min(axis=0), kind="stable")
    members = (nearest_first[labels[nearest_first] == label] for label in range(len(centres)))
    return sorted(int(position) for own in members for position in own[:each])


def _distances(vectors: Vectors, centres: Vectors) -> Vectors:
    """Squared distances, shape (centres, points)."""
    return np.stack([((vectors - centre) ** 2).sum(axis=1) for centre in centres])
