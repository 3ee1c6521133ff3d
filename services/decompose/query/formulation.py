"""What of a turn goes to retrieval, by each strategy."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from libs.contracts.query import ContextSelection, Decision, DecisionRecord, Strategy, WeightedQuery
from libs.contracts.usage import Degraded, Stage, Usage
from libs.runtime.errors import ParleyError
from services.decompose.embedding import Embedder
from services.decompose.history import HistoryWindow
from services.decompose.query.context import ContextBounds, in_order
from services.decompose.query.multi_query import RewriteBounds, Rewriter
from services.decompose.query.weighted import MAX_TEXT, ContextWeights, HistoryWeights, context_query, weighted_query
from services.decompose.words.domain import Domain

_UNCHOSEN = "No sentences of the conversation could be chosen: the whole history was weighed instead."


@dataclass(frozen=True, slots=True)
class FormulatedQuery:
    """A query, what it took, and what was done the simpler way."""

    query: WeightedQuery
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class FormulationBounds:
    """How much of a conversation goes along, and how."""

    weights: HistoryWeights = field(default_factory=HistoryWeights)
    context: ContextBounds = field(default_factory=ContextBounds)
    context_weights: ContextWeights = field(default_factory=ContextWeights)
    rewriting: RewriteBounds = field(default_factory=RewriteBounds)


class QueryFormulation:
    """Makes queries; `embedder` is None where no model can be asked, `rewriter` where rules alone reword."""

    def __init__(
        self,
        domain: Domain,
        bounds: FormulationBounds | None = None,
        embedder: Embedder | None = None,
        rewriter: Rewriter | None = None,
    ) -> None:
        self._bounds = bounds or FormulationBounds()
        self._embedder = embedder
        self._rewriter = rewriter or Rewriter(domain, self._bounds.rewriting)

    async def context(
        self, record: DecisionRecord, window: HistoryWindow, strategy: Strategy, sentences: int = 0
    ) -> tuple[ContextSelection | None, tuple[Degraded, ...]]:
        """The sentences of the history that MMR rewrites from, none where they can't be had; None for other strategies.

        `sentences` is how many are chosen; 0 for the setting's.
        """
        if strategy is not Strategy.MMR:
            return None, ()
        if window.is_empty:
            return ContextSelection(), ()
        if self._embedder is None:
            return ContextSelection(), (Degraded(Stage.DECOMPOSE, "EMBEDDER_MISSING", _UNCHOSEN),)
        from services.decompose.query.mmr import select_context  # its numpy is memory that other strategies do without

        bounds = self._bounds.context
        bounds = replace(bounds, sentences=sentences) if sentences else bounds
        try:
            return await select_context(record.raw, window, self._embedder, bounds), ()
        except ParleyError as error:
            return ContextSelection(), (Degraded(Stage.DECOMPOSE, error.reason, _UNCHOSEN),)

    async def query(
        self, record: DecisionRecord, window: HistoryWindow, brought: Sequence[str] = ()
    ) -> FormulatedQuery:
        """What goes to retrieval by the record's strategy; `brought` are the caller's rewordings for MULTI_QUERY."""
        if record.strategy is Strategy.MULTI_QUERY:
            rewritten = await self._rewriter.rewrite(record, window, self._embedder, brought)
            return FormulatedQuery(rewritten.query, rewritten.degraded, rewritten.usage)
        return FormulatedQuery(self._plain(record, window))

    def foreseen(self, by_rules: DecisionRecord, window: HistoryWindow) -> WeightedQuery | None:
        """The query that is searched whatever a language model says, or if it accepts the rules' words.

        None where it may well be another one.
        """
        certain = by_rules.strategy in (Strategy.WEIGHTED, Strategy.LAST_TURN)
        likely = by_rules.strategy in (Strategy.LLM, Strategy.LADDER) and by_rules.decision is Decision.PASS
        return self._plain(by_rules, window) if certain or likely else None

    def _plain(self, record: DecisionRecord, window: HistoryWindow) -> WeightedQuery:
        if record.strategy is Strategy.MMR and record.engine != "llm":
            if record.selection is None or not record.selection.selected:
                return weighted_query(record.raw, window, self._bounds.weights)
            texts = [sentence.text for sentence in in_order(record.selection)]
            return context_query(record.raw, texts, self._bounds.context_weights)
        if record.strategy is Strategy.WEIGHTED:
            return weighted_query(record.raw, window, self._bounds.weights)
        text = record.raw if record.strategy is Strategy.LAST_TURN else record.standalone
        return WeightedQuery(text[:MAX_TEXT])
