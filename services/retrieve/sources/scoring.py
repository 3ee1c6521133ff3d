"""Scores web passages by words as the full-text engine scores the corpus, so that both can be fused.

BM25 with the parameters of `engines.lexical`. Term frequencies come from the collection that is searched with the web,
if its engine provides them, else from the passages themselves.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from services.retrieve.engines.lexical import FILLER_TERMS

K1: Final = 1.2
B: Final = 0.75
"""Relative to the length with filler, as in `engines.lexical`."""
BACKGROUND: Final = 10_000
"""Assumed number of other passages on the web if the collection is empty.

Every page found contains the query's words, so among these pages alone all words would seem common.
"""

Scores = NDArray[np.float64]


@runtime_checkable
class TermStatistics(Protocol):
    """A full-text engine that counts the passages in which a stem occurs."""

    def document_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """The counts by stem; blocking."""
        ...


def bm25(
    passages: Sequence[Counter[str]],
    queries: Sequence[Mapping[str, float]],
    weights: Sequence[float],
    collection: int,
    frequencies: Mapping[str, int] | None,
) -> Scores:
    """The weighted mean over the wordings of each passage's sum of weight * BM25, shape (passages,), >= 0.

    Args:
        passages: the stems of each passage with their counts.
        queries: stems with weights, for each wording.
        weights: how much each wording counts.
        collection: number of passages in the collection.
        frequencies: number of them in which each stem occurs; None if unknown.
    """
    if not passages:
        return np.zeros(0)
    counts_of_terms = frequencies if collection else None
    total = collection if counts_of_terms is not None else (collection or BACKGROUND) + len(passages)
    lengths = np.array([counts.total() for counts in passages], np.float64) + FILLER_TERMS
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    scores = {
        term: _idf(total, _passages_with(term, passages, counts_of_terms)) * _saturation(term, passages, norms)
        for term in {term for query in queries for term in query}
    }
    scores_by_wording = [
        sum((weight * scores[term] for term, weight in q.items()), np.zeros(len(passages))) for q in queries
    ]
    return np.average(scores_by_wording, axis=0, weights=weights)


def _saturation(term: str, passages: Sequence[Counter[str]], norms: Scores) -> Scores:
    counts = np.array([passage[term] for passage in passages], np.float64)
    return counts / (counts + norms)


def _passages_with(term: str, passages: Sequence[Counter[str]], frequencies: Mapping[str, int] | None) -> int:
    return sum(term in passage for passage in passages) if frequencies is None else frequencies.get(term, 0)


def _idf(total: int, having: int) -> float:
    """Lucene's formula, never negative."""
    return float(np.log(1 + (max(0, total - having) + 0.5) / (having + 0.5)))
