"""What an embedding model knows of each token of a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:  # numpy costs memory, and most processes never read tokens
    import numpy as np
    from numpy.typing import NDArray

States: TypeAlias = "NDArray[np.floating[Any]]"


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as the model reads it."""

    ids: Sequence[int]
    """Numbers in the model's vocabulary."""
    offsets: Sequence[tuple[int, int]]
    """Of each token, in characters; empty ranges for those that the model adds."""
    states: States
    """The hidden states, shape (tokens, layers, width); sent as 16-bit floats."""
    vector: "NDArray[np.float32] | None" = None
    """The text's unit vector, where the model runs and its last layer is read; it is not sent."""
