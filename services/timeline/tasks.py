"""The tasks of the timeline stage; each does the RPC of its name in `libs.contracts.stages.timeline`.

Raises what `TimelineBuilder.build` raises.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

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
        if (plugin := self.plugin) is None:
            return self._built(request)
        return stream_or(lambda: plugin.build(request), lambda: self._built(request), Stage.TIMELINE, "date")

    def _built(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        return self.builder.build(request.question, request.evidence, request.time_range, request.max_events)
