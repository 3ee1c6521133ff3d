"""The stage's two tasks: condense the last turn into a retrieval query, and plan a graph of sub-queries."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from libs.contracts.conversation import TurnReading
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
from services.decompose.condense.llm import LlmCondenser
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.plan.nodes import as_one
from services.decompose.plan.planner import Planner
from services.decompose.plan.split import Splitter, with_history
from services.decompose.prepare_llm import Early, LlmPreparer, Prepared
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
    """Condenses and plans; `llm` is None if no language model is configured."""

    def __init__(
        self,
        domain: Domain,
        bounds: DecomposeBounds,
        llm: LlmCondenser | None = None,
        searching: QueryFormulation | None = None,
        planner: Planner | None = None,
        preparer: LlmPreparer | None = None,
        wording: Wording | None = None,
    ) -> None:
        """Create a decomposer.

        Without `searching`, it uses the measured weights and no vectors. Without a `planner`, the rules plan. Without
        a `preparer`, a condense request plans nothing. Without `wording`, follow-ups are not worded to stand alone.
        """
        self._bounds = bounds
        self._preparer = preparer
        self._searching = searching or QueryFormulation(Rewriter(domain))
        self._wording = wording
        self._splitter = Splitter(domain)
        self._planner = planner or Planner(self._splitter, domain)
        self._analyzer = TurnAnalyzer(bounds, Condenser(wording), self._searching, llm)

    async def condense(self, request: CondenseRequest) -> Condensed:
        """Return the decision record of a turn, with its query.

        Raises:
            NotSupported: the strategy requires a language model and none is configured.
            LlmError: the settings require the language model, and it failed.
        """
        return await self._condense_turn(await self._analyzer.analyze(request))

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
        analysis = await self._analyzer.analyze(request)
        preparer = self._preparer_for(analysis) if plan else None
        if preparer is None and analysis.model is None:
            yield await self._condense_turn(analysis)
            return
        query = early_query(analysis.by_rules, analysis.searched_window, analysis.wording)
        early_record = replace(analysis.by_rules, raw=request.question, query=query)
        yield early_record
        if preparer is None:
            yield await self._condense_turn(analysis)
            return
        async with aclosing(in_steps(partial(self._prepare, preparer, analysis, early_record))) as steps:
            async for step in steps:
                yield step

    def _preparer_for(self, analysis: TurnAnalysis) -> LlmPreparer | None:
        """The preparer, if a model is needed for the rewrite or the plan; None without a model that plans."""
        needs_model = analysis.model is not None or self._planner.asks_model(analysis.by_rules.standalone)
        needs_model = needs_model and is_rewritten(analysis.reading)
        return self._preparer if needs_model and self._planner.has_model else None

    async def _prepare(
        self,
        preparer: LlmPreparer,
        analysis: TurnAnalysis,
        early_record: DecisionRecord,
        report: Callable[[Early], None],
    ) -> Condensed:
        """Rewrite and plan in one request to the model; fall back to the rules if that fails."""
        by_rules, keeps_words = analysis.by_rules, analysis.model is None
        refusals, usages, verdicts = list[str](), list[Usage](), list[PlanVerdict]()

        def report_early(early: Early) -> None:
            if isinstance(early, PlanVerdict):
                verdicts.append(early)
                report(early)
            else:
                report(with_history(early, early_record.standalone, early_record, analysis.language))

        async def by_llm() -> Prepared | None:
            return await preparer.prepare(
                analysis.window, by_rules, analysis.language, keeps_words, refusals.append, usages, report_early
            )

        engine, seconds = self._bounds.engine_for(by_rules), self._bounds.llm_seconds
        engine = "auto" if keeps_words else engine
        outcome = await with_fallback(by_llm, lambda: known(None), engine=engine, seconds=seconds, used=usages)
        usage = (total_usage(usages),) if usages else ()
        prepared = outcome.result
        if prepared is None:
            rewrite = _fallback(by_rules, outcome.reason or "", refusals)
        else:
            rewrite = Condensed(prepared.record)
        condensed = await self._with_query(analysis, replace(rewrite, usage=usage))
        graph = prepared.graph if prepared else None
        if prepared is None and any(not verdict.split for verdict in verdicts):
            graph = as_one(by_rules.standalone)  # keeps to the verdict already sent before the model failed
        plan = await self._planner.finish_plan(graph, condensed.record, refusals, analysis.language)
        return replace(condensed, degraded=(*condensed.degraded, *plan.degraded), graph=plan.graph)

    async def with_query(self, request: CondenseRequest, condensed: Condensed) -> Condensed:
        """Add the query of the stage to the result of another engine, if it has none; raises as `condense`."""
        if condensed.record.query is not None:
            return condensed
        analysis = await self._analyzer.analyze(request)
        record = replace(condensed.record, strategy=analysis.by_rules.strategy, selection=analysis.by_rules.selection)
        return await self._with_query(analysis, replace(condensed, record=record))

    async def _condense_turn(self, analysis: TurnAnalysis) -> Condensed:
        condensed = (
            Condensed(analysis.by_rules) if analysis.model is None else await self._by_model(analysis.model, analysis)
        )
        return await self._with_query(analysis, condensed)

    async def _with_query(self, analysis: TurnAnalysis, condensed: Condensed) -> Condensed:
        """Add the query that goes to retrieval."""
        record, wording = condensed.record, analysis.wording
        formulated_query = await self._searching.query(
            replace(record, standalone=wording.text) if record.engine == "rules" else record,
            analysis.searched_window,
            analysis.language,
            analysis.request.wordings,
            analysis.wording,
            is_reworded=record.standalone not in (record.raw, analysis.by_rules.standalone),
        )
        return Condensed(
            replace(record, raw=analysis.request.question, query=formulated_query.query),
            (*analysis.degraded, *condensed.degraded, *formulated_query.degraded),
            (*(condensed.usage or (_usage("condense", analysis.milliseconds),)), *formulated_query.usage),
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

    def warm_up(self) -> None:
        """Load, blocking, what the first call would wait for: the stemmer, the word lists, the model of languages."""
        window = HistoryWindow((Exchange("When did Venera 7 land?", "It landed in 1970."),))
        condense_by_reading("What about Venus?", window, TurnReading(ENGLISH))
        self._splitter.plan("When did Mariner 2 launch and where did it go?", None, ENGLISH)
        if self._wording:
            self._wording.load()

    async def _by_model(self, model: LlmCondenser, analysis: TurnAnalysis) -> Condensed:
        """Condense by the language model; fall back to the rules if that fails."""
        by_rules = analysis.by_rules
        refusals: list[str] = []
        usages: list[Usage] = []

        async def by_llm() -> DecisionRecord:
            return await model.condense(analysis.window, by_rules, analysis.language, refusals.append, usages)

        engine = self._bounds.engine_for(by_rules)
        seconds = self._bounds.llm_seconds
        outcome = await with_fallback(by_llm, lambda: known(by_rules), engine=engine, seconds=seconds, used=usages)
        usage = (total_usage(usages),) if usages else ()
        if outcome.reason is None:
            return Condensed(outcome.result, usage=usage)
        return replace(_fallback(by_rules, outcome.reason, refusals), usage=usage)


def _fallback(by_rules: DecisionRecord, reason: str, refusals: Sequence[str]) -> Condensed:
    """The rules' result, with the reason why the model's was not used."""
    cause = _REASONS.get(reason, "the language model failed")
    refusal = f", {refusals[-1]}" if refusals else ""
    record = replace(by_rules, reason=f"{by_rules.reason} (by rules: {cause}{refusal})")
    return Condensed(record, (Degraded(Stage.DECOMPOSE, reason, _EFFECT),))


def _usage(task: str, milliseconds: float) -> Usage:
    return Usage(Stage.DECOMPOSE, task, milliseconds)
