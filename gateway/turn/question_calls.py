"""Stage calls for one turn's question: decompose condenses and splits it, intent understands it, a search probes it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.calling.stages import StageResult, Stages, result_of
from gateway.request import PlanMode
from gateway.turn.deadline_steps import dispensable
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
from libs.contracts.evidence import Evidence
from libs.contracts.options import Depth, RetrieveOptions, Scene
from libs.contracts.query import Decision, DecisionRecord, QueryGraph, WeightedQuery
from libs.contracts.stages.decompose import (
    CONDENSE_IN_STEPS,
    DECOMPOSE,
    Condensed,
    CondenseHint,
    CondenseInStepsRequest,
    CondenseRequest,
    DecomposeRequest,
    Planned,
)
from libs.contracts.stages.intent import UNDERSTAND, UnderstandHint, UnderstandRequest, Understood
from libs.contracts.stages.retrieve import (
    LIST_LANGUAGES,
    RETRIEVE,
    ListLanguagesRequest,
    RetrieveRequest,
    RetrieveResult,
)
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.llm.tally import usage_of_failure
from libs.runtime.errors import DeadlineExceeded, NotFound, ParleyError, Unavailable

PROBE_DEPTH: Final = Depth(lexical=50, vector=50, evidence=20)
"""Depth of the search that only finds the possible topics of a vague question: taste."""


@dataclass(frozen=True, slots=True)
class QuestionCalls:
    """The stage calls of one turn; their usage is recorded in its run."""

    stages: Stages
    run: TurnRun
    requires_intent: bool = True
    """Whether a question is not answered unjudged if the intent stage cannot be reached."""
    languages: asyncio.Task[tuple[str, ...]] | None = None
    """Reads those of the collection while the question is condensed; None: nothing is translated."""

    async def condense(self, hint: Callable[[CondenseHint], None]) -> Condensed:
        """Return the condensed question, or the original wording if the stage fails.

        Raises:
            NotSupported: the strategy needs a language model, and none is configured.
        """
        request, options = self.run.request, self.run.request.options
        turn = CondenseRequest(
            request.question,
            self.run.view,
            options.strategy,
            options.context_sentences,
            options.wordings,
            options.rewriter_model,
            self.run.reading,
        )
        steps = self.stages.stream(CONDENSE_IN_STEPS, CondenseInStepsRequest(turn, options.plan is PlanMode.ON))
        try:
            with self.run.usage.timed(Stage.DECOMPOSE, "condense"), dispensable():
                condensed = (await result_of(steps, Condensed, hint)).value
        except ParleyError as error:
            if error.reason == "NOT_IMPLEMENTED":
                raise
            self.run.usage.add(usage_of_failure(error, Stage.DECOMPOSE, "condense"))
            return _raw(request.question, error)
        self.run.usage.add(condensed.usage)
        return condensed

    async def understand(
        self,
        record: DecisionRecord,
        probe: Sequence[Evidence] = (),
        hint: Callable[[UnderstandHint], None] | None = None,
        earlier: Understanding | None = None,
    ) -> StageResult[Understood]:
        """Return the intent stage's result.

        Args:
            record: the standalone form of the turn.
            probe: the results of a shallow search.
            hint: receives early results before the final one.
            earlier: an earlier result for another standalone question; if given, no language model is called.

        Raises:
            ParleyError: the stage cannot judge the question.
        """
        request, view = self.run.request, self.run.view
        languages = await self.languages if self.languages else ()
        question = UnderstandRequest(
            request.question, record, view, tuple(probe), request.options.setting, earlier, self.run.reading, languages
        )
        try:
            with self.run.usage.timed(Stage.INTENT, "understand"):
                result = await result_of(self.stages.stream(UNDERSTAND, question), Understood, hint)
        except ParleyError as error:
            self.run.usage.add(usage_of_failure(error, Stage.INTENT, "understand"))
            if self.requires_intent or not isinstance(error, Unavailable | DeadlineExceeded):
                raise
            understanding = earlier or Understanding(grounded_query=record.question)
            effect = "The question was not judged, and its dates, places and names were not resolved."
            return StageResult(Understood(understanding), (Degraded(Stage.INTENT, error.reason, effect),))
        self.run.usage.add(result.value.usage)
        return result

    async def probe(self, record: DecisionRecord) -> Sequence[Evidence]:
        """Return evidence on the possible topics of a vague question, or nothing if the search fails.

        Raises:
            NotFound: there is no such collection.
        """
        request = self.run.request
        options = RetrieveOptions(
            collection=request.options.collection, principals=request.principals, depth=PROBE_DEPTH
        )
        try:
            with self.run.usage.timed(Stage.RETRIEVE, "probe"):
                query = RetrieveRequest(WeightedQuery(record.question), options)
                return (await result_of(self.stages.stream(RETRIEVE, query), RetrieveResult)).value.evidence
        except NotFound:
            raise
        except ParleyError:
            return ()

    async def decompose(self, understood: UnderstoodTurn, scene: Scene) -> StageResult[QueryGraph]:
        """Return the sub-queries of a question.

        Raises:
            ParleyError: they could not be planned.
        """
        request = DecomposeRequest(understood.grounded, understood.record, understood.understanding, scene)
        with self.run.usage.timed(Stage.DECOMPOSE, "decompose"), dispensable():
            result = await result_of(self.stages.stream(DECOMPOSE, request), Planned)
        self.run.usage.add(result.value.usage)
        return StageResult(result.value.graph, result.degraded)


async def languages_of(stages: Stages, run: TurnRun) -> tuple[str, ...]:
    """Return the languages of a turn's collection; none if they cannot be read."""
    await asyncio.sleep(0)  # condensing, which takes longer, is sent first
    try:
        request = ListLanguagesRequest(run.request.options.collection, run.request.principals)
        return (await stages.unary(LIST_LANGUAGES, request)).languages
    except ParleyError:
        return ()


def _raw(question: str, error: ParleyError) -> Condensed:
    """Return the original wording as the standalone question, for when condensing fails."""
    record = DecisionRecord(
        Decision.PASS, "the decompose stage did not answer", raw=question, standalone=question, confidence=0.0
    )
    effect = "The question was searched as it was asked, without what it refers to in the conversation."
    return Condensed(record, (Degraded(Stage.DECOMPOSE, error.reason, effect),))
