"""Progress of a turn: emits the begin and end of each activity, with milliseconds to the microsecond."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gateway.events.events import Emit, State
from libs.contracts.usage import Stage

ACTIVITIES: Final[Mapping[str, str]] = {
    "condense": "condensing the question",
    "understand": "understanding the question",
    "probe": "looking for what the question may mean",
    "decompose": "planning the search",
    "retrieve": "searching",
    "recommend": "looking for follow-up questions",
    "build": "drawing the timeline",
}
"""The display name of each task; other tasks are too short to report."""
WRITING: Final = "writing"
CHECKING: Final = "checking the answer"


def reading(passages: int) -> str:
    """Return the activity of a writer that has not written yet."""
    return f"reading {passages} passage{'' if passages == 1 else 's'}"


@dataclass(slots=True)
class Activities:
    """Emits the activities of one turn.

    Args:
        emit: receives the events; None if progress is not requested.
    """

    emit: Emit | None = None
    _start_times: dict[tuple[Stage, str], float] = field(default_factory=dict)
    """Start times of the running activities, in time.perf_counter's seconds."""

    def begin(self, stage: Stage, activity: str | None) -> None:
        """Emit the begin of an activity, unless it is already running; None is none."""
        if self.emit is None or activity is None or (stage, activity) in self._start_times:
            return
        self._start_times[stage, activity] = time.perf_counter()
        self.emit(State(stage, activity))

    def end(self, stage: Stage, activity: str | None) -> None:
        """Emit the end of an activity, if it has begun."""
        start = self._start_times.pop((stage, activity), None) if activity is not None else None
        if self.emit is not None and activity is not None and start is not None:
            milliseconds = round(1000 * (time.perf_counter() - start), 3)
            self.emit(State(stage, activity, done=True, milliseconds=milliseconds))
