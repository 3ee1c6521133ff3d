"""Selects a few history sentences that are relevant to a question and not redundant: MMR over clusters.

The sentences are clustered by k-means, and each cluster is represented by the sentences nearest its centre. Among
those, maximal marginal relevance (Carbonell and Goldstein 1998) selects sentences near the question and far from those
already selected. Conv-RAG, a published method that rewrites a turn from selected sentences, gives the numbers.
"""

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from libs.contracts.query import ContextSelection, ContextSentence, SelectedSentence
from libs.inference.vectors import Embedder
from libs.runtime.threads import in_thread
from services.decompose.history import HistoryWindow
from services.decompose.query.context import ContextBounds, extract_sentences

Vectors: TypeAlias = NDArray[np.float32]
"""Shape (points, width)."""
Distances: TypeAlias = NDArray[np.float32]
"""Squared, of points to the centres of clusters; shape (clusters, points)."""

ROUNDS: Final = 20
"""Enough for a clustering of a few hundred points (taste)."""
MIN_CLUSTERS, MAX_CLUSTERS = 2, 7
REPRESENTATIVES: Final = 3
"""Points per cluster, those nearest to its centre."""


async def select_context(
    question: str, window: HistoryWindow, embedder: Embedder, bounds: ContextBounds, language: str
) -> ContextSelection:
    """Return the sentences of a window that are relevant to a question; embeds nothing if the window has none.

    Raises:
        ParleyError: the sentences can't be embedded.
    """
    sentences = await in_thread(extract_sentences, window, language)
    if not sentences:
        return ContextSelection()
    vectors = np.stack(await embedder.embed([question, *(sentence.text for sentence in sentences)]))
    return await in_thread(_select, vectors[0], sentences, vectors[1:], bounds)


def _select(
    question: np.ndarray, sentences: tuple[ContextSentence, ...], vectors: Vectors, bounds: ContextBounds
) -> ContextSelection:
    if len(sentences) == 1:
        return ContextSelection(sentences, (), sentences, (SelectedSentence(sentences[0]),))
    distances = k_means(vectors, cluster_count(len(vectors)))
    pool, labels = representatives(distances), distances.argmin(axis=0)
    order = marginal_relevance(question, vectors[pool], bounds.sentences, bounds.trade_off)
    return ContextSelection(
        sentences,
        tuple(np.bincount(labels, minlength=len(distances)).tolist()),
        tuple(sentences[position] for position in pool),
        tuple(SelectedSentence(sentences[pool[place]], int(labels[pool[place]])) for place in order),
    )


def cluster_count(points: int) -> int:
    """Return the number of clusters of at least one point: about the square root of the points."""
    return min(max(round(math.sqrt(points)), MIN_CLUSTERS), MAX_CLUSTERS, points)


def k_means(vectors: Vectors, count: int) -> Distances:
    """Return the distances of points to the centres of their clusters; each point belongs to the nearest centre.

    The first centre is the point nearest the mean, each further one the point farthest from all before it, so the
    result is deterministic. Clusters that lose all their points keep their centre and stay empty.

    Args:
        vectors: at least one point.
        count: the number of clusters, 1 to the number of points.
    """
    centres = vectors[_distances(vectors, vectors.mean(axis=0, keepdims=True)).argmin(axis=1)]
    while len(centres) < count:
        centres = np.vstack([centres, vectors[_distances(vectors, centres).min(axis=0).argmax()]])
    for _ in range(ROUNDS):
        labels = _distances(vectors, centres).argmin(axis=0)
        for label in np.unique(labels):
            centres[label] = vectors[labels == label].mean(axis=0)
    return _distances(vectors, centres)


def _distances(vectors: Vectors, centres: Vectors) -> Distances:
    return np.stack([((vectors - centre) ** 2).sum(axis=1) for centre in centres])


def representatives(distances: Distances, each: int = REPRESENTATIVES) -> list[int]:
    """Return the points nearest their cluster's centre, at most `each` per cluster, as ascending positions."""
    labels, nearest_first = distances.argmin(axis=0), np.argsort(distances.min(axis=0), kind="stable")
    members = (nearest_first[labels[nearest_first] == label] for label in range(len(distances)))
    return sorted(int(position) for own in members for position in own[:each])


def marginal_relevance(question: np.ndarray, vectors: Vectors, count: int, trade_off: float) -> list[int]:
    """Return positions in the order of their marginal relevance, at most `count`.

    Each next one has the greatest trade_off * sim(it, question) - (1 - trade_off) * max sim(it, chosen before it).

    Args:
        question: a unit vector.
        vectors: unit vectors, shape (candidates, width).
        count: how many to select.
        trade_off: 0 to 1; 1 considers only the question.
    """
    relevance, similarities = vectors @ question, vectors @ vectors.T
    order: list[int] = []
    while len(order) < min(count, len(vectors)):
        redundancy = similarities[order].max(axis=0) if order else 0.0
        scores = trade_off * relevance - (1 - trade_off) * redundancy
        scores[order] = -np.inf
        order.append(int(scores.argmax()))
    return order
