"""The weighted query: the last turn with weighted words and texts of the history.

The weights were measured on conversations with relevance judgements (MTRAG, four domains). Words of earlier user turns
weigh .4 * .5^age, the embeddings of the two newest answers .5 and .2, and a little of the newest user turn's embedding
is subtracted, because an answer repeats its question. A question that was asked back counts in full, because the last
turn completes it. Gating by pronouns, length or topic shift gained nothing: weights this small don't hurt a standalone
turn.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from libs.contracts.query import WeightedQuery, WeightedTerm, WeightedText
from services.decompose.history import Exchange, HistoryWindow

MAX_TEXT: Final = 8192
"""The contract's maximum length of the main text and of a term."""
TERM_WEIGHT: Final = 0.4
TERM_DECAY: Final = 0.5
"""A word of the user turn of age a weighs TERM_WEIGHT * TERM_DECAY^a; the newest earlier turn has age 0 (MTRAG)."""
ANSWER_WEIGHTS: Final = (0.5, 0.2)
"""Of the embeddings of the newest answers (MTRAG). Older ones are left out, because embedding each is most of the cost
of a question with its history. MTRAG's 394 turns with a history lose nothing (20,000 passages: nDCG@10 .474, R@10 .611;
with all texts .474 and .606)."""
QUESTION_WEIGHT: Final = -0.1
"""Of the newest user turn's embedding (MTRAG)."""
SELECTED_TERM_WEIGHT: Final = 0.15
"""MMR: weight of each word of a selected sentence that the last turn lacks (MTRAG: nDCG@10 .394, R@10 .523)."""
SELECTED_TEXT_WEIGHT: Final = 0.5
"""MMR: weight of the mean of the selected sentences' embeddings (measured with the weight above)."""


def weighted_query(turn: str, window: HistoryWindow) -> WeightedQuery:
    """Return the query of the last turn with its weighted history, if any.

    Earlier user turns are terms as they stand: retrieval analyses their words in the language of the collection, and
    gives a word of several turns its greatest weight.

    Args:
        turn: its wording.
        window: the conversation that is searched beside it.
    """
    by_age = list(enumerate(exchange for exchange in reversed(window.exchanges) if exchange.question.strip()))
    weights = (1.0 if exchange.asked_back else TERM_WEIGHT * TERM_DECAY**age for age, exchange in by_age)
    terms = (WeightedTerm(each.question[:MAX_TEXT], weight) for (_, each), weight in zip(by_age, weights, strict=True))
    texts = tuple(text for age, exchange in by_age[: len(ANSWER_WEIGHTS)] for text in _texts(exchange, age))
    recalls = any(exchange.found_passages for exchange in window.exchanges)
    return WeightedQuery(turn[:MAX_TEXT], tuple(terms), texts, recalls_passages=recalls)


def context_query(turn: str, sentences: Sequence[str]) -> WeightedQuery:
    """Return the query of the last turn with selected sentences of the history."""
    terms = tuple(WeightedTerm(sentence[:MAX_TEXT], SELECTED_TERM_WEIGHT) for sentence in sentences)
    share = SELECTED_TEXT_WEIGHT / max(len(sentences), 1)
    return WeightedQuery(turn[:MAX_TEXT], terms, tuple(WeightedText(sentence, share) for sentence in sentences))


def _texts(exchange: Exchange, age: int) -> Iterator[WeightedText]:
    """An answer whose passages are unknown, and its question; known passages are recalled by retrieval."""
    if exchange.found_passages:
        return
    if exchange.answer and not exchange.asked_back:
        yield WeightedText(exchange.answer, ANSWER_WEIGHTS[age])
    if age == 0:
        yield WeightedText(exchange.question, 1.0 if exchange.asked_back else QUESTION_WEIGHT)
