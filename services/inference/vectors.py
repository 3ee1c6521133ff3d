"""Vectors of texts, as an embedding model makes them."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # numpy costs memory, and most processes never compare vectors
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"
