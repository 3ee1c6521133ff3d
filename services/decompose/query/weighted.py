"""What goes to retrieval: the last turn with weighted words and texts of the history beside it.

The numbers were measured on conversations with relevance judgements (MTRAG, four domains; no rewrite by rules came
near them): words of earlier user turns weigh .4 * .5^age, answers' embeddings .5 * .4^age, and a little of each user
turn's embedding is taken out, because an answer repeats its question. Gates by pronouns, length or topic shift gave
nothing: weights this small don't hurt a turn that stands alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.contracts.query import WeightedPassage, WeightedQuery, WeightedTerm, WeightedText
from libs.text.tokens import content_words, stem
from services.decompose.history import Exchange, HistoryWindow

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
    passage: float = 0.3
    """Where the passage that an answer stands on is known, its embedding weighs passage * text_decay^a instead of
    both: an answer of several quotes is about more than was asked (docsqa, sessions: first three passages .890; with
    the answer's text .852)."""
    least: float = 0.2
    """Texts that weigh less than this share of the newest answer are left out: each is embedded, which is most of what
    a question with its history costs. MTRAG's 394 turns with a history lose nothing by it (20,000 passages: nDCG@10
    .474, R@10 .611; with all texts .474 and .606)."""


@dataclass(frozen=True, slots=True)
class ContextWeights:
    """How much chosen sentences of the history count beside the last turn (measured on MTRAG: .394 / .523)."""

    term: float = 0.15
    """Each of their words that the last turn lacks."""
    text: float = 0.5
    """The mean of their embeddings."""


def weighted_query(turn: str, window: HistoryWindow, weights: HistoryWeights) -> WeightedQuery:
    """The last turn, and the history beside it; without a history the turn alone."""
    by_age = list(reversed(window.exchanges))
    return WeightedQuery(
        turn[:MAX_TEXT], _terms(by_age, weights), _texts(by_age, weights), passages=_passages(by_age, weights)
    )


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


def _terms(by_age: Sequence[Exchange], weights: HistoryWeights) -> tuple[WeightedTerm, ...]:
    """The earlier user turns, whole, with their weights.

    Retrieval reads their words in the language of the collection, and takes a word of several turns with its greatest
    weight.
    """
    terms = (
        WeightedTerm(exchange.question[:MAX_TEXT], _term_weight(exchange, age, weights))
        for age, exchange in enumerate(by_age)
    )
    return tuple(term for term in terms if term.weight > 0 and term.term.strip())[:MAX_TERMS]


def _term_weight(exchange: Exchange, age: int, weights: HistoryWeights) -> float:
    """A question that was asked back is asked anew by the turn that supplies what it lacked."""
    return 1.0 if exchange.asked_back and age == 0 else weights.term * weights.term_decay**age


def _texts(by_age: Sequence[Exchange], weights: HistoryWeights) -> tuple[WeightedText, ...]:
    """Answers whose passages are not known, and the questions to them."""
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
    told = (
        WeightedPassage(exchange.passage_ids[0], weights.passage * weights.text_decay**age)
        for age, exchange in enumerate(by_age)
        if exchange.passage_ids
    )
    return tuple(passage for passage in told if passage.weight)
