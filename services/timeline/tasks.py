"""The tasks of the timeline stage."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from libs.contracts.stages.timeline import BuildRequest, BuildStep
from services.timeline.build import TimelineBuilder


@dataclass(frozen=True, slots=True)
class TimelineTasks:
    """Implements `TimelineStage`."""

    builder: TimelineBuilder

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """See `TimelineStage`."""
        return self.builder.build(request.question, request.evidence, request.time_range, request.max_events)
