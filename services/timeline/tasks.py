"""The tasks of the timeline stage; each does the RPC of its name in `libs.contracts.stages.timeline`.

Raises what `TimelineBuilder.build` raises.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial

from libs.contracts.engines import DateEngine
from libs.contracts.stages.timeline import BuildRequest, BuildStep
from libs.contracts.usage import Stage
from libs.engines.fallback import stream_or
from services.timeline.build import TimelineBuilder


@dataclass(frozen=True, slots=True)
class TimelineTasks:
    """Does the RPC of the timeline stage."""

    builder: TimelineBuilder
    plugin: DateEngine | None = None
    """The engine of another package; None for the built-in ones."""

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """See BUILD."""
        question, evidence = request.question, request.evidence
        built_in = partial(self.builder.build, question, evidence, request.time_range, request.max_events)
        if (plugin := self.plugin) is None:
            return built_in()
        return stream_or(lambda: plugin.build(request), built_in, Stage.TIMELINE, "date")
