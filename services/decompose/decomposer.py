"""The stage's two tasks: condense the last turn into a retrieval query, and plan a graph of sub-queries."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from libs.contracts.conversation import ConversationView, TurnReading
from libs.contracts.options import Scene
from libs.contracts.query import DecisionRecord, QueryGraph, WeightedTerm
from libs.contracts.stages.decompose import (
    Condensed,
    CondenseRequest,
    CondenseStep,
    DecomposeRequest,
    DecomposeStep,
    Planned,
)
from libs.contracts.usage import Degraded, Progress, Stage, Usage
from libs.language.known import ENGLISH
from libs.llm.fallback import known, with_fallback
from libs.llm.partial_json import in_steps
from libs.llm.usage import total_usage
from libs.text.tokens import content_stems, content_words, stem
from services.decompose.condense.condenser import Condenser, condense_by_reading
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.plan.planner import Planner
from services.decompose.plan.split import Splitter, with_history
from services.decompose.prepare_llm import Early, LlmPreparer, Preparation
from services.decompose.query.formulation import QueryFormulation, early_query
from services.decompose.query.multi_query import Rewriter
from services.decompose.turn_analysis import DecomposeBounds, TurnAnalysis, TurnAnalyzer, is_rewritten
from services.decompose.wording.service import WordingService
from services.decompose.words.domain import Domain

_EFFECT = "The question was made standalone by rules instead of the language model."


class Decomposer:
    """Condenses and plans; `model` is None if no language model is configured."""

    def __init__(
        self,
        domain: Domain,
        bounds: DecomposeBounds,
        model: LlmPreparer | None = None,
        searching: QueryFormulation | None = None,
        planner: Planner | None = None,
        wording: WordingService | None = None,
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
        """Return the decision record of a turn, with its query; raises as `condense_in_steps`."""
        steps = self.condense_in_steps(request, plan=False)
        (condensed,) = [step async for step in steps if isinstance(step, Condensed)]
        return condensed

    async def condense_in_steps(self, request: CondenseRequest, plan: bool) -> AsyncGenerator[CondenseStep, None]:
        """Yield the steps of condensing; the result comes last.

        If a language model is asked, the rules' record comes first, with its query if the model can hardly change it;
        then the model's verdict and its sub-queries.

        Args:
            request: a turn with its conversation.
            plan: whether sub-queries are planned as well: by the model, where it is asked for the rewrite and for every
                longer question, else by rules. A longer question that it isn't asked for now has none yet.

        Raises:
            NotSupported: the strategy requires a language model and none is configured.
            LlmError: the settings require the language model, and it failed.
        """
        analysis = await self._analyzer.analyze(request)
        by_rules = analysis.by_rules
        is_long = self._planner.asks_model(by_rules.question)
        plans = plan and self._planner.has_model and is_rewritten(analysis.reading) and (analysis.asks_model or is_long)
        if self._model is None or not (analysis.asks_model or plans):
            condensed = await self._with_query(analysis, Condensed(by_rules))
            yield await self._with_plan(condensed) if plan and not is_long else condensed
            return
        query = early_query(by_rules, analysis.searched_window)
        early_record = replace(by_rules, raw=request.question, query=query)
        yield early_record
        async with aclosing(in_steps(partial(self._by_model, self._model, analysis, early_record, plans))) as steps:
            async for step in steps:
                yield step

    async def _with_plan(self, condensed: Condensed) -> Condensed:
        """Add the graph by rules, which holds unless the question is grounded."""
        plan = await self._planner.plan(condensed.record.question, condensed.record, Scene.GENERAL)
        return replace(condensed, graph=plan.graph, usage=(*condensed.usage, *plan.usage))

    async def _by_model(
        self,
        model: LlmPreparer,
        analysis: TurnAnalysis,
        early_record: DecisionRecord,
        plans: bool,
        report: Callable[[Early], None],
    ) -> Condensed:
        """Rewrite, and plan if it `plans`, in one request to the model; fall back to the rules if that fails."""
        by_rules, language, usages = analysis.by_rules, analysis.reading.language, list[Usage]()

        def report_early(early: Early) -> None:
            if isinstance(early, QueryGraph):
                early = with_history(early, early_record.question, early_record, language)
            report(early)

        preparation = Preparation(analysis.window, by_rules, language, not analysis.asks_model, plans, report_early)
        outcome = await with_fallback(
            partial(model.prepare, preparation, usages),
            lambda: known(preparation.given_up()),
            engine=self._bounds.engine_for(by_rules) if analysis.asks_model else "auto",
            seconds=self._bounds.llm_seconds,
            used=usages,
        )
        degraded = (Degraded(Stage.DECOMPOSE, outcome.reason, _EFFECT),) if outcome.reason else ()
        usage = (total_usage(usages),) if usages else ()
        condensed = await self._with_query(analysis, Condensed(outcome.result.record, degraded, usage))
        if not plans:
            return condensed
        graph, refusals = outcome.result.graph, preparation.refusals
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
        request, language = analysis.request, analysis.reading.language
        formulated = await self._searching.query(record, analysis.searched_window, language, request.wordings)
        added = _added_terms(record.standalone, request.question, language)
        usage = condensed.usage or (Usage(Stage.DECOMPOSE, "condense", analysis.milliseconds),)
        return Condensed(
            replace(formulated.record, raw=request.question, added_terms=added),
            (*analysis.degraded, *condensed.degraded, *formulated.degraded),
            (*usage, *formulated.usage),
        )

    async def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """Yield the steps of planning, the graph last. LlmError is raised if settings require a model and it fails."""
        is_general = request.scene is Scene.GENERAL
        yield Progress("splitting the question" if is_general else "planning the timeline")
        event = request.understanding.related_event if request.understanding else None
        plan = await self._planner.plan(request.question, request.record, request.scene, event.name if event else "")
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


def _added_terms(standalone: str, turn: str, language: str) -> tuple[WeightedTerm, ...]:
    """The content words of a standalone question that its turn lacks, each once."""
    own = set(content_stems(turn, language))
    words = {stem(word, language): word for word in reversed(content_words(standalone, language))}
    return tuple(WeightedTerm(word, 1.0) for key, word in reversed(words.items()) if key not in own)
