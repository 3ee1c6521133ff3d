"""Passages and the windows that they are embedded by: a passage of several thoughts has a vector for each.

Vector engines only know windows. A window's key is its passage's key, shifted, plus the window's number, so either can
be computed from the other.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

BITS: Final = 6
MAX_WINDOWS: Final = 1 << BITS
"""Windows of one passage."""

Keys = NDArray[np.int64]


def first_windows(passages: Keys) -> Keys:
    """The keys of the first windows of passages."""
    return passages << BITS


def passages_of(windows: Keys) -> Keys:
    """The keys of the passages that windows belong to."""
    return windows >> BITS


def best_windows(windows: Keys) -> NDArray[np.int64]:
    """Positions of each passage's best window, given windows in the order of their scores, the best first."""
    _, first = np.unique(passages_of(windows), return_index=True)
    order: NDArray[np.int64] = np.sort(first)
    return order


def unit_means(rows: NDArray[np.float32], owners: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """The mean of each owner's rows as a unit vector, shape (count, width); zeros for one without rows.

    Args:
        rows: unit vectors.
        owners: the owner of each row, in [0, count), ascending.
        count: number of owners.
    """
    sums = np.zeros((count, rows.shape[1]), np.float32)
    if len(owners):
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        sums[owners[firsts]] = np.add.reduceat(rows, firsts)  # np.add.at makes the function three times as slow
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    means: NDArray[np.float32] = np.divide(sums, lengths, out=sums, where=lengths > 0)
    return means
