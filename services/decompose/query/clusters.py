"""Deterministic k-means over unit vectors, and the representative points of each cluster. Pure functions.

Conv-RAG is a published method that rewrites a turn from selected sentences of its history.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

MAX_ROUNDS: Final = 50
"""Maximum rounds; enough for a clustering of a few hundred points (taste)."""
MIN_CLUSTERS: Final = 2
MAX_CLUSTERS: Final = 7
"""Conv-RAG's published bounds of the square root, like the next one."""
REPRESENTATIVES: Final = 3
"""Points per cluster, those nearest to its centre (Conv-RAG)."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """A partition of points."""

    labels: NDArray[np.int64]
    """The cluster of each point."""
    centres: Vectors
    """The mean of each cluster's points, shape (clusters, width)."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of points in each cluster."""
        return tuple(int(size) for size in np.bincount(self.labels, minlength=len(self.centres)))


def cluster_count(points: int) -> int:
    """Return the number of clusters to use: about the square root of the points; 0 for fewer than two points."""
    return 0 if points < 2 else min(max(round(math.sqrt(points)), MIN_CLUSTERS), MAX_CLUSTERS, points)


def k_means(vectors: Vectors, count: int) -> Clusters:
    """Cluster by Lloyd's algorithm, starting from points that are far apart.

    The first centre is the point nearest the mean, each further one the point farthest from all before it, so the
    result is deterministic. Clusters that lose all their points keep their centre and stay empty.

    Args:
        vectors: shape (points, width), at least one point.
        count: the number of clusters, 1 to the number of points.
    """
    centres = vectors[[int(_squared(vectors, vectors.mean(axis=0)).argmin())]]
    while len(centres) < count:
        centres = np.vstack([centres, vectors[_distances(vectors, centres).min(axis=0).argmax()]])
    labels = _distances(vectors, centres).argmin(axis=0)
    for _ in range(MAX_ROUNDS):
        members = [vectors[labels == label] for label in range(count)]
        centres = np.stack([own.mean(axis=0) if len(own) else old for own, old in zip(members, centres, strict=True)])
        before, labels = labels, _distances(vectors, centres).argmin(axis=0)
        if (labels == before).all():
            break
    return Clusters(labels, centres)


def representatives(vectors: Vectors, clusters: Clusters, each: int = REPRESENTATIVES) -> list[int]:
    """Return the points nearest their cluster's centre, at most `each` per cluster, as ascending positions."""
    distances = _squared(vectors, clusters.centres[clusters.labels])
    nearest_first = np.argsort(distances, kind="stable")
    members = (nearest_first[clusters.labels[nearest_first] == label] for label in range(len(clusters.centres)))
    return sorted(int(position) for own in members for position in own[:each])


def _distances(vectors: Vectors, centres: Vectors) -> Vectors:
    """Squared distances, shape (centres, points)."""
    return np.stack([_squared(vectors, centre) for centre in centres])


def _squared(vectors: Vectors, others: Vectors) -> Vectors:
    squared: Vectors = ((vectors - others) ** 2).sum(axis=1)
    return squared
