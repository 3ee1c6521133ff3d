"""The state of one retrieval, and the steps that it emits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from libs.contracts.usage import Degraded
from services.retrieve.corpus.documents import Collection
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import CollectionEngines
from services.retrieve.search.ranking import Ranking
from services.retrieve.search.terms import Terms, query_terms
from services.retrieve.sources.web_merging import WebCandidates

Vector = NDArray[np.float32]
Embedded = Sequence[Vector] | Degraded
"""The unit vectors of a query, or why it has none."""

QUICK: Final = 20_000
"""Passages that an embedded engine searches in less than a millisecond."""
SMALL: Final = 1_000
"""Passages of a collection for which embedded engines search and build evidence in 4 ms."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One retrieval, with everything that stays the same until its end."""

    query: WeightedQuery
    options: RetrieveOptions
    ranking: Ranking
    access: Access
    collection: Collection
    engines: CollectionEngines
    languages: tuple[str, ...]
    """Languages of the collection's documents."""
    start_time: float
    """Start time, from time.perf_counter."""
    passage_keys: Mapping[str, int] = field(default_factory=dict)
    """Keys of the passages that the query names; only those that the caller may see."""
    web: WebCandidates = field(default_factory=WebCandidates)
    """Results of the web; empty until they arrive."""
    failures: list[Degraded] = field(default_factory=list)
    """Engines that should have taken part but failed."""
    omissions: list[Degraded] = field(default_factory=list)
    """Features that an engine searched without, recorded during the search."""

    @property
    def is_quick(self) -> bool:
        """Whether a search takes less time than a second thread would cost."""
        return self.collection.passages <= QUICK and self.engines.are_embedded

    @property
    def is_small(self) -> bool:
        """Whether the whole retrieval is short enough to run on the event loop."""
        return self.collection.passages <= SMALL and self.engines.are_embedded

    @property
    def terms(self) -> Terms:
        """How the query's words are analyzed in the collection."""
        return query_terms(self.languages)
