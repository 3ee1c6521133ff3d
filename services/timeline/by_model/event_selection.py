"""Chooses the events of a timeline: by the language model, awaited, if one is configured; by rules if it fails."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from libs.contracts.usage import Degraded, Stage, Usage
from libs.llm.fallback import EngineChoice, known, with_fallback
from libs.llm.tally import Tallied
from libs.runtime.threads import in_thread
from services.timeline.by_model.candidate_list import Reach, list_candidates
from services.timeline.by_model.extract_llm import Extractor
from services.timeline.conflicts import TimelineAssembly
from services.timeline.extraction.events import EventCandidate

_BY_RULES: Final = "The events of the timeline were chosen by rules instead of the language model."


@dataclass(frozen=True, slots=True)
class EventSelection:
    """The chosen events, the engine that chose them, and its usage."""

    assembly: TimelineAssembly
    engine: str = "rules"
    usage: tuple[Usage, ...] = ()
    degraded: Degraded | None = None


@dataclass(frozen=True, slots=True)
class EventSelector:
    """Chooses events; `extractor` is None if no language model is configured."""

    extractor: Extractor | None = None
    engine: EngineChoice = "rules"
    seconds: float = 6.0
    """Timeout of the model (taste)."""
    most: int = 20
    """Maximum events to request from the model, about 50 tokens each; for more the rules choose, unless `engine` is
    `llm` (taste)."""
    reach: Reach = field(default_factory=Reach)

    async def choose(
        self, question: str, all_events: Sequence[EventCandidate], assembly: TimelineAssembly, max_events: int
    ) -> EventSelection:
        """Choose the events of an assembly to include.

        Args:
            question: the question to choose for.
            all_events: all events by rules.
            assembly: the events that may be included.
            max_events: the number of events wanted; 0 for those that fit.

        Raises:
            FailedPrecondition: `engine` is `llm` and none is configured.
            LlmError: `engine` is `llm` and the model failed.
        """
        wants_more = self.engine == "auto" and max_events > self.most
        if self.engine == "rules" or wants_more or not assembly.events:
            return EventSelection(assembly)
        usage: list[Usage] = []
        extractor = replace(self.extractor, model=Tallied(self.extractor.model, usage)) if self.extractor else None

        async def by_llm() -> TimelineAssembly:
            assert extractor is not None
            sheet = await in_thread(list_candidates, all_events, assembly, self.reach)
            most = min(max_events or self.most, self.most)
            return assembly.only(await extractor.extract(question, sheet, most))

        ask_model = by_llm if extractor else None
        outcome = await with_fallback(ask_model, lambda: known(assembly), engine=self.engine, seconds=self.seconds)
        degraded = Degraded(Stage.TIMELINE, outcome.reason, _BY_RULES) if outcome.reason else None
        return EventSelection(outcome.result, outcome.engine, tuple(usage), degraded)
