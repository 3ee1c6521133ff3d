"""The stage's two tasks: condense the last turn into a retrieval query, and plan a graph of sub-queries."""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from libs.contracts.conversation import ConversationView
from libs.contracts.options import Scene
from libs.contracts.query import Decision, DecisionRecord, Strategy
from libs.contracts.stages.decompose import (
    Condensed,
    CondenseRequest,
    CondenseStep,
    DecomposeStep,
    Planned,
    PlanVerdict,
)
from libs.contracts.usage import Degraded, Progress, Stage, Usage
from libs.llm.early import in_steps
from libs.llm.fallback import EngineChoice, with_fallback
from libs.llm.usage import total_usage
from libs.runtime.errors import NotSupported
from libs.runtime.threads import in_thread_unless
from services.decompose.condense.ladder import Condenser
from services.decompose.condense.llm import LlmCondenser
from services.decompose.condense.tidy import as_question
from services.decompose.history import WHOLE_TURNS, HistoryWindow, read_window
from services.decompose.plan.planner import SHORT, Planner, with_history
from services.decompose.plan.split import Splitter
from services.decompose.prepare_llm import Early, LlmPreparer, Prepared, as_one
from services.decompose.query.formulation import QueryFormulation
from services.decompose.words.domain import Domain

SHORT_HISTORY: Final = 12_000
"""Longest conversation, in characters, that is processed in 2 ms together with a short question."""
_EFFECT = "The question was made to stand alone by rules."
_REASONS = {
    "LLM_UNAVAILABLE": "the language model can't be reached",
    "LLM_TOO_SLOW": "the language model took too long",
    "LLM_UNUSABLE": "the language model's rewrite could not be used",
}


@dataclass(frozen=True, slots=True)
class DecomposeBounds:
    """Defaults for turning a follow-up into a query, used where a request sets nothing."""

    strategy: Strategy = Strategy.WEIGHTED
    engine: EngineChoice = "auto"
    llm_seconds: float = 5.0
    whole_turns: int = WHOLE_TURNS


@dataclass(frozen=True, slots=True)
class _Read:
    """A turn and the result of the rules for it."""

    request: CondenseRequest
    window: HistoryWindow
    by_rules: DecisionRecord
    model: LlmCondenser | None
    """The model to ask for a better rewrite; None if the rules' rewrite is final."""
    missing: tuple[Degraded, ...]
    milliseconds: float


