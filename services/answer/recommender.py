"""Recommends follow-ups with the engine of the settings."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from libs.contracts.engines import RecommendEngine
from libs.contracts.stages.answer import RecommendRequest
from libs.engines.fallback import call_or
from services.answer.recommend import recommend


@dataclass(frozen=True, slots=True)
class Recommender:
    """Implements `RecommendEngine`; `own` is the engine of another package, None for the rules."""

    most: int
    """Maximum number of follow-ups."""
    own: RecommendEngine | None = None

    async def recommend(self, request: RecommendRequest, suggestions: Sequence[str] = ()) -> Sequence[str]:
        """Return distinct follow-ups, best first; `suggestions` are a language model's, which come first."""

        async def by_rules() -> Sequence[str]:
            return await asyncio.to_thread(recommend, request, self.most, suggestions)

        if self.own is None:
            return await by_rules()
        own = self.own
        questions, _ = await call_or(lambda: own.recommend(request), by_rules, "recommend")
        return tuple(dict.fromkeys((*suggestions, *questions)))[: self.most]
