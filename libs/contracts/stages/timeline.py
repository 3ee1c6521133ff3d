"""The timeline stage: extracts, dates and orders events. Values of its RPC, and its descriptor."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence
from libs.contracts.methods import StreamMethod
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

BUILD: Final[StreamMethod[BuildRequest, BuildStep]] = StreamMethod(
    "parley.timeline.v1.TimelineService/Build",
    BuildRequest,
    {Progress: "state", Degraded: "degraded", Built: "result"},
)
"""Builds a timeline; the last step is `Built`."""
METHODS: Final = (BUILD,)