class Decomposer:
    """Condenses and plans; `llm` is None if no language model is configured."""

    def __init__(
        self,
        domain: Domain,
        bounds: DecomposeBounds,
        llm: LlmCondenser | None = None,
        searching: QueryFormulation | None = None,
        planner: Planner | None = None,
        preparer: LlmPreparer | None = None,
    ) -> None:
        """Create a decomposer.

        Without `searching`, it uses the measured weights and no vectors. Without a `planner`, the rules plan. Without
        a `preparer`, a condense request plans nothing.
        """
        self._bounds = bounds
        self._llm = llm
        self._preparer = preparer
        self._searching = searching or QueryFormulation(domain)
        self._condenser = Condenser(domain)
        self._splitter = Splitter(domain, self._condenser)
        self._planner = planner or Planner(self._splitter, domain)

    async def condense(self, request: CondenseRequest) -> Condensed:
        """Return the decision record of a turn, with its query.

        Raises:
            NotSupported: the strategy requires a language model and none is configured.
            LlmError: the settings require the language model, and it failed.
        """
        return await self._condensed(await self._read(request))

    async def condense_in_steps(self, request: CondenseRequest, plan: bool) -> AsyncGenerator[CondenseStep, None]:
        """Yield the steps of condensing; the result comes last.

        If a language model is asked, the rules' record comes first, with its query if that is certain; then the
        model's verdict and its sub-queries.

        Args:
            request: as in `condense`.
            plan: whether the model, if asked, also plans sub-queries.

        Raises:
            NotSupported, LlmError: as in `condense`.
        """
        read = await self._read(request)
        preparer = self._preparer_for(read) if plan else None
        if preparer is None and read.model is None:
            yield await self._condensed(read)
            return
        foreseen = replace(read.by_rules, query=self._searching.foreseen(read.by_rules, read.window))
        yield foreseen
        if preparer is None:
            yield await self._condensed(read)
            return
        async with aclosing(in_steps(partial(self._prepared, preparer, read, foreseen))) as steps:
            async for step in steps:
                yield step

    async def _read(self, request: CondenseRequest) -> _Read:
        chosen = self._supported(request.strategy or self._bounds.strategy)
        started = time.perf_counter()
        said = sum(len(message.text) for message in request.view.messages)
        short = len(request.question) <= SHORT and said <= SHORT_HISTORY
        window, by_rules = await in_thread_unless(short, self._by_rules, request.question, request.view)
        selection, missing = await self._searching.context(by_rules, window, chosen, request.context_sentences)
        by_rules = replace(by_rules, strategy=chosen, selection=selection)
        milliseconds = 1000 * (time.perf_counter() - started)
        return _Read(request, window, by_rules, self._asked(window, by_rules), missing, milliseconds)

    def _preparer_for(self, read: _Read) -> LlmPreparer | None:
        """The preparer, if a model is needed for the rewrite or the plan; None without a model that plans."""
        wanted = read.model is not None or self._planner.asks_model(read.by_rules.standalone)
        return self._preparer if wanted and self._planner.has_model else None

    async def _prepared(
        self,
        preparer: LlmPreparer,
        read: _Read,
        foreseen: DecisionRecord,
        tell: Callable[[Early], None],
    ) -> Condensed:
        """Rewrite and plan in one request to the model; fall back to the rules if that fails."""
        by_rules, keeps_words = read.by_rules, read.model is None
        refusals, used, verdicts = list[str](), list[Usage](), list[PlanVerdict]()

        def tell_early(early: Early) -> None:
            if isinstance(early, PlanVerdict):
                verdicts.append(early)
                tell(early)
            else:
                tell(with_history(early, foreseen.standalone, foreseen))

        async def by_llm() -> Prepared | None:
            return await preparer.prepare(read.window, by_rules, keeps_words, refusals.append, used, tell_early)

        async def as_it_is() -> None:
            return None

        engine, seconds = self._engine(by_rules), self._bounds.llm_seconds
        chosen = await with_fallback(by_llm, as_it_is, engine="auto" if keeps_words else engine, seconds=seconds)
        spent = (total_usage(used),) if used else ()
        prepared = chosen.result
        if prepared is None:
            worded = _fallen_back(by_rules, chosen.reason or "", refusals)
        else:
            worded = Condensed(self._worded(prepared.record))
        condensed = await self._with_query(read, replace(worded, usage=spent))
        graph = prepared.graph if prepared else None
        if prepared is None and any(not verdict.split for verdict in verdicts):
            graph = as_one(by_rules.standalone)  # keeps to the verdict already sent before the model failed
        plan = await self._planner.settled(graph, condensed.record, refusals)
        return replace(condensed, degraded=(*condensed.degraded, *plan.degraded), graph=plan.graph)

    async def _condensed(self, read: _Read) -> Condensed:
        condensed = Condensed(read.by_rules) if read.model is None else await self._by_model(read.model, read)
        return await self._with_query(read, condensed)

    async def _with_query(self, read: _Read, condensed: Condensed) -> Condensed:
        """Add the query that goes to retrieval."""
        record = condensed.record
        searched = await self._searching.query(record, read.window, read.request.wordings)
        return Condensed(
            replace(record, query=searched.query),
            (*read.missing, *condensed.degraded, *searched.degraded),
            (*(condensed.usage or (_usage("condense", read.milliseconds),)), *searched.usage),
        )

    async def decompose(
        self, question: str, record: DecisionRecord | None, scene: Scene
    ) -> AsyncGenerator[DecomposeStep, None]:
        """Yield the steps of planning, the graph last."""
        yield Progress("splitting the question" if scene is Scene.GENERAL else "looking for the phases of the matter")
        plan = await self._planner.plan(question, record, scene)
        for degraded in plan.degraded:
            yield degraded
        yield Planned(plan.graph, plan.usage)

    def warm_up(self) -> None:
        """Load what the first call would otherwise wait for: the stemmer and the word lists."""
        window = HistoryWindow(tuple(read_window(ConversationView()).exchanges))
        self._condenser.condense("What about Venus?", window)
        self._splitter.split("When did Mariner 2 launch and where did it go?")

    def _by_rules(self, question: str, view: ConversationView) -> tuple[HistoryWindow, DecisionRecord]:
        window = read_window(view, self._bounds.whole_turns)
        return window, self._condenser.condense(question, window, view.offered_choices)

    async def _by_model(self, model: LlmCondenser, read: _Read) -> Condensed:
        """Condense by the language model; fall back to the rules if that fails."""
        by_rules = read.by_rules
        refusals: list[str] = []
        used: list[Usage] = []

        async def by_llm() -> DecisionRecord:
            return self._worded(await model.condense(read.window, by_rules, refusals.append, used))

        async def as_it_is() -> DecisionRecord:
            return by_rules

        engine = self._engine(by_rules)
        chosen = await with_fallback(by_llm, as_it_is, engine=engine, seconds=self._bounds.llm_seconds)
        spent = (total_usage(used),) if used else ()
        if chosen.reason is None:
            return Condensed(chosen.result, usage=spent)
        return replace(_fallen_back(by_rules, chosen.reason, refusals), usage=spent)

    def _worded(self, record: DecisionRecord) -> DecisionRecord:
        """The model's record; with the MMR strategy, its rewrite is formatted as a question."""
        if record.strategy is Strategy.MMR and record.decision is Decision.CONDENSE and record.engine == "llm":
            return replace(record, standalone=as_question(record.standalone))
        return record

    def _asked(self, window: HistoryWindow, by_rules: DecisionRecord) -> LlmCondenser | None:
        """The model, if it is enabled and a rewrite could add something; None for a topic shift."""
        may_gain = not window.is_empty and by_rules.decision is not Decision.SWITCH
        return self._llm if may_gain and self._engine(by_rules) != "rules" else None

    def _engine(self, by_rules: DecisionRecord) -> EngineChoice:
        return "auto" if by_rules.strategy is Strategy.LLM else self._bounds.engine

    def _supported(self, strategy: Strategy) -> Strategy:
        if strategy is Strategy.LLM and self._llm is None:
            raise NotSupported("The strategy llm wants a language model, and none is configured.")
        return strategy


def _fallen_back(by_rules: DecisionRecord, reason: str, refusals: Sequence[str]) -> Condensed:
    """The rules' result, with the reason why the model's was not used."""
    failed = _REASONS.get(reason, "the language model failed")
    refused = f", {refusals[-1]}" if refusals else ""
    record = replace(by_rules, reason=f"{by_rules.reason} (by rules: {failed}{refused})")
    return Condensed(record, (Degraded(Stage.DECOMPOSE, reason, _EFFECT),))


def _usage(task: str, milliseconds: float) -> Usage:
    return Usage(Stage.DECOMPOSE, task, milliseconds)
