"""Selects a few history sentences that are relevant to a question and not redundant: MMR over clusters.

The sentences are plain text, without thanks, greetings and scraps. They are clustered by k-means, and each cluster is
represented by the sentences nearest its centre. Among those, maximal marginal relevance (Carbonell and Goldstein 1998)
selects sentences near the question and far from those already selected. Conv-RAG, a published method that rewrites a
turn from selected sentences, gives the numbers.
"""

import math
from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from libs.contracts.conversation import Speaker
from libs.contracts.query import ContextSelection, ContextSentence, SelectedSentence
from libs.documents.rendering import plain_words
from libs.inference.vectors import Embedder
from libs.language.topics.clauses import Remarks
from libs.runtime.threads import in_thread
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, words
from services.decompose.history import Exchange, HistoryWindow

Floats: TypeAlias = NDArray[np.float32]
"""Vectors, shape (points, width); or their squared distances to centres of clusters, shape (clusters, points)."""

SENTENCES: Final = 5
"""How many are selected."""
TRADE_OFF: Final = 0.7
"""Lambda of the marginal relevance: the weight of similarity to the question against novelty, 0 to 1."""
ROUNDS: Final = 20
"""Enough for a clustering of a few hundred points (taste)."""
MIN_CLUSTERS, MAX_CLUSTERS = 2, 7
REPRESENTATIVES: Final = 3
"""Points per cluster, those nearest to its centre."""
MIN_WORDS: Final = 4
"""Minimum words of an agent's sentence; a shorter one is a scrap."""
MAX_EXTRACTED: Final = 200
"""Maximum number of sentences that are embedded, taken from the newest turns; a bound on the cost, by taste."""


async def select_context(
    question: str, window: HistoryWindow, embedder: Embedder, language: str, count: int, trade_off: float
) -> ContextSelection:
    """Return the `count` sentences of a window most relevant to a question; embeds nothing if the window has none.

    Raises:
        ParleyError: the sentences can't be embedded.
    """
    sentences = await in_thread(extract_sentences, window, language)
    if not sentences:
        return ContextSelection()
    vectors = np.stack(await embedder.embed([question, *(sentence.text for sentence in sentences)]))
    return await in_thread(_select, vectors[0], sentences, vectors[1:], count, trade_off)


def _select(
    question: np.ndarray, sentences: tuple[ContextSentence, ...], vectors: Floats, count: int, trade_off: float
) -> ContextSelection:
    if len(sentences) == 1:
        return ContextSelection(sentences, (), sentences, (SelectedSentence(sentences[0]),))
    distances = k_means(vectors, cluster_count(len(vectors)))
    pool, labels = representatives(distances), distances.argmin(axis=0)
    order = marginal_relevance(question, vectors[pool], count, trade_off)
    return ContextSelection(
        sentences,
        tuple(np.bincount(labels, minlength=len(distances)).tolist()),
        tuple(sentences[position] for position in pool),
        tuple(SelectedSentence(sentences[pool[place]], int(labels[pool[place]])) for place in order),
    )


def in_order(selection: ContextSelection) -> tuple[ContextSentence, ...]:
    """Return the selected sentences in the order of the conversation."""
    sentences = {item.sentence for item in selection.selected}
    return tuple(sentence for sentence in selection.extracted if sentence in sentences)


def extract_sentences(window: HistoryWindow, language: str) -> tuple[ContextSentence, ...]:
    """Return the sentences of a window, oldest first, none twice: user turns whole, agents' turns split.

    Two sentences of the same words are one, whatever their marks.

    Args:
        window: the conversation; what users say in courtesy is not in it.
        language: the language of the turn, ISO 639-1.
    """
    by_words = dict[tuple[str, ...], ContextSentence]()
    for turn, exchange in enumerate(window.exchanges, start=window.first_turn):
        for sentence in _sentences(exchange, turn, language):
            by_words.setdefault(tuple(words(sentence.text, language)), sentence)
    return tuple(by_words.values())[-MAX_EXTRACTED:]


def _sentences(exchange: Exchange, turn: int, language: str) -> Iterator[ContextSentence]:
    """The sentences with content, the user's first."""
    question = " ".join(plain_words(exchange.question).split())
    if content_words(question, language):
        yield ContextSentence(question, Speaker.USER, turn)
    for sentence in split_sentences(exchange.answer, language):
        text = " ".join(plain_words(sentence.text).split())
        if courtesy := Remarks.of(language).courtesy.search(text):  # `…, hope that helps!`
            text = text[: courtesy.start()]
        if not sentence.heading and len(words(text, language)) >= MIN_WORDS:
            yield ContextSentence(text, Speaker.AGENT, turn)


def cluster_count(points: int) -> int:
    """Return the number of clusters of at least one point: about the square root of the points."""
    return min(max(round(math.sqrt(points)), MIN_CLUSTERS), MAX_CLUSTERS, points)


def k_means(vectors: Floats, count: int) -> Floats:
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


def _distances(vectors: Floats, centres: Floats) -> Floats:
    return np.stack([((vectors - centre) ** 2).sum(axis=1) for centre in centres])


def representatives(distances: Floats, each: int = REPRESENTATIVES) -> list[int]:
    """Return the points nearest their cluster's centre, at most `each` per cluster, as ascending positions."""
    labels, nearest_first = distances.argmin(axis=0), np.argsort(distances.min(axis=0), kind="stable")
    members = (nearest_first[labels[nearest_first] == label] for label in range(len(distances)))
    return sorted(int(position) for own in members for position in own[:each])


def marginal_relevance(question: np.ndarray, vectors: Floats, count: int, trade_off: float) -> list[int]:
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
