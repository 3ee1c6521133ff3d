"""Stage calls for one turn's question: decompose condenses it, intent understands it, a search probes it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.draft import Draft
from gateway.request import PlanMode
from gateway.stages import Condensed, CondenseHint, CondenseRequest, Stages, UnderstandHint, Understood
from libs.contracts.evidence import Evidence
from libs.contracts.options import Depth, RetrieveOptions
from libs.contracts.query import Decision, DecisionRecord, WeightedQuery
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import NotFound, ParleyError

PROBE_DEPTH: Final = Depth(lexical=50, vector=50, evidence=20)
"""Depth of the search that only finds the possible topics of a vague question."""


@dataclass(frozen=True, slots=True)
class QuestionStages:
    """The stage calls of one turn; their usage is recorded in its draft."""

    stages: Stages
    draft: Draft

    async def condense(self, hint: Callable[[CondenseHint], None]) -> Condensed:
        """Return the condensed question, or the original wording if the stage fails."""
        request, options = self.draft.request, self.draft.request.options
        order = CondenseRequest(
            request.question,
            self.draft.view,
            options.strategy,
            options.context_sentences,
            options.rewriter_model,
            options.wordings,
        )
        try:
            with self.draft.timed(Stage.DECOMPOSE, "condense"):
                condensed = await self.stages.decompose.condense(order, options.plan is PlanMode.ON, hint)
        except ParleyError as error:
            if error.reason == "NOT_IMPLEMENTED":
                raise
            return _raw(request.question, error)
        self.draft.count(condensed.usage)
        return condensed

    async def understand(
        self,
        record: DecisionRecord,
        probe: Sequence[Evidence] = (),
        hint: Callable[[UnderstandHint], None] | None = None,
        understood: Understanding | None = None,
    ) -> Understood:
        """Return the intent stage's result; see `IntentStage.understand` for the arguments.

        Raises:
            ParleyError: the stage cannot judge the question.
        """
        request = self.draft.request
        with self.draft.timed(Stage.INTENT, "understand"):
            result = await self.stages.intent.understand(
                request.question, record, self.draft.view, probe, request.options.setting, hint, understood
            )
        self.draft.count(result.usage)
        return result

    async def probe(self, record: DecisionRecord) -> Sequence[Evidence]:
        """Return evidence on the possible topics of a vague question, or nothing if the search fails.

        Raises:
            NotFound: there is no such collection.
        """
        request = self.draft.request
        options = RetrieveOptions(
            collection=request.options.collection, principals=request.principals, depth=PROBE_DEPTH
        )
        try:
            with self.draft.timed(Stage.RETRIEVE, "probe"):
                found = await self.stages.retrieve.retrieve(WeightedQuery(record.standalone), options)
        except NotFound:
            raise
        except ParleyError:
            return ()
        return found.evidence


def _raw(question: str, error: ParleyError) -> Condensed:
    """Return the original wording as the standalone question, for when condensing fails."""
    record = DecisionRecord(
        Decision.PASS, "the decompose stage did not answer", raw=question, standalone=question, confidence=0.0
    )
    effect = "The question was taken as it was said; what it leans on may be missed."
    return Condensed(record, (Degraded(Stage.DECOMPOSE, error.reason, effect),))
