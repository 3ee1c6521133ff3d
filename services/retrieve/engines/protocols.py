"""What every engine can do, embedded or a server of its own.

Engines are derived from the corpus: they follow its changes and never hold a truth of their own. `sequence` tells up
to which change everything is found; it must be kept with the data, so that an engine that lost data follows anew.
Everything blocks; searches run side by side with each other and with one writer.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.feed import TextBatch, VectorBatch
from services.retrieve.engines.hits import SearchEngine

Floats = NDArray[np.float32]


class FollowingEngine(Protocol):
    """An engine over one collection, as its keeper sees it. Each call may raise Unavailable where a server is asked."""

    @property
    def sequence(self) -> int:
        """Up to which change everything is found."""
        ...

    @property
    def followed(self) -> int:
        """Up to which change everything was taken in; what is beyond `sequence` waits for `commit`."""
        ...

    def commit(self) -> None:
        """Make what was followed findable and durable; a no-op when nothing is new."""
        ...

    def condense(self) -> None:
        """Make searches fast; may take long, searches go on meanwhile."""
        ...

    def stop(self) -> None:
        """Let nothing long go on: the process is about to end."""
        ...

    def close(self) -> None:
        """Commit and let go; what is kept stays."""
        ...

    def destroy(self) -> None:
        """Close, and delete what is kept: the collection is gone."""
        ...


class LexicalEngine(FollowingEngine, SearchEngine[Mapping[str, float]], Protocol):
    """Full-text search by weighted stems."""

    def document_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """In how many passages each term occurs."""
        ...

    def expanded(self, text: str, stems: Mapping[str, float]) -> Mapping[str, float]:
        """What a text is searched by when its weighted stems are known: these, and what else the engine makes of it.

        Raises:
            Unavailable: what else it would make of it is not to be had; the stems alone will do.
        """
        ...

    def follow(self, batch: TextBatch) -> None:
        """Take in a batch of changes; doing so twice does no harm."""
        ...


class VectorEngine(FollowingEngine, SearchEngine[Floats], Protocol):
    """Search by cosine with a unit vector of shape (width,)."""

    def follow(self, batch: VectorBatch) -> None:
        """Take in a batch of changes; doing so twice does no harm."""
        ...

    def vectors(self, keys: NDArray[np.int64]) -> Floats:
        """The passages' vectors, shape (len(keys), width); zeros for one that has none."""
        ...
