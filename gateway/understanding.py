"""Phase 1 of a turn: the question is made to stand alone and understood."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from gateway.draft import Draft
from gateway.narration import Emit
from gateway.stages import Condensed, CondenseOrder, Stages, Understood
from services.language.courtesies import read_courtesy
from services.runtime.errors import NotFound, ParleyError
from services.vocabulary.evidence import Evidence
from services.vocabulary.options import Depth, RetrieveOptions
from services.vocabulary.query import Decision, DecisionRecord, WeightedQuery
from services.vocabulary.understanding import Understanding
from services.vocabulary.usage import Degraded, Stage

PROBE_DEPTH: Final = Depth(lexical=50, vector=50, evidence=20)
"""How deep the search goes that only shows which topics a vague question may mean."""


class LookingAhead(Protocol):
    """Searches before it is known what is wanted."""

    def foresee(self, query: WeightedQuery) -> None:
        """This is what will most likely be searched; the question is still being condensed."""
        ...

    async def look_ahead(self) -> None:
        """The record is in the draft."""
        ...


@dataclass(frozen=True, slots=True)
class UnderstandingPhase:
    """Drives decompose.Condense, intent.Understand, and, where the words are vague, a shallow search and it again."""

    stages: Stages
    probe_score: float
    """Least ask_score of a question whose possible topics are looked for."""

    async def run(self, draft: Draft, emit: Emit, ahead: LookingAhead | None = None) -> Understanding:
        """Fill record and understanding into the draft, telling each as it is known.

        Args:
            ahead: what may be searched before the question is understood; None where nothing is.

        Raises:
            ParleyError: the intent stage cannot judge the question: it is not answered unjudged.
        """
        if read_courtesy(draft.request.question):
            ahead = None  # nothing will be searched
        condensed = await self._condense(draft, ahead)
        draft.record = condensed.record
        emit(condensed.record)
        if ahead is not None:
            await ahead.look_ahead()
        understood = await self._understand(draft, condensed.record, ())
        if self._is_vague(understood.understanding) and (probe := await self._probe(draft, condensed.record)):
            first = understood
            understood = await self._understand(draft, condensed.record, probe)
            understood = replace(understood, degraded=tuple(dict.fromkeys((*first.degraded, *understood.degraded))))
        draft.understanding = understood.understanding
        draft.record = searched_as_grounded(condensed.record, understood.understanding, draft.view.offered_choices)
        emit(understood.understanding)
        for degraded in (*condensed.degraded, *understood.degraded):
            emit(degraded)
        return understood.understanding

    async def _condense(self, draft: Draft, ahead: LookingAhead | None) -> Condensed:
        question, options = draft.request.question, draft.request.options
        order = CondenseOrder(
            question,
            draft.view,
            options.strategy,
            options.context_sentences,
            options.rewriter_model,
            options.wordings,
        )
        try:
            with draft.timed(Stage.DECOMPOSE, "condense"):
                condensed = await self.stages.decompose.condense(order, ahead.foresee if ahead else None)
        except ParleyError as error:
            if error.reason == "NOT_IMPLEMENTED":
                raise
            return _raw(question, error)
        draft.count(condensed.usage)
        return condensed

    async def _understand(self, draft: Draft, record: DecisionRecord, probe: Sequence[Evidence]) -> Understood:
        setting = draft.request.options.setting
        with draft.timed(Stage.INTENT, "understand"):
            understood = await self.stages.intent.understand(draft.request.question, record, draft.view, probe, setting)
        draft.count(understood.usage)
        return understood

    def _is_vague(self, understanding: Understanding) -> bool:
        return understanding.ask_score >= self.probe_score and not understanding.question_rejection.is_reject

    async def _probe(self, draft: Draft, record: DecisionRecord) -> Sequence[Evidence]:
        """What a vague question may mean; nothing when that cannot be found out."""
        options = RetrieveOptions(
            collection=draft.request.options.collection, principals=draft.request.principals, depth=PROBE_DEPTH
        )
        try:
            with draft.timed(Stage.RETRIEVE, "probe"):
                found = await self.stages.retrieve.retrieve(WeightedQuery(record.standalone), options)
        except NotFound:
            raise
        except ParleyError:
            return ()
        return found.evidence


def searched_as_grounded(
    record: DecisionRecord, understanding: Understanding, offered: Sequence[str] = ()
) -> DecisionRecord:
    """The record with the grounded words as what is searched, where grounding changed them (a pick, a time, a name).

    After a pick the history says nothing more: the question that was asked back is in the grounded words, and the
    question back itself is about every option.

    Args:
        record: how the turn was made to stand alone.
        understanding: what was grounded in it.
        offered: the options of the newest turn, when that turn asked back.
    """
    grounded = understanding.grounded_query
    if not grounded or record.query is None:
        return record
    if _is_pick(record, understanding, offered):
        return replace(record, query=WeightedQuery(grounded))
    if grounded == record.standalone:
        return record
    return replace(record, query=replace(record.query, text=grounded))


def _is_pick(record: DecisionRecord, understanding: Understanding, offered: Sequence[str]) -> bool:
    """Whether the whole turn stands for something that was offered before."""
    return any(grounded.phrase == record.raw and grounded.value in offered for grounded in understanding.grounded)


def _raw(question: str, error: ParleyError) -> Condensed:
    """The question as it was said, when it cannot be condensed."""
    record = DecisionRecord(
        Decision.PASS, "the decompose stage did not answer", raw=question, standalone=question, confidence=0.0
    )
    effect = "The question was taken as it was said; what it leans on may be missed."
    return Condensed(record, (Degraded(Stage.DECOMPOSE, error.reason, effect),))
