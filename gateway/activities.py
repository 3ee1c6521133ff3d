"""Where a turn is, for whoever watches it: each activity as it begins and as it ends."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from gateway.event_stream import Emit
from gateway.events import State
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
"""What each task is called, in words for people; others are too short to be told."""
WRITING: Final = "writing"
CHECKING: Final = "checking the answer"


def reading(passages: int) -> str:
    """The activity of a writer that has not written yet."""
    return f"reading {passages} passage{'' if passages == 1 else 's'}"


@dataclass(slots=True)
class Activities:
    """Tells the activities of one turn; nothing where nobody watches.

    Args:
        emit: takes the events; None where nobody watches.
    """

    emit: Emit | None = None
    _began: dict[tuple[Stage, str], float] = field(default_factory=dict)
    """Of those that have not ended, in time.perf_counter's seconds."""

    def begin(self, stage: Stage, activity: str) -> None:
        """It begins; one that goes on already is not told again."""
        if self.emit is None or (stage, activity) in self._began:
            return
        self._began[stage, activity] = time.perf_counter()
        self.emit(State(stage, activity))

    def end(self, stage: Stage, activity: str) -> None:
        """It ends; nothing is told of one that has not begun."""
        began = self._began.pop((stage, activity), None)
        if self.emit is not None and began is not None:
            milliseconds = round(1000 * (time.perf_counter() - began), 3)
            self.emit(State(stage, activity, done=True, milliseconds=milliseconds))

    @contextmanager
    def during(self, stage: Stage, task: str) -> Iterator[None]:
        """Tell a task's beginning and its end, however it ends."""
        activity = ACTIVITIES.get(task)
        if activity is None:
            yield
            return
        self.begin(stage, activity)
        try:
            yield
        finally:
            self.end(stage, activity)
