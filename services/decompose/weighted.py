"""What goes to retrieval: the last turn with weighted words and texts of the history beside it.

The numbers were measured on conversations with relevance judgements (MTRAG, four domains; no rewrite by rules came
near them): words of earlier user turns weigh .4 * .5^age, answers' embeddings .5 * .4^age, and a little of each user
turn's embedding is taken out, because an answer repeats its question. Gates by pronouns, length or topic shift gave
nothing: weights this small don't hurt a turn that stands alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.decompose.history import Exchange, Window
from services.text.tokens import content_words, stem
from services.vocabulary.query import WeightedQuery, WeightedTerm, WeightedText

MAX_TERMS, MAX_TEXT = 512, 8192
"""The contract's greatest number of terms and length of the main text."""


@dataclass(frozen=True, slots=True)
class HistoryWeights:
    """How much the history counts, `age` 0 being the newest earlier turn."""

    term: float = 0.4
    term_decay: float = 0.5
    """A word of the user turn of age a weighs term * term_decay^a."""
    answer: float = 0.5
    question: float = -0.1
    text_decay: float = 0.4
    """The embedding of an answer weighs answer * text_decay^a, that of its user turn question * text_decay^a."""


@dataclass(frozen=True, slots=True)
class ContextWeights:
    """How much chosen sentences of the history count beside the last turn (measured on MTRAG: .394 / .523)."""

    term: float = 0.15
    """Each of their words that the last turn lacks."""
    text: float = 0.5
    """The mean of their embeddings."""


def weighted_query(turn: str, window: Window, weights: HistoryWeights) -> WeightedQuery:
    """The last turn, and the history beside it; without a history the turn alone."""
    by_age = list(reversed(window.exchanges))
    return WeightedQuery(turn[:MAX_TEXT], _terms(turn, by_age, weights), _texts(by_age, weights))


def context_query(turn: str, sentences: Sequence[str], weights: ContextWeights) -> WeightedQuery:
    """The last turn, and chosen sentences of the history beside it."""
    seen = {stem(word) for word in content_words(turn)}
    terms = []
    for word in (word for sentence in sentences for word in content_words(sentence)):
        if weights.term > 0 and stem(word) not in seen:
            seen.add(stem(word))
            terms.append(WeightedTerm(word, weights.term))
    share = weights.text / max(len(sentences), 1)
    texts = tuple(WeightedText(sentence, share) for sentence in sentences if share)
    return WeightedQuery(turn[:MAX_TEXT], tuple(terms[:MAX_TERMS]), texts)


def _terms(turn: str, by_age: Sequence[Exchange], weights: HistoryWeights) -> tuple[WeightedTerm, ...]:
    """The words of earlier user turns that the last one lacks, each with its greatest weight, not the sum."""
    seen = {stem(word) for word in content_words(turn)}
    terms = []
    for age, exchange in enumerate(by_age):
        weight = weights.term * weights.term_decay**age
        for word in content_words(exchange.question):
            if weight > 0 and stem(word) not in seen:
                seen.add(stem(word))
                terms.append(WeightedTerm(word, weight))
    return tuple(terms[:MAX_TERMS])


def _texts(by_age: Sequence[Exchange], weights: HistoryWeights) -> tuple[WeightedText, ...]:
    texts = []
    for age, exchange in enumerate(by_age):
        decay = weights.text_decay**age
        if exchange.answer:
            texts.append(WeightedText(exchange.answer, weights.answer * decay))
        texts.append(WeightedText(exchange.question, weights.question * decay))
    return tuple(text for text in texts if text.weight)
