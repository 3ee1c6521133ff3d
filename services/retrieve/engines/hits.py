"""Search results of an engine, and the interface of every engine."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.filtering import Access

Query = TypeVar("Query", contravariant=True)


@dataclass(frozen=True, slots=True)
class Hits:
    """Passages found, the best first, by their keys."""

    keys: NDArray[np.int64]
    scores: NDArray[np.float64]
    others: float | None = None
    """The score of every passage that is not listed, if the engine knows that the list is complete; else None."""

    def at_least(self, score: float) -> "Hits":
        """The hits with this score or more."""
        is_above = self.scores >= score
        return self if is_above.all() else Hits(self.keys[is_above], self.scores[is_above])


class SearchEngine(Protocol[Query]):
    """An engine over one collection. Blocking; searches may run concurrently."""

    def search(self, query: Query, limit: int, access: Access) -> Hits:
        """The `limit` best passages that the caller may see."""
        ...

    def scores(self, query: Query, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """The exact score of each passage, aligned; nan if the engine cannot score one."""
        ...
