"""Recommends follow-ups with the engine of the settings."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from libs.contracts.engines import RecommendEngine
from libs.contracts.stages.answer import RecommendRequest, RecommendResponse
from libs.runtime.threads import in_thread
from services.answer.by_model.follow_ups import TASK, ModelRecommender
from services.answer.engine_choice import EngineSet, run_task
from services.answer.recommend import recommend


@dataclass(frozen=True, slots=True)
class Recommender:
    """Implements `RecommendEngine`; the rules drop what was asked before, and fill up what a model proposes."""

    most: int
    """Maximum number of follow-ups."""
    engines: EngineSet[RecommendEngine, ModelRecommender] = field(default_factory=EngineSet)

    async def recommend(
        self, request: RecommendRequest, suggestions: Sequence[str] = (), may_ask_model: bool = True
    ) -> RecommendResponse:
        """Return distinct follow-ups, best first.

        Args:
            request: what they are made from.
            suggestions: the writing model's; they come first, and no model is asked again.
            may_ask_model: false where a budget limits tokens or cost.

        Raises:
            LlmError: see `run_task`.
        """

        async def by_rules() -> RecommendResponse:
            return RecommendResponse(await in_thread(recommend, request, self.most, suggestions))

        model, own = self.engines.model, self.engines.own
        if own is None and (suggestions or not may_ask_model):
            return await by_rules()
        response = await run_task(
            TASK,
            by_rules,
            by_model=None if model is None else lambda: self._by_model(model, request),
            own=None if own is None else lambda: own.recommend(request),
            choice=self.engines.choice,
        )
        questions = tuple(dict.fromkeys((*suggestions, *response.questions)))[: self.most]
        return RecommendResponse(questions, response.usage, response.degraded)

    async def _by_model(self, model: ModelRecommender, request: RecommendRequest) -> RecommendResponse:
        proposal = await model.recommend(request)
        questions = await in_thread(recommend, request, self.most, proposal.questions)
        return RecommendResponse(questions, proposal.usage)
