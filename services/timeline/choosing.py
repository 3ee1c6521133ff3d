"""Who chooses the events of a timeline: the language model where there is one, the rules where it fails."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from libs.contracts.usage import Degraded, Stage, Usage
from libs.llm.fallback import EngineChoice, with_fallback
from libs.llm.tally import Tallied
from services.timeline.candidate_list import Reach, list_candidates
from services.timeline.course import Course
from services.timeline.events import Event
from services.timeline.extract_llm import Extractor

_BY_RULES: Final = "The events of the timeline were chosen by rules."


@dataclass(frozen=True, slots=True)
class Choice:
    """The events to tell, who chose them, and what that took."""

    course: Course
    engine: str = "rules"
    usage: tuple[Usage, ...] = ()
    degraded: Degraded | None = None


@dataclass(frozen=True, slots=True)
class Choosing:
    """Chooses; `extractor` is None where no language model is configured."""

    extractor: Extractor | None = None
    engine: EngineChoice = "rules"
    seconds: float = 6.0
    """Most time for the model."""
    most: int = 20
    """Events it is asked for at most; where more are wanted the rules choose, unless it is insisted on."""
    reach: Reach = field(default_factory=Reach)

    async def choose(self, question: str, found: Sequence[Event], course: Course, max_events: int) -> Choice:
        """The events of a course to tell, and how.

        Args:
            question: what they are chosen for.
            found: all events by rules.
            course: those that may be told.
            max_events: how many are wanted; 0 for what fits.

        Raises:
            FailedPrecondition: `engine` is `llm` and none is configured.
            LlmError: `engine` is `llm` and the model failed.
        """
        wants_more = self.engine == "auto" and max_events > self.most
        if self.engine == "rules" or wants_more or not course.events:
            return Choice(course)
        used: list[Usage] = []
        extractor = replace(self.extractor, model=Tallied(self.extractor.model, used)) if self.extractor else None

        async def by_llm() -> Course:
            assert extractor is not None
            sheet = await asyncio.to_thread(list_candidates, found, course, self.reach)
            most = min(max_events or self.most, self.most)
            return course.only(await extractor.extract(question, sheet, most))

        async def as_it_is() -> Course:
            return course

        asking = by_llm if extractor else None
        chosen = await with_fallback(asking, as_it_is, engine=self.engine, seconds=self.seconds)
        degraded = Degraded(Stage.TIMELINE, chosen.reason, _BY_RULES) if chosen.reason else None
        return Choice(chosen.result, chosen.engine, tuple(used), degraded)
