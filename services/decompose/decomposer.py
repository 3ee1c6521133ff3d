"""The stage's two tasks: condense the last turn into a retrieval query, and plan a graph of sub-queries."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from libs.contracts.conversation import ConversationView, TurnReading
from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord
from libs.contracts.stages.decompose import (
    Condensed,
    CondenseRequest,
    CondenseStep,
    DecomposeStep,
    Planned,
    PlanVerdict,
)
from libs.contracts.usage import Degraded, Progress, Stage, Usage
from libs.language.known import ENGLISH
from libs.llm.fallback import known, with_fallback
from libs.llm.partial_json import in_steps
from libs.llm.usage import total_usage
from services.decompose.condense.condenser import Condenser, Wording, condense_by_reading
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.plan.nodes import as_one
from services.decompose.plan.planner import Planner
from services.decompose.plan.split import Splitter, with_history
from services.decompose.prepare_llm import Early, LlmPreparer, Preparation, Prepared
from services.decompose.query.formulation import QueryFormulation, early_query
from services.decompose.query.multi_query import Rewriter
from services.decompose.turn_analysis import DecomposeBounds, TurnAnalysis, TurnAnalyzer, is_rewritten
from services.decompose.words.domain import Domain

_EFFECT = "The question was made standalone by rules instead of the language model."
_REASONS = {
    "LLM_UNAVAILABLE": "the language model can't be reached",
    "LLM_TOO_SLOW": "the language model took too long",
    "LLM_UNUSABLE": "the language model's rewrite could not be used",
}


class Decomposer:
    """Condenses and plans; `model` is None if no language model is configured."""

    def __init__(
        self,
        domain: Domain,
        bounds: DecomposeBounds,
        model: LlmPreparer | None = None,
        searching: QueryFormulation | None = None,
        planner: Planner | None = None,
        wording: Wording | None = None,
    ) -> None:
        """Create a decomposer.

        Without `searching`, it uses the measured weights and no vectors. Without a `planner`, the rules plan. Without
        `wording`, follow-ups are not worded to stand alone.
        """
        self._bounds = bounds
        self._model = model
        self._searching = searching or QueryFormulation(Rewriter(domain))
        self._wording = wording
        self._splitter = Splitter(domain)
        self._planner = planner or Planner(self._splitter)
        self._analyzer = TurnAnalyzer(bounds, Condenser(wording), self._searching, has_model=model is not None)

    async def condense(self, request: CondenseRequest) -> Condensed:
        """Return the decision record of a turn, with its query.

        Raises:
            NotSupported: the strategy requires a language model and none is configured.
            LlmError: the settings require the language model, and it failed.
        """
        analysis = await self._analyzer.analyze(request)
        if self._model is None or not analysis.asks_model:
            return await self._with_query(analysis, Condensed(analysis.by_rules))
        return await self._by_model(self._model, analysis, _early_record(analysis), False, lambda _: None)

    async def condense_in_steps(self, request: CondenseRequest, plan: bool) -> AsyncGenerator[CondenseStep, None]:
        """Yield the steps of condensing; the result comes last.

        If a language model is asked, the rules' record comes first, with its query if that is certain; then the
        model's verdict and its sub-queries.

        Args:
            request: as in `condense`.
            plan: whether the model, if asked, also plans sub-queries; else the rules do.

        Raises:
            NotSupported, LlmError: as in `condense`.
        """
        analysis = await self._analyzer.analyze(request)
        plans = plan and self._is_planned(analysis)
        if self._model is None or not (analysis.asks_model or plans):
            condensed = await self._with_query(analysis, Condensed(analysis.by_rules))
            yield await self._with_plan(condensed) if plan else condensed
            return
        early_record = _early_record(analysis)
        yield early_record
        async with aclosing(in_steps(partial(self._by_model, self._model, analysis, early_record, plans))) as steps:
            async for step in steps:
                yield step

    async def _with_plan(self, condensed: Condensed) -> Condensed:
        """Add the graph by rules, which holds unless the question is grounded; none if a model plans it then."""
        record = condensed.record
        if self._planner.asks_model(record.question):
            return condensed
        plan = await self._planner.plan(record.question, record, Scene.GENERAL)
        return replace(condensed, graph=plan.graph, usage=(*condensed.usage, *plan.usage))

    def _is_planned(self, analysis: TurnAnalysis) -> bool:
        """Whether a model plans the turn: where it is asked for the rewrite, and for every longer question."""
        asks_model = analysis.asks_model or self._planner.asks_model(analysis.by_rules.question)
        return asks_model and self._planner.has_model and is_rewritten(analysis.reading)

    async def _by_model(
        self,
        model: LlmPreparer,
        analysis: TurnAnalysis,
        early_record: DecisionRecord,
        plans: bool,
        report: Callable[[Early], None],
    ) -> Condensed:
        """Rewrite, and plan if it `plans`, in one request to the model; fall back to the rules if that fails."""
        by_rules, language, keeps_words = analysis.by_rules, analysis.reading.language, not analysis.asks_model
        refusals, usages, verdicts = list[str](), list[Usage](), list[PlanVerdict]()

        def report_early(early: Early) -> None:
            if isinstance(early, PlanVerdict):
                verdicts.append(early)
                report(early)
            else:
                report(with_history(early, early_record.question, early_record, language))

        preparation = Preparation(
            analysis.window, by_rules, language, keeps_words, plans, refusals.append, report_early
        )

        async def by_llm() -> Prepared | None:
            return await model.prepare(preparation, usages)

        engine, seconds = self._bounds.engine_for(by_rules), self._bounds.llm_seconds
        engine = "auto" if keeps_words else engine
        outcome = await with_fallback(by_llm, lambda: known(None), engine=engine, seconds=seconds, used=usages)
        prepared = outcome.result
        rewrite = Condensed(prepared.record) if prepared else _fallback(by_rules, outcome.reason or "", refusals)
        usage = (total_usage(usages),) if usages else ()
        condensed = await self._with_query(analysis, replace(rewrite, usage=usage))
        if not plans:
            return condensed
        graph = prepared.graph if prepared else None
        if prepared is None and any(not verdict.split for verdict in verdicts):
            graph = as_one(by_rules.question)  # keeps to the verdict already sent before the model failed
        plan = await self._planner.finish_plan(graph, condensed.record, refusals, language)
        return replace(condensed, degraded=(*condensed.degraded, *plan.degraded), graph=plan.graph)

    async def with_query(self, request: CondenseRequest, condensed: Condensed) -> Condensed:
        """Add the query of the stage to the result of another engine, if it has none; raises as `condense`."""
        if condensed.record.query is not None:
            return condensed
        analysis = await self._analyzer.analyze(request)
        record = replace(condensed.record, strategy=analysis.by_rules.strategy, selection=analysis.by_rules.selection)
        return await self._with_query(analysis, replace(condensed, record=record))

    async def _with_query(self, analysis: TurnAnalysis, condensed: Condensed) -> Condensed:
        """Add the query that goes to retrieval."""
        record = condensed.record
        formulated_query = await self._searching.query(
            record, analysis.searched_window, analysis.reading.language, analysis.request.wordings
        )
        return Condensed(
            replace(record, raw=analysis.request.question, query=formulated_query.query),
            (*analysis.degraded, *condensed.degraded, *formulated_query.degraded),
            (
                *(condensed.usage or (Usage(Stage.DECOMPOSE, "condense", analysis.milliseconds),)),
                *formulated_query.usage,
            ),
        )

    async def decompose(
        self, question: str, record: DecisionRecord | None, scene: Scene, event: str = ""
    ) -> AsyncGenerator[DecomposeStep, None]:
        """Yield the steps of planning, the graph last. LlmError is raised if settings require a model and it fails."""
        yield Progress("splitting the question" if scene is Scene.GENERAL else "looking for the phases of the matter")
        plan = await self._planner.plan(question, record, scene, event)
        for degraded in plan.degraded:
            yield degraded
        yield Planned(plan.graph, plan.usage)

    async def read_ahead(self, view: ConversationView) -> None:
        """Read what the next turn may need of a conversation; it reads what could not be read."""
        await self._analyzer.condenser.read_ahead(view)

    def warm_up(self) -> None:
        """Load, blocking, what the first call would wait for: the stemmer, the word lists, the model of languages."""
        window = HistoryWindow((Exchange("When did Venera 7 land?", "It landed in 1970."),))
        condense_by_reading("What about Venus?", window, TurnReading(ENGLISH))
        self._splitter.plan("When did Mariner 2 launch and where did it go?", None, ENGLISH)
        if self._wording:
            self._wording.load()


def _early_record(analysis: TurnAnalysis) -> DecisionRecord:
    """The rules' record, with its query if the model can hardly change it."""
    query = early_query(analysis.by_rules, analysis.searched_window)
    return replace(analysis.by_rules, raw=analysis.request.question, query=query)


def _fallback(by_rules: DecisionRecord, reason: str, refusals: Sequence[str]) -> Condensed:
    """The rules' result, with the reason why the model's was not used."""
    cause = _REASONS.get(reason, "the language model failed")
    refusal = f", {refusals[-1]}" if refusals else ""
    record = replace(by_rules, reason=f"{by_rules.reason} (by rules: {cause}{refusal})")
    return Condensed(record, (Degraded(Stage.DECOMPOSE, reason, _EFFECT),))
