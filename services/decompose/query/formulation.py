"""Formulates the retrieval query of a turn, for each strategy; awaits embeddings, whose errors become `Degraded`.

The weights of WEIGHTED were measured on conversations with relevance judgements (MTRAG, four domains). Words of earlier
user turns weigh .4 * .5^age, the embeddings of the two newest answers .5 and .2, and a little of the newest user turn's
embedding is subtracted, because an answer repeats its question. A question that was asked back counts in full, because
the last turn completes it. Gating by pronouns, length or topic shift gained nothing: weights this small don't hurt a
standalone turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.contracts.query import (
    ContextSelection,
    Decision,
    DecisionRecord,
    Strategy,
    WeightedQuery,
    WeightedTerm,
    WeightedText,
)
from libs.contracts.stages.decompose import Condensed
from libs.contracts.usage import Degraded, Stage
from libs.inference.vectors import Embedder
from libs.runtime.errors import ParleyError
from services.decompose.condense.condenser import BY_READING
from services.decompose.condense.tidy import as_question
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.query.context import SENTENCES, TRADE_OFF, in_order, select_context
from services.decompose.query.multi_query import MAX_TEXT, Rewriter

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
FRESH: Final = 0.65
"""Least confidence with which a turn that was left as it is is searched without words of the turns before it; their
passages still count.

Chosen on 18 English changes of topic in sessions, of which 16 are searched without a word of the old topic, 4 of
them for this. 237 questions over ten corpora and 181 over four others find the same, 30 over two more find 2 less.
"""
_UNCHOSEN = (
    "No sentences of the conversation could be selected without an embedding model: the whole history was weighted."
)


@dataclass(frozen=True, slots=True)
class QueryFormulation:
    """Formulates queries; `embedder` is None without an embedding model."""

    rewriter: Rewriter
    embedder: Embedder | None = None
    sentences: int = SENTENCES
    trade_off: float = TRADE_OFF

    async def context(
        self, record: DecisionRecord, window: HistoryWindow, language: str, sentences: int = 0, by_model: bool = False
    ) -> tuple[ContextSelection | None, tuple[Degraded, ...]]:
        """Return the history sentences that MMR rewrites from, empty if unavailable; None for other strategies.

        A fresh question gets none, unless it is `by_model` that this will be decided. `sentences` is how many are
        selected; 0 for the setting's default.
        """
        if record.strategy is not Strategy.MMR:
            return None, ()
        if window.is_empty or (_is_fresh(record) and not by_model):
            return ContextSelection(), ()
        if self.embedder is None:
            return ContextSelection(), (Degraded(Stage.DECOMPOSE, "EMBEDDER_MISSING", _UNCHOSEN),)
        count = sentences or self.sentences
        try:
            return await select_context(record.question, window, self.embedder, language, count, self.trade_off), ()
        except ParleyError as error:
            return ContextSelection(), (Degraded(Stage.DECOMPOSE, error.reason, _UNCHOSEN),)

    async def query(
        self, record: DecisionRecord, window: HistoryWindow, language: str, rewordings: Sequence[str] = ()
    ) -> Condensed:
        """Add the query for the record's strategy.

        Args:
            record: of the turn.
            window: the conversation that is searched beside the turn.
            language: of the turn; ISO 639-1.
            rewordings: the caller's rewordings for MULTI_QUERY.
        """
        if record.strategy is Strategy.MULTI_QUERY:
            return await self.rewriter.rewrite(record, window, language, self.embedder, rewordings)
        return Condensed(replace(record, query=_plain(record, window)))


def early_query(by_rules: DecisionRecord, window: HistoryWindow) -> WeightedQuery | None:
    """Return the query that can be searched before a language model responds.

    It is final if the model accepts the rules' wording; that of WEIGHTED mostly finds the same otherwise. None if it
    may well change.
    """
    certain = by_rules.strategy in (Strategy.WEIGHTED, Strategy.LAST_TURN)
    likely = by_rules.strategy in (Strategy.LLM, Strategy.LADDER) and by_rules.decision is Decision.PASS
    return _plain(by_rules, window) if certain or likely else None


def _plain(record: DecisionRecord, window: HistoryWindow) -> WeightedQuery:
    if record.strategy is Strategy.LAST_TURN:
        return WeightedQuery(record.raw[:MAX_TEXT])
    if record.strategy is Strategy.MMR:
        return _in_context(record, window)
    if record.strategy is not Strategy.WEIGHTED:
        return WeightedQuery(record.question[:MAX_TEXT])
    query = weighted_query(record.question, window)
    if record.decision is Decision.SWITCH:
        is_announced = record.confidence >= BY_READING  # else it may go on in words that the documents lack
        return WeightedQuery(query.text, recalls_passages=query.recalls_passages and not is_announced)
    query = replace(query, terms=()) if _is_fresh(record) else query
    return query if record.question == record.raw else replace(query, turn=record.raw[:MAX_TEXT])


def weighted_query(turn: str, window: HistoryWindow) -> WeightedQuery:
    """Return the query of the last turn with its weighted history, if any.

    Earlier user turns are terms as they stand: retrieval analyses their words in the language of the collection, and
    gives a word of several turns its greatest weight.

    Args:
        turn: its wording.
        window: the conversation that is searched beside it.
    """
    by_age = list(enumerate(reversed(window.exchanges)))
    weights = (1.0 if exchange.asked_back else TERM_WEIGHT * TERM_DECAY**age for age, exchange in by_age)
    terms = (WeightedTerm(each.question[:MAX_TEXT], weight) for (_, each), weight in zip(by_age, weights, strict=True))
    texts = tuple(text for age, exchange in by_age[: len(ANSWER_WEIGHTS)] for text in _texts(exchange, age))
    recalls = any(exchange.found_passages for exchange in window.exchanges)
    return WeightedQuery(turn[:MAX_TEXT], tuple(terms), texts, recalls_passages=recalls)


def _texts(exchange: Exchange, age: int) -> Iterator[WeightedText]:
    """An answer whose passages are unknown, and its question; known passages are recalled by retrieval."""
    if exchange.found_passages:
        return
    if exchange.answer and not exchange.asked_back:
        yield WeightedText(exchange.answer, ANSWER_WEIGHTS[age])
    if age == 0:
        yield WeightedText(exchange.question, 1.0 if exchange.asked_back else QUESTION_WEIGHT)


def _in_context(record: DecisionRecord, window: HistoryWindow) -> WeightedQuery:
    """The question with sentences of the history unless it is fresh or a model's rewrite."""
    question = as_question(record.question)
    if record.engine == "llm" or _is_fresh(record):
        return WeightedQuery(question[:MAX_TEXT])
    if record.selection is None or not record.selection.selected:
        return weighted_query(question, window)
    texts = [sentence.text for sentence in in_order(record.selection)]
    terms = tuple(WeightedTerm(text[:MAX_TEXT], SELECTED_TERM_WEIGHT) for text in texts)
    share = SELECTED_TEXT_WEIGHT / len(texts)
    return WeightedQuery(question[:MAX_TEXT], terms, tuple(WeightedText(text, share) for text in texts))


def _is_fresh(record: DecisionRecord) -> bool:
    """Whether a turn takes nothing of the conversation."""
    return record.decision in (Decision.PASS, Decision.SWITCH) and record.confidence >= FRESH
