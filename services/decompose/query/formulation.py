"""Formulates the retrieval query of a turn, for each strategy; awaits embeddings, whose errors become `Degraded`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from libs.contracts.query import ContextSelection, Decision, DecisionRecord, Strategy, WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.inference.vectors import Embedder
from libs.runtime.errors import ParleyError
from services.decompose.condense.tidy import as_question
from services.decompose.history import HistoryWindow
from services.decompose.query.context import ContextBounds, in_order
from services.decompose.query.mmr import select_context
from services.decompose.query.multi_query import FormulatedQuery, Rewriter
from services.decompose.query.weighted import MAX_TEXT, context_query, weighted_query

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
    bounds: ContextBounds = field(default_factory=ContextBounds)
    embedder: Embedder | None = None

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
        bounds = replace(self.bounds, sentences=sentences) if sentences else self.bounds
        try:
            return await select_context(record.question, window, self.embedder, bounds, language), ()
        except ParleyError as error:
            return ContextSelection(), (Degraded(Stage.DECOMPOSE, error.reason, _UNCHOSEN),)

    async def query(
        self, record: DecisionRecord, window: HistoryWindow, language: str, rewordings: Sequence[str] = ()
    ) -> FormulatedQuery:
        """Return the query for the record's strategy.

        Args:
            record: of the turn.
            window: the conversation that is searched beside the turn.
            language: of the turn; ISO 639-1.
            rewordings: the caller's rewordings for MULTI_QUERY.
        """
        if record.strategy is Strategy.MULTI_QUERY:
            return await self.rewriter.rewrite(record, window, language, self.embedder, rewordings)
        return FormulatedQuery(_plain(record, window))


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
        return _in_context(as_question(record.question), record, window)
    if record.strategy is not Strategy.WEIGHTED or record.decision is Decision.SWITCH:
        return WeightedQuery(record.question[:MAX_TEXT])
    query = weighted_query(record.question, window)
    query = replace(query, terms=()) if _is_fresh(record) else query
    return query if record.question == record.raw else replace(query, turn=record.raw[:MAX_TEXT])


def _in_context(question: str, record: DecisionRecord, window: HistoryWindow) -> WeightedQuery:
    """A question with sentences of the history unless it is fresh or a model's rewrite."""
    if record.engine == "llm" or _is_fresh(record):
        return WeightedQuery(question[:MAX_TEXT])
    if record.selection is None or not record.selection.selected:
        return weighted_query(question, window)
    return context_query(question, [sentence.text for sentence in in_order(record.selection)])


def _is_fresh(record: DecisionRecord) -> bool:
    """Whether a turn takes nothing of the conversation."""
    return record.decision in (Decision.PASS, Decision.SWITCH) and record.confidence >= FRESH
