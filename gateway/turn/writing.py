"""Writes a turn's answer from its evidence, and emits it as it streams."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from gateway.calling.stages import Stages
from gateway.events.activities import CHECKING, WRITING, Activities, reading
from gateway.events.event_stream import Emit
from gateway.events.events import References, TextEnd
from gateway.request import Act
from gateway.turn.date_conflicts import mark_contradictions
from gateway.turn.draft import Draft
from gateway.turn.ladder import Step
from gateway.turn.merging import renumber
from libs.contracts.answers import Citation, TextDelta
from libs.contracts.options import Budget
from libs.contracts.query import Decision, QueryGraph
from libs.contracts.session import Outcome
from libs.contracts.stages.answer import WRITE, FollowUps, Numbering, WriteRequest, WriteResult, WriteStep
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Progress, Stage, Usage
from libs.runtime.errors import Unavailable


@dataclass(frozen=True, slots=True)
class Writing:
    """Drives the answer stage.

    Args:
        stages: of these, the answer stage.
        follow_ups: how many follow-ups are wanted.
        on_follow_ups: called when the follow-ups are in the draft.
    """

    stages: Stages
    follow_ups: int
    on_follow_ups: Callable[[], object]

    async def run(self, draft: Draft, understanding: Understanding, emit: Emit) -> None:
        """Fill the answer into a draft that has its references.

        Raises:
            ParleyError: writing failed as a whole.
        """
        request = _request(draft, understanding, self.follow_ups)
        if request.without_images and any(reference.evidence.passage.images for reference in draft.references):
            emit(Step.IMAGES.degraded)
        with draft.timed(Stage.ANSWER, "write"):
            await self._follow(request, draft, emit)
        if draft.answer is None:
            raise Unavailable("STAGE_FAILED", "The answer ended without its result.")
        for event in await mark_contradictions(draft):
            emit(event)
        draft.outcome = Outcome.ABSTAINED if draft.answer.abstained else Outcome.ANSWERED
        emit(TextEnd(draft.answer.text, draft.answer.gaps, draft.answer.engine))

    async def _follow(self, request: WriteRequest, draft: Draft, emit: Emit) -> None:
        """Emit each step. The references precede the first one, unless it is a numbering, which emits them."""
        activity, is_first = _Activity(draft.activities, len(request.references)), True
        async with aclosing(self.stages.stream(WRITE, request)) as steps:
            async for step in steps:
                activity.note(step)
                if is_first and not isinstance(step, Numbering | Progress):
                    emit(References(draft.references, draft.ranking))
                is_first = is_first and isinstance(step, Progress)
                self._take(step, draft, emit)

    def _take(self, step: WriteStep, draft: Draft, emit: Emit) -> None:
        if isinstance(step, WriteResult):
            draft.answer = step.answer
            draft.add_usage(step.usage)
        elif isinstance(step, Usage):
            draft.estimated_usage = step
        elif isinstance(step, Numbering):
            draft.references = renumber(draft.references, step)
            emit(References(draft.references, draft.ranking))
        elif isinstance(step, FollowUps):
            draft.follow_ups = step.questions
            self.on_follow_ups()
        elif not isinstance(step, Progress):
            if isinstance(step, TextDelta):
                draft.sentences[step.sentence] = draft.sentences.get(step.sentence, "") + step.delta
            emit(step)


class _Activity:
    """The writer's current activity: reading until the first text, checking from the first verdict."""

    def __init__(self, activities: Activities, passages: int) -> None:
        self._activities = activities
        self._reading = reading(passages)
        activities.begin(Stage.ANSWER, self._reading)

    def note(self, step: WriteStep) -> None:
        """Update the activity by a step of writing."""
        if isinstance(step, TextDelta):
            self._activities.end(Stage.ANSWER, self._reading)
            self._activities.begin(Stage.ANSWER, WRITING)
        elif isinstance(step, Citation):
            self._activities.begin(Stage.ANSWER, CHECKING)
        elif isinstance(step, WriteResult):
            for activity in (self._reading, WRITING, CHECKING):
                self._activities.end(Stage.ANSWER, activity)


def _request(draft: Draft, understanding: Understanding, follow_ups: int) -> WriteRequest:
    options = draft.request.options
    return WriteRequest(
        question=draft.forms(understanding).grounded,
        references=draft.references,
        graph=draft.graph or QueryGraph(),
        view=draft.view,
        understanding=understanding,
        language=options.language,
        length=options.length,
        budget=draft.budget_left or Budget(),
        never_abstain=options.abstain is Act.RECORD_ONLY,
        model=options.answer_model,
        principals=draft.request.principals,
        searches=draft.searches,
        follow_ups=follow_ups,
        without_images=Step.IMAGES in draft.omitted,
        follows_up=draft.record is not None and draft.record.decision is Decision.CONDENSE,
        turn=draft.request.question if draft.is_tentative and draft.view.messages else "",
    )
