"""Follow-ups proposed by the answer stage, kept only if a shallow search finds an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from gateway.calling.stages import Stages
from gateway.events.events import Recommendation
from gateway.turn.draft import Draft
from gateway.turn.ladder import seconds_before_ending
from libs.contracts.evidence import Relevance
from libs.contracts.options import Depth, RetrieveOptions
from libs.contracts.stages.retrieve import GAUGE_QUESTIONS, GaugeQuestionsRequest
from libs.contracts.usage import Degraded, Stage
from libs.runtime import deadline
from libs.runtime.errors import ParleyError

CHECK_DEPTH: Final = Depth(lexical=200, vector=20, evidence=1)
"""Depth of the search that only checks whether an answer exists.

If the full-text search returns every match, as in a small collection, passages found only by vectors are known to score
0. At a lexical depth of 20 a second search was needed, which cost more (1.2 of 27 ms of processor time a turn over the
samples)."""


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Checks proposed follow-ups."""

    stages: Stages
    limit: int
    """Maximum number of follow-ups."""

    async def propose(self, draft: Draft) -> tuple[Recommendation | Degraded, ...]:
        """Return the draft's follow-ups that have an answer as one event, or no event if there are none.

        A failure is returned as a degradation and does not affect the answer.
        """
        if not draft.follow_ups:
            return ()
        try:
            with draft.timed(Stage.RETRIEVE, "recommend"), deadline.limited(seconds_before_ending(inf)):
                questions = await self._select_answerable(draft)
        except ParleyError as error:
            return (Degraded(Stage.RETRIEVE, error.reason, "No follow-up questions are proposed."),)
        return (Recommendation(questions),) if questions else ()

    async def _select_answerable(self, draft: Draft) -> tuple[str, ...]:
        answerable: list[str] = []
        candidates = list(draft.follow_ups)
        while candidates and len(answerable) < self.limit:
            batch = [candidates.pop(0) for _ in range(min(len(candidates), self.limit - len(answerable)))]
            answerable += await self._answerable(draft, batch)
        return tuple(answerable)

    async def _answerable(self, draft: Draft, questions: Sequence[str]) -> list[str]:
        """Return the questions for which some passage is relevant."""
        options = RetrieveOptions(
            collection=draft.request.options.collection, principals=draft.request.principals, depth=CHECK_DEPTH
        )
        response = await self.stages.unary(GAUGE_QUESTIONS, GaugeQuestionsRequest(tuple(questions), options))
        pairs = zip(questions, response.relevance, strict=True)
        return [question for question, relevance in pairs if relevance is not Relevance.LOW]
