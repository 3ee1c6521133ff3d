"""Selects a few history sentences that are relevant to a question and not redundant: MMR over clusters.

The sentences are clustered, and each cluster is represented by the sentences nearest its centre. Among those, maximal
marginal relevance (Carbonell and Goldstein 1998) selects sentences near the question and far from those already
selected.
"""

import numpy as np

from libs.contracts.query import ContextSelection, ContextSentence, SelectedSentence
from libs.inference.vectors import Embedder
from libs.runtime.threads import in_thread
from services.decompose.history import HistoryWindow
from services.decompose.query.clusters import Vectors, cluster_count, k_means, representatives
from services.decompose.query.context import ContextBounds, extract_sentences


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
    labels, centres = k_means(vectors, cluster_count(len(vectors)))
    pool = representatives(vectors, labels, centres)
    order = marginal_relevance(question, vectors[pool], bounds.sentences, bounds.trade_off)
    return ContextSelection(
        sentences,
        tuple(np.bincount(labels, minlength=len(centres)).tolist()),
        tuple(sentences[position] for position in pool),
        tuple(SelectedSentence(sentences[pool[place]], int(labels[pool[place]])) for place in order),
    )


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
