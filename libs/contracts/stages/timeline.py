"""The timeline stage: extracts, dates and orders events."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence
from libs.contracts.timeline import Timeline
from libs.contracts.usage import Degraded, Progress, Usage


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """The evidence that a timeline is built from."""

    question: str
    """The standalone question, by which events are ranked."""
    evidence: tuple[Evidence, ...] = ()
    """Passages with their near duplicates."""
    time_range: TimeRange | None = None
    """Only events that certainly begin in it are included; None for all events."""
    max_events: int = 0
    """The maximum number of events; 0 for those that fit the question well, within the stage's settings."""


@dataclass(frozen=True, slots=True)
class Built:
    """The timeline; the last step."""

    timeline: Timeline
    usage: tuple[Usage, ...] = ()


BuildStep: TypeAlias = Progress | Degraded | Built
BUILD_FIELDS: Final[Mapping[type, str]] = {Progress: "state", Degraded: "degraded", Built: "result"}


class TimelineStage(Protocol):
    """Builds timelines."""

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildStep, None]:
        """Yield the steps of building a timeline; the last one is `Built`."""
        ...
