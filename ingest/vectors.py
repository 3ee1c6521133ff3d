"""Vectors that a user supplies: a `.npy` file with one row per line of its JSON lines. Blocks on the disk."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

KINDS: Final = (np.dtype(np.float16), np.dtype(np.float32))


class BadVectorsError(ValueError):
    """The file contains no vectors for these lines; the message says why."""


def read_vectors(path: Path) -> NDArray[np.floating]:
    """Return the rows of a `.npy` file, memory-mapped, shape (lines, width), float16 or float32.

    Raises:
        BadVectorsError: the file cannot be opened, is not a matrix of these types, or contains anything but numbers.
    """
    try:
        rows: NDArray[np.floating] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadVectorsError(f"{path.name} is not a readable .npy file") from error
    if rows.ndim != 2 or rows.dtype not in KINDS:
        raise BadVectorsError(f"{path.name} must be a matrix of float16 or float32, not {rows.dtype} {rows.shape}")
    return rows


def check_rows(vectors: NDArray[np.floating], lines: int, name: str) -> None:
    """Check that every line has a row.

    Raises:
        BadVectorsError: the numbers differ.
    """
    if len(vectors) != lines:
        raise BadVectorsError(f"{len(vectors)} vectors for the {lines} lines of {name}")
