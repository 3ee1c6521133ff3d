"""The weighted query: the last turn with weighted words and texts of the history.

The weights were measured on conversations with relevance judgements (MTRAG, four domains; no rewrite by rules came
near them). Words of earlier user turns weigh .4 * .5^age, answers' embeddings .5 * .4^age, and a little of each user
turn's embedding is subtracted, because an answer repeats its question. Gating by pronouns, length or topic shift gained
nothing: weights this small don't hurt a standalone turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.contracts.query import WeightedPassage, WeightedQuery, WeightedTerm, WeightedText
from libs.text.tokens import content_words, stem
from services.decompose.history import Exchange, HistoryWindow

MAX_TERMS, MAX_TEXT = 512, 8192
"""The contract's maximum number of terms and maximum length of the main text."""


@dataclass(frozen=True, slots=True)
class HistoryWeights:
    """Weights of the history; the newest earlier turn has age 0."""

    term: float = 0.4
    term_decay: float = 0.5
    """A word of the user turn of age a weighs term * term_decay^a."""
    answer: float = 0.5
    question: float = -0.1
    text_decay: float = 0.4
    """The embedding of an answer weighs answer * text_decay^a, that of its user turn question * text_decay^a."""
    passage: float = 0.3
    """If the passage that an answer is based on is known, its embedding weighs passage * text_decay^a and replaces
    both, because an answer of several quotes covers more than the question (docsqa, sessions: first three passages
    .890; with the answer's text .852)."""
    least: float = 0.2
    """Texts that weigh less than this share of the newest answer are left out, because embedding each is most of the
    cost of a question with its history. MTRAG's 394 turns with a history lose nothing (20,000 passages: nDCG@10 .474,
    R@10 .611; with all texts .474 and .606)."""


@dataclass(frozen=True, slots=True)
class ContextWeights:
    """Weights of selected history sentences relative to the last turn (measured on MTRAG: .394 / .523)."""

    term: float = 0.15
    """Weight of each of their words that the last turn lacks."""
    text: float = 0.5
    """Weight of the mean of their embeddings."""


def weighted_query(turn: str, window: HistoryWindow, weights: HistoryWeights) -> WeightedQuery:
    """Return the query of the last turn with its weighted history, if any."""
    by_age = list(reversed(window.exchanges))
    return WeightedQuery(
        turn[:MAX_TEXT], _terms(by_age, weights), _texts(by_age, weights), passages=_passages(by_age, weights)
    )


def context_query(turn: str, sentences: Sequence[str], weights: ContextWeights, language: str) -> WeightedQuery:
    """Return the query of the last turn with selected sentences of the history."""
    stems = {stem(word, language) for word in content_words(turn, language)}
    terms = []
    for word in (word for sentence in sentences for word in content_words(sentence, language)):
        if weights.term > 0 and stem(word, language) not in stems:
            stems.add(stem(word, language))
            terms.append(WeightedTerm(word, weights.term))
    share = weights.text / max(len(sentences), 1)
    texts = tuple(WeightedText(sentence, share) for sentence in sentences if share)
    return WeightedQuery(turn[:MAX_TEXT], tuple(terms[:MAX_TERMS]), texts)


def _terms(by_age: Sequence[Exchange], weights: HistoryWeights) -> tuple[WeightedTerm, ...]:
    """The earlier user turns, whole, with their weights.

    Retrieval analyses their words in the language of the collection, and gives a word of several turns its greatest
    weight.
    """
    terms = (
        WeightedTerm(exchange.question[:MAX_TEXT], _term_weight(exchange, age, weights))
        for age, exchange in enumerate(by_age)
    )
    return tuple(term for term in terms if term.weight > 0 and term.term.strip())[:MAX_TERMS]


def _term_weight(exchange: Exchange, age: int, weights: HistoryWeights) -> float:
    """The weight of a turn's words; 1 for a question that was asked back, because the last turn completes it."""
    return 1.0 if exchange.asked_back and age == 0 else weights.term * weights.term_decay**age


def _texts(by_age: Sequence[Exchange], weights: HistoryWeights) -> tuple[WeightedText, ...]:
    """Answers whose passages are unknown, and their questions."""
    texts = []
    for age, exchange in enumerate(by_age):
        if exchange.passage_ids:
            continue
        if exchange.asked_back:
            texts += [WeightedText(exchange.question, 1.0)] if age == 0 else []
            continue
        decay = weights.text_decay**age
        if exchange.answer:
            texts.append(WeightedText(exchange.answer, weights.answer * decay))
        texts.append(WeightedText(exchange.question, weights.question * decay))
    least = weights.least * max(abs(weights.answer), abs(weights.question))
    return tuple(text for text in texts if text.weight and abs(text.weight) >= least)


def _passages(by_age: Sequence[Exchange], weights: HistoryWeights) -> tuple[WeightedPassage, ...]:
    """The best passage of each answer whose passages are known."""
    passages = (
        WeightedPassage(exchange.passage_ids[0], weights.passage * weights.text_decay**age)
        for age, exchange in enumerate(by_age)
        if exchange.passage_ids
    )
    return tuple(passage for passage in passages if passage.weight)
