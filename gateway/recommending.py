"""What to ask next: follow-ups that the answer stage proposes, kept only where a shallow search finds an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gateway.draft import Draft
from gateway.events import Recommendation
from gateway.stages import Stages
from services.runtime.errors import ParleyError
from services.vocabulary.evidence import Evidence, Relevance
from services.vocabulary.options import Depth, RetrieveOptions
from services.vocabulary.understanding import Understanding
from services.vocabulary.usage import Degraded, Stage

CHECK_DEPTH: Final = Depth(lexical=20, vector=20, evidence=1)
"""How deep the search goes that only tells whether there is an answer."""


@dataclass(frozen=True, slots=True)
class Recommender:
    """Proposes and checks."""

    stages: Stages
    limit: int

    async def propose(
        self, draft: Draft, understanding: Understanding, evidence: Sequence[Evidence]
    ) -> tuple[Recommendation | Degraded, ...]:
        """The follow-ups as one happening; none when there are none; a failure is told and harms nothing."""
        asked = draft.request.options.recommendations
        limit = self.limit if asked is None else min(asked, self.limit)
        if not limit or not evidence:
            return ()
        try:
            questions = await self._checked(draft, understanding, evidence, limit)
        except ParleyError as error:
            return (Degraded(Stage.ANSWER, error.reason, "No follow-up questions are proposed."),)
        return (Recommendation(questions),) if questions else ()

    async def _checked(
        self, draft: Draft, understanding: Understanding, evidence: Sequence[Evidence], limit: int
    ) -> tuple[str, ...]:
        question = understanding.grounded_query or draft.request.question
        with draft.timed(Stage.ANSWER, "recommend"):
            recommended = await self.stages.answer.recommend(question, evidence, draft.view, "")
        draft.count(recommended.usage)
        kept: list[str] = []
        proposed = list(recommended.questions)
        while proposed and len(kept) < limit:
            batch = [proposed.pop(0) for _ in range(min(len(proposed), limit - len(kept)))]
            kept += await self._answerable(draft, batch)
        return tuple(kept)

    async def _answerable(self, draft: Draft, questions: Sequence[str]) -> list[str]:
        """Those of the questions that some passage fits."""
        options = RetrieveOptions(
            collection=draft.request.options.collection, principals=draft.request.principals, depth=CHECK_DEPTH
        )
        best = await self.stages.retrieve.best_relevance(questions, options)
        return [question for question, relevance in zip(questions, best, strict=True) if relevance is not Relevance.LOW]
