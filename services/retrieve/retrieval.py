"""What one retrieval is about, and the steps that it tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Evidence, RankedPassage, Relevance
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import SearchedTerm, WeightedQuery
from libs.contracts.usage import Degraded, Usage
from services.retrieve.corpus.documents import Collection
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import CollectionEngines
from services.retrieve.ranking import Ranking
from services.retrieve.sources.joining import WebCandidates
from services.retrieve.terms import Terms, query_terms

Vector = NDArray[np.float32]
Embedded = Sequence[Vector] | Degraded
"""The unit vectors that a query searches by, or why there are none."""

QUICK: Final = 20_000
"""Passages that an engine of this process searches in less than a millisecond."""
SMALL: Final = 1_000
"""Passages of a collection that is searched, and of which evidence is made, in 4 ms by engines of this process."""


@dataclass(frozen=True, slots=True)
class RetrievePartial:
    """Evidence before the reranker has read it, the best first."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class RetrieveResult:
    """What was found."""

    evidence: tuple[Evidence, ...] = ()
    """The best first, near duplicates grouped."""
    ranking: tuple[RankedPassage, ...] = ()
    """The first places before grouping, as many as were asked for."""
    usage: tuple[Usage, ...] = ()
    terms: tuple[SearchedTerm, ...] = ()
    """What the full-text engine searched by; none where it took no part."""


@dataclass(frozen=True, slots=True)
class Gauged:
    """How well some questions' best passages fit, in their order."""

    relevance: tuple[Relevance, ...]


Step = Degraded | RetrievePartial | RetrieveResult


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
    """Of the collection's documents."""
    started: float
    """A moment of time.perf_counter."""
    passage_keys: Mapping[str, int] = field(default_factory=dict)
    """Of the passages that the query names: those that are there for who asks."""
    web: WebCandidates = field(default_factory=WebCandidates)
    """What the web gave; empty until it has."""
    failures: list[Degraded] = field(default_factory=list)
    """Engines that should have taken part and failed."""
    said: list[Degraded] = field(default_factory=list)
    """What an engine did without, noted while it searched."""

    @property
    def is_quick(self) -> bool:
        """Whether both engines are done in less time than a second thread would cost."""
        return self.collection.passages <= QUICK and self.engines.are_embedded

    @property
    def is_small(self) -> bool:
        """Whether all of it takes no longer than the loop may be held up."""
        return self.collection.passages <= SMALL and self.engines.are_embedded

    @property
    def terms(self) -> Terms:
        """How the query's words are read in the collection."""
        return query_terms(self.languages)
