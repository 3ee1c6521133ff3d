"""A turn with what the rules make of it, before a language model is asked."""

import time
from dataclasses import dataclass, replace
from typing import Final

from libs.contracts.conversation import TurnKind, TurnReading
from libs.contracts.query import Decision, DecisionRecord, Strategy
from libs.contracts.stages.decompose import CondenseRequest
from libs.contracts.usage import Degraded
from libs.language.turns.reader import read_turn, with_readings
from libs.llm.fallback import EngineChoice
from libs.runtime.errors import NotSupported
from libs.runtime.threads import in_thread_unless
from services.decompose.condense.condenser import Condenser
from services.decompose.history import HistoryWindow, read_window
from services.decompose.plan.planner import SHORT
from services.decompose.query.formulation import QueryFormulation

SHORT_HISTORY: Final = 12_000
"""Longest conversation, in characters, that is processed in 2 ms together with a short question (taste)."""
_NO_MODEL: Final = "The strategy LLM needs a language model: set PARLEY_LLM_BASE_URL, or ask with another strategy."


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
    reading: TurnReading
    """How the turn was read where it entered."""
    by_rules: DecisionRecord
    """Its `raw` is what is searched: the matter of the turn, or the whole question that a pick or correction makes."""
    searched_window: HistoryWindow
    """The conversation that is searched beside the turn.

    A question that replaces the latest one stands without it. A turn that stands alone does so without turns that the
    documents did not answer."""
    asks_model: bool
    """Whether a language model is asked for a better rewrite; false if the rules' rewrite is final."""
    degraded: tuple[Degraded, ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class TurnAnalyzer:
    """Reads turns by rules."""

    bounds: DecomposeBounds
    condenser: Condenser
    formulation: QueryFormulation
    has_model: bool
    """Whether a language model is configured."""

    async def analyze(self, request: CondenseRequest) -> TurnAnalysis:
        """Read a turn, make it stand alone without a model, and choose its context, by embeddings for MMR.

        Raises:
            NotSupported: the strategy requires a language model and none is configured.
        """
        strategy = request.strategy or self.bounds.strategy
        if strategy is Strategy.LLM and not self.has_model:
            raise NotSupported(_NO_MODEL)
        start = time.perf_counter()
        history_length = sum(len(message.text) for message in request.view.messages)
        is_short = len(request.question) <= SHORT and history_length <= SHORT_HISTORY
        window, reading = await in_thread_unless(is_short, _read, request)
        condensation = await self.condenser.condense(matter_of(reading) or request.question, window, reading)
        record = condensation.record
        is_whole = record.decision is Decision.CONDENSE and reading.replaces_question
        by_rules = replace(record, strategy=strategy, raw=record.standalone if is_whole else record.raw)
        asks_model = self._asks_model(window, by_rules, reading)
        selection, degraded = await self.formulation.context(
            by_rules, window, reading.language, request.context_sentences, by_model=asks_model
        )
        by_rules = replace(by_rules, selection=selection)
        return TurnAnalysis(
            request,
            window,
            reading,
            by_rules,
            _searched_window(window, by_rules, is_whole),
            asks_model,
            (*condensation.degraded, *degraded),
            milliseconds=1000 * (time.perf_counter() - start),
        )

    def _asks_model(self, window: HistoryWindow, by_rules: DecisionRecord, reading: TurnReading) -> bool:
        """Whether a model is enabled and could add something: not to a topic shift, a pick, a wish for a form."""
        may_gain = not window.is_empty and by_rules.decision is not Decision.SWITCH and is_rewritten(reading)
        return self.has_model and may_gain and self.bounds.engine_for(by_rules) != "rules"


def _read(request: CondenseRequest) -> tuple[HistoryWindow, TurnReading]:
    view = with_readings(request.view)
    return read_window(view), request.reading or read_turn(request.question, view)


def matter_of(reading: TurnReading) -> str:
    """What a turn is about; as a question, if it is a wish or correction that gives no number or code of its own."""
    names_none = bool(reading.text) and not any(map(str.isdigit, reading.text))
    if reading.kind in (TurnKind.REQUEST, TurnKind.CORRECTION) and names_none:
        return f"{reading.text.rstrip(' .!?…')}?"
    return reading.text


def is_rewritten(reading: TurnReading) -> bool:
    """Whether a model may word or split a turn: not one that asks nothing, picks, or wants another form."""
    return bool(reading.text) and not reading.picks


def _searched_window(window: HistoryWindow, record: DecisionRecord, is_whole: bool) -> HistoryWindow:
    if is_whole:
        return replace(window, exchanges=window.exchanges[:-1])
    continues = record.decision is Decision.CONDENSE
    return replace(window, exchanges=tuple(each for each in window.exchanges if continues or not each.abstained))
