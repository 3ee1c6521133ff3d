"""Passages of the web scored by words as the full-text engine scores the corpus's, so that both can be fused.

BM25 with the parameters of `engines.lexical`. How rare a word is comes from the collection beside which the web is
searched, where its engine can tell, else from the passages themselves.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from services.retrieve.engines.lexical import FILLER_TERMS

K1: Final = 1.2
B: Final = 0.75
"""Of the length with filler, as in `engines.lexical`."""
BACKGROUND: Final = 10_000
"""Passages that the web is thought to be among where the collection is empty: every page found has the query's words,
so among themselves these words would tell nothing."""

Scores = NDArray[np.float64]


@runtime_checkable
class TermStatistics(Protocol):
    """A full-text engine that tells in how many of its passages a stem occurs."""

    def document_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """By stem; blocking."""
        ...


def bm25(
    passages: Sequence[Counter[str]],
    queries: Sequence[Mapping[str, float]],
    weights: Sequence[float],
    collection: int,
    frequencies: Mapping[str, int] | None,
) -> Scores:
    """The weighted mean over a query's wordings of each passage's sum of weight * BM25, shape (passages,), >= 0.

    Args:
        passages: the stems of each passage with their counts.
        queries: stems with weights, for each wording.
        weights: how much each wording counts.
        collection: how many passages the collection has.
        frequencies: in how many of them each stem occurs; None where nobody can tell.
    """
    if not passages:
        return np.zeros(0)
    known = frequencies if collection else None
    total = collection if known is not None else (collection or BACKGROUND) + len(passages)
    lengths = np.array([counts.total() for counts in passages], np.float64) + FILLER_TERMS
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    scores = {
        term: _idf(total, _having(term, passages, known)) * _saturation(term, passages, norms)
        for term in {term for query in queries for term in query}
    }
    each = [sum((weight * scores[term] for term, weight in q.items()), np.zeros(len(passages))) for q in queries]
    return np.average(each, axis=0, weights=weights)


def _saturation(term: str, passages: Sequence[Counter[str]], norms: Scores) -> Scores:
    counts = np.array([passage[term] for passage in passages], np.float64)
    return counts / (counts + norms)


def _having(term: str, passages: Sequence[Counter[str]], known: Mapping[str, int] | None) -> int:
    return sum(term in passage for passage in passages) if known is None else known.get(term, 0)


def _idf(total: int, having: int) -> float:
    """Lucene's, never negative."""
    return float(np.log(1 + (max(0, total - having) + 0.5) / (having + 0.5)))
