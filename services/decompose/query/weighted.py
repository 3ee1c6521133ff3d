"""The weighted query: the last turn with weighted words and texts of the history.

The weights were measured on conversations with relevance judgements (MTRAG, four domains; no rewrite by rules came
near them). Words of earlier user turns weigh .4 * .5^age, answers' embeddings .5 * .4^age, and a little of each user
turn's embedding is subtracted, because an answer repeats its question. Gating by pronouns, length or topic shift gained
nothing: weights this small don't hurt a standalone turn.
"""

from collections.abc import Sequence
from typing import Final

from libs.contracts.query import WeightedQuery, WeightedTerm, WeightedText
from libs.text.tokens import content_words, stem
from services.decompose.history import Exchange, HistoryWindow

MAX_TERMS, MAX_TEXT = 512, 8192
"""The contract's maximum number of terms and maximum length of the main text."""


TERM_WEIGHT: Final = 0.4
TERM_DECAY: Final = 0.5
"""A word of the user turn of age a weighs TERM_WEIGHT * TERM_DECAY^a; the newest earlier turn has age 0 (MTRAG)."""
ANSWER_WEIGHT: Final = 0.5
QUESTION_WEIGHT: Final = -0.1
TEXT_DECAY: Final = 0.4
"""An answer's embedding weighs ANSWER_WEIGHT * TEXT_DECAY^a, its user turn's QUESTION_WEIGHT * TEXT_DECAY^a (MTRAG)."""
MIN_SHARE: Final = 0.2
"""Texts that weigh less than this share of the newest answer are left out, because embedding each is most of the cost
of a question with its history. MTRAG's 394 turns with a history lose nothing (20,000 passages: nDCG@10 .474, R@10 .611;
with all texts .474 and .606)."""
SELECTED_TERM_WEIGHT: Final = 0.15
"""MMR: weight of each word of a selected sentence that the last turn lacks (MTRAG: nDCG@10 .394, R@10 .523)."""
SELECTED_TEXT_WEIGHT: Final = 0.5
"""MMR: weight of the mean of the selected sentences' embeddings (measured with the weight above)."""


def weighted_query(turn: str, window: HistoryWindow) -> WeightedQuery:
    """Return the query of the last turn with its weighted history, if any."""
    by_age = list(reversed(window.exchanges))
    recalls = any(exchange.found_passages for exchange in by_age)
    return WeightedQuery(turn[:MAX_TEXT], _terms(by_age), _texts(by_age), recalls_passages=recalls)


def context_query(turn: str, sentences: Sequence[str], language: str) -> WeightedQuery:
    """Return the query of the last turn with selected sentences of the history."""
    stems = {stem(word, language) for word in content_words(turn, language)}
    terms = []
    for word in (word for sentence in sentences for word in content_words(sentence, language)):
        if stem(word, language) not in stems:
            stems.add(stem(word, language))
            terms.append(WeightedTerm(word, SELECTED_TERM_WEIGHT))
    share = SELECTED_TEXT_WEIGHT / max(len(sentences), 1)
    texts = tuple(WeightedText(sentence, share) for sentence in sentences)
    return WeightedQuery(turn[:MAX_TEXT], tuple(terms[:MAX_TERMS]), texts)


def _terms(by_age: Sequence[Exchange]) -> tuple[WeightedTerm, ...]:
    """The earlier user turns, whole, with their weights.

    Retrieval analyses their words in the language of the collection, and gives a word of several turns its greatest
    weight.
    """
    terms = (
        WeightedTerm(exchange.question[:MAX_TEXT], _term_weight(exchange, age)) for age, exchange in enumerate(by_age)
    )
    return tuple(term for term in terms if term.weight > 0 and term.term.strip())[:MAX_TERMS]


def _term_weight(exchange: Exchange, age: int) -> float:
    """The weight of a turn's words; 1 for a question that was asked back, because the last turn completes it."""
    return 1.0 if exchange.asked_back and age == 0 else TERM_WEIGHT * TERM_DECAY**age


def _texts(by_age: Sequence[Exchange]) -> tuple[WeightedText, ...]:
    """Answers whose passages are unknown, and their questions; known passages are recalled by retrieval."""
    texts = []
    for age, exchange in enumerate(by_age):
        if exchange.found_passages:
            continue
        if exchange.asked_back:
            texts += [WeightedText(exchange.question, 1.0)] if age == 0 else []
            continue
        decay = TEXT_DECAY**age
        if exchange.answer:
            texts.append(WeightedText(exchange.answer, ANSWER_WEIGHT * decay))
        texts.append(WeightedText(exchange.question, QUESTION_WEIGHT * decay))
    return tuple(text for text in texts if abs(text.weight) >= MIN_SHARE * ANSWER_WEIGHT)
