"""The interfaces of every engine, embedded or remote.

Engines are derived from the corpus: they follow its changes and are never the only copy of anything. `sequence` is the
last change that is searchable. It must be stored with the data, so that an engine that lost data follows again.
Everything blocks; searches run concurrently with each other and with one writer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import numpy as np
import structlog
from numpy.typing import NDArray

from libs.runtime.errors import Unavailable, engine_unavailable
from services.retrieve.corpus.feed import TextBatch, VectorBatch
from services.retrieve.corpus.filtering import Access

Floats = NDArray[np.float32]
Query = TypeVar("Query", contravariant=True)
Batch = TypeVar("Batch", contravariant=True)


class EngineDefaults(Protocol):
    """What an engine need not do: it shares no index, applies changes at once, needs no server or resources."""

    def reread(self) -> None:
        """Read the position anew before it is used: another process may have applied changes to the same server."""
        return

    def commit(self) -> None:
        """Make applied changes searchable and durable; does nothing if there are none."""
        return

    def check(self) -> None:
        """See now and then whether the server still has the data; does not block searches."""
        return

    def close(self) -> None:
        """Commit and release resources; stored data remains."""
        return


class FollowingEngine(EngineDefaults, Protocol[Batch]):
    """An engine over one collection, as seen by its owner. With a server, each call may raise Unavailable."""

    @property
    def sequence(self) -> int:
        """The last change that is searchable."""

    @property
    def followed(self) -> int:
        """The last change that was applied; changes beyond `sequence` wait for `commit`."""

    def follow(self, batch: Batch) -> None:
        """Apply a batch of changes; doing so twice is harmless."""

    def destroy(self) -> None:
        """Close, and delete stored data: the collection was deleted."""


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
        """The best passages that the caller may see.

        Args:
            query: weighted terms as `libs.language.analysis` gives them, > 0, or as `expanded` does; a unit vector.
            limit: greatest number of hits, > 0; Elasticsearch returns 10,000 at most, Milvus 16,384.
            access: the caller's filters and permissions.

        Raises:
            Unavailable: it is a server that does not answer in time, or lost its data.
        """

    def scores(self, query: Query, keys: NDArray[np.int64], access: Access) -> NDArray[np.float64]:
        """The exact score of each passage that the caller may see, aligned with `keys`; raises as `search`.

        By words it is the sum of weight * BM25, 0 if no term occurs; by vector the cosine of the passage's best window,
        nan for a passage without vectors.
        """


class LexicalEngine(FollowingEngine[TextBatch], SearchEngine[Mapping[str, float]], Protocol):
    """Full-text search by weighted stems."""

    def document_frequencies(self, terms: Iterable[str], access: Access) -> Mapping[str, int]:
        """Number of passages in which each term occurs, of those that the principals may see; raises as `search`."""

    def expanded(self, text: str, stems: Mapping[str, float]) -> Mapping[str, float]:
        """The search terms of a text: its weighted stems, and any further terms that the engine derives from it.

        Raises:
            Unavailable: the further terms are not available; the stems alone suffice.
        """


class VectorEngine(FollowingEngine[VectorBatch], SearchEngine[Floats], Protocol):
    """Search by cosine with a unit vector of shape (width,)."""

    def vectors(self, keys: NDArray[np.int64]) -> Floats:
        """The mean of each passage's windows as a unit vector, shape (len(keys), width); zeros for one without."""


WINDOWS_EACH: Final = 2
"""Windows searched for each passage wanted: passages of up to 800 characters have one to three (taste)."""
UNREADABLE: Final = (LookupError, TypeError, AttributeError)
"""What reading a server's answer raises that has an unknown form."""
_log = structlog.get_logger("parley.engines")


def unreadable(server: str, error: Exception) -> Unavailable:
    """The error of such an answer, which is logged in one line."""
    _log.warning("an answer cannot be read", server=server, why=repr(error))
    return engine_unavailable(f"The answer of {server} cannot be read: check its version.")
