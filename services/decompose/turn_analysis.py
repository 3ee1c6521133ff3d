"""A turn with what the rules make of it, before a language model is asked."""

import time
from dataclasses import dataclass, replace
from typing import Final

from libs.contracts.query import Decision, DecisionRecord, Strategy
from libs.contracts.stages.decompose import CondenseRequest
from libs.contracts.usage import Degraded
from libs.llm.fallback import EngineChoice
from libs.runtime.errors import NotSupported
from libs.runtime.threads import in_thread_unless
from services.decompose.condense.ladder import Condenser
from services.decompose.condense.llm import LlmCondenser
from services.decompose.condense.reading import turn_language
from services.decompose.history import HistoryWindow, read_window
from services.decompose.plan.planner import SHORT
from services.decompose.query.formulation import QueryFormulation

SHORT_HISTORY: Final = 12_000
"""Longest conversation, in characters, that is processed in 2 ms together with a short question (taste)."""


@dataclass(frozen=True, slots=True)
class DecomposeBounds:
    """Defaults for turning a follow-up into a query, used where a request sets nothing."""

    strategy: Strategy = Strategy.WEIGHTED
    engine: EngineChoice = "auto"
    llm_seconds: float = 5.0  # timeout of the model (taste)

    def engine_for(self, by_rules: DecisionRecord) -> EngineChoice:
        """The engine that condenses a turn; the strategy LLM overrules the setting."""
        return "auto" if by_rules.strategy is Strategy.LLM else self.engine


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """A turn and the result of the rules for it."""

    request: CondenseRequest
    window: HistoryWindow
    language: str
    """The language of the turn, ISO 639-1."""
    by_rules: DecisionRecord
    model: LlmCondenser | None
    """The model to ask for a better rewrite; None if the rules' rewrite is final."""
    degraded: tuple[Degraded, ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class TurnAnalyzer:
    """Reads turns by rules; `llm` is None if no language model is configured."""

    bounds: DecomposeBounds
    condenser: Condenser
    formulation: QueryFormulation
    llm: LlmCondenser | None

    async def analyze(self, request: CondenseRequest) -> TurnAnalysis:
        """Read a turn, decide its language, condense it by rules, and choose its context, by embeddings for MMR.

        Raises:
            NotSupported: the strategy requires a language model and none is configured.
        """
        strategy = self._supported(request.strategy or self.bounds.strategy)
        start = time.perf_counter()
        history_length = sum(len(message.text) for message in request.view.messages)
        is_short = len(request.question) <= SHORT and history_length <= SHORT_HISTORY
        window, language, by_rules = await in_thread_unless(is_short, self._by_rules, request)
        sentences = request.context_sentences
        selection, degraded = await self.formulation.context(by_rules, window, strategy, language, sentences)
        by_rules = replace(by_rules, strategy=strategy, selection=selection)
        milliseconds = 1000 * (time.perf_counter() - start)
        model = self._model_for(window, by_rules)
        return TurnAnalysis(request, window, language, by_rules, model, degraded, milliseconds)

    def _by_rules(self, request: CondenseRequest) -> tuple[HistoryWindow, str, DecisionRecord]:
        window = read_window(request.view)
        language = turn_language(request.question, window)
        record = self.condenser.condense(request.question, window, request.view.offered_choices, language)
        return window, language, record

    def _model_for(self, window: HistoryWindow, by_rules: DecisionRecord) -> LlmCondenser | None:
        """The model, if it is enabled and a rewrite could add something; None for a topic shift."""
        may_gain = not window.is_empty and by_rules.decision is not Decision.SWITCH
        return self.llm if may_gain and self.bounds.engine_for(by_rules) != "rules" else None

    def _supported(self, strategy: Strategy) -> Strategy:
        if strategy is Strategy.LLM and self.llm is None:
            raise NotSupported(
                "The strategy LLM needs a language model: set PARLEY_LLM_BASE_URL, or ask with another strategy."
            )
        return strategy
