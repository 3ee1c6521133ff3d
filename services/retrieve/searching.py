"""Searching a collection for one retrieval: what goes on beside the embedding, and what needs the vectors.

Everything blocks. An engine that fails is noted, and the other goes on.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future

import numpy as np

from services.retrieve.engines.protocols import LexicalEngine
from services.retrieve.hybrid import Candidates, EngineSearch, attempted, completed
from services.retrieve.retrieval import Embedded, Retrieval, Vector
from services.retrieve.wordings import Wording, weighted_stems, wordings_of
from services.runtime.errors import Unavailable
from services.vocabulary.usage import Degraded, Stage

ByWords = EngineSearch[Mapping[str, float]]


def search_words(retrieval: Retrieval) -> ByWords | None:
    """What the full-text engine finds; None where it fails."""
    return attempted("full-text", lambda: _by_words(retrieval), retrieval.failures)


def search_on(retrieval: Retrieval, by_words: Future[ByWords | None], embedded: Embedded | None) -> Candidates:
    """The collection's candidates, once the query is embedded; none where only the web gave something.

    Args:
        retrieval: with what the web gave.
        by_words: what the full-text engine finds; waited for once the other engine has searched.
        embedded: None where the vector engine is not meant to take part.

    Raises:
        Unavailable: no engine answers, and the web gave nothing.
    """
    by_vector = None
    if isinstance(embedded, Degraded):
        retrieval.failures.append(embedded)
    elif embedded is not None:
        by_vector = attempted("vector", lambda: _by_vectors(retrieval, embedded), retrieval.failures)
    try:
        return completed(by_words.result(), by_vector, retrieval.failures)
    except Unavailable as error:
        if not len(retrieval.web):
            raise
        effect = "Only the web was searched: no engine of the collection answers."
        return Candidates(np.zeros(0, np.int64), degraded=(Degraded(Stage.RETRIEVE, error.reason, effect),))


def _by_words(retrieval: Retrieval) -> ByWords:
    index = retrieval.engines.lexical()
    wordings = wordings_of(retrieval.query)
    terms = [_terms(wording, index, retrieval) for wording in wordings]
    return EngineSearch.run(index, terms, wordings, retrieval.ranking.depth.lexical, retrieval.access)


def _terms(wording: Wording, index: LexicalEngine, retrieval: Retrieval) -> Mapping[str, float]:
    stems = weighted_stems(wording, index.terms)
    try:
        return index.expanded(wording.text, stems)
    except Unavailable as error:
        effect = "The full-text engine searched by words alone: its learned model does not answer."
        retrieval.said.append(Degraded(Stage.RETRIEVE, error.reason, effect))
        return stems


def _by_vectors(retrieval: Retrieval, vectors: Sequence[Vector]) -> EngineSearch[Vector] | None:
    index = retrieval.engines.vector()
    if index is None:
        return None
    depth = retrieval.ranking.depth.vector
    least = retrieval.ranking.least_cosine
    return EngineSearch.run(index, vectors, wordings_of(retrieval.query), depth, retrieval.access, least)
