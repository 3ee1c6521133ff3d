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
    """Cluster by Lloyd's algorithm, starting from centres that are far apart.

    The first centre is the point nearest the mean, each further one the point farthest from all before it, so the
    result is deterministic. Clusters that lose all their points keep their centre and stay empty.

    Args:
        vectors: shape (points, width), at least one point.
        count: the number of clusters, 1 to the number of points.

    Raises:
        ValueError: `count` is out of its range.
    """
    if not 1 <= count <= len(vectors):
        raise ValueError(f"count must be 1 to {len(vectors)}, got {count}")
    centres = vectors[_far_apart(vectors, count)]
    labels = _nearest(vectors, centres)
    for _ in range(MAX_ROUNDS):
        centres = np.stack([_mean(vectors[labels == label], centres[label]) for label in range(count)])
        nearest = _nearest(vectors, centres)
        if (nearest == labels).all():
            break
        labels = nearest
    return Clusters(labels, centres)


def representatives(vectors: Vectors, clusters: Clusters, each: int = REPRESENTATIVES) -> list[int]:
    """Return the points nearest their cluster's centre, at most `each` per cluster, as ascending positions."""
    distances = ((vectors - clusters.centres[clusters.labels]) ** 2).sum(axis=1)
    positions: list[int] = []
    for label in range(len(clusters.centres)):
        members = np.flatnonzero(clusters.labels == label)
        positions += members[np.argsort(distances[members], kind="stable")][:each].tolist()
    return sorted(positions)


def _far_apart(vectors: Vectors, count: int) -> list[int]:
    positions = [int(_squared(vectors, vectors.mean(axis=0)).argmin())]
    distances = _squared(vectors, vectors[positions[0]])
    while len(positions) < count:
        positions.append(int(distances.argmax()))
        distances = np.minimum(distances, _squared(vectors, vectors[positions[-1]]))
    return positions


def _nearest(vectors: Vectors, centres: Vectors) -> NDArray[np.int64]:
    nearest: NDArray[np.int64] = np.stack([_squared(vectors, centre) for centre in centres]).argmin(axis=0)
    return nearest


def _squared(vectors: Vectors, point: NDArray[np.float32]) -> NDArray[np.float32]:
    squared: NDArray[np.float32] = ((vectors - point) ** 2).sum(axis=1)
    return squared


def _mean(members: Vectors, otherwise: NDArray[np.float32]) -> NDArray[np.float32]:
    return members.mean(axis=0) if len(members) else otherwise
