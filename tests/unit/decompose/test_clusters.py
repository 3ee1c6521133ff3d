"""k-means without chance, and the points that stand for a cluster."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from services.decompose.query.clusters import Vectors, cluster_count, k_means, representatives

POINTS = np.array([[0, 1], [0, 0.9], [0, 0.8], [1, 0], [0.9, 0], [-1, -1]], np.float32)
CLOUDS = arrays(np.float32, st.tuples(st.integers(1, 40), st.just(3)), elements=st.floats(-1, 1, width=32))


@pytest.mark.parametrize(("points", "count"), [(1, 1), (2, 2), (3, 2), (6, 2), (9, 3), (20, 4), (49, 7), (400, 7)])
def test_there_are_about_as_many_clusters_as_the_square_root_of_the_points(points: int, count: int) -> None:
    assert cluster_count(points) == count


def test_points_that_lie_together_are_one_cluster() -> None:
    labels, _ = k_means(POINTS, 3)
    assert {tuple(np.flatnonzero(labels == label)) for label in range(3)} == {(0, 1, 2), (3, 4), (5,)}


def test_the_points_nearest_the_centre_stand_for_a_cluster() -> None:
    assert representatives(POINTS, *k_means(POINTS, 3), each=1) == [1, 3, 5]
    assert representatives(POINTS, *k_means(POINTS, 3), each=3) == [0, 1, 2, 3, 4, 5]


@given(CLOUDS, st.integers(1, 7))
def test_every_point_is_in_the_cluster_of_its_nearest_centre(vectors: Vectors, count: int) -> None:
    labels, centres = k_means(vectors, min(count, len(vectors)))
    distances = ((vectors[:, None].astype(np.float64) - centres[None].astype(np.float64)) ** 2).sum(axis=2)
    own_distances = distances[np.arange(len(vectors)), labels]
    assert (own_distances <= distances.min(axis=1) + 1e-5).all()


@given(CLOUDS, st.integers(1, 7), st.integers(1, 4))
def test_each_cluster_with_points_is_stood_for(vectors: Vectors, count: int, each: int) -> None:
    labels, centres = k_means(vectors, min(count, len(vectors)))
    positions = representatives(vectors, labels, centres, each)
    assert positions == sorted(set(positions))
    counts = np.bincount(labels[positions], minlength=len(centres)).tolist()
    assert counts == [min(size, each) for size in np.bincount(labels, minlength=len(centres))]
