"""The assembly of a timeline: each event once, in order of time, with the conflicts between events."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from services.timeline.conflicts import CandidateConflict
from services.timeline.events import EventCandidate


@dataclass(frozen=True, slots=True)
class TimelineAssembly:
    """Events without duplicates in order of time; conflicts refer to them by position."""

    events: tuple[EventCandidate, ...]
    conflicts: tuple[CandidateConflict, ...] = ()

    def only(self, selection: Mapping[int, EventCandidate]) -> "TimelineAssembly":
        """Return an assembly of the chosen events as given, plus the events that are in conflict with them.

        A choice must not hide a disagreement between sources.
        """
        events = dict(selection)
        for conflict in self.conflicts:
            for position, partner in ((conflict.first, conflict.second), (conflict.second, conflict.first)):
                if position in selection:
                    events.setdefault(partner, replace(self.events[partner], score=selection[position].score))
        new_positions = {position: place for place, position in enumerate(sorted(events))}
        return TimelineAssembly(
            tuple(events[position] for position in new_positions),
            tuple(
                CandidateConflict(new_positions[c.first], new_positions[c.second], c.reason)
                for c in self.conflicts
                if c.first in new_positions and c.second in new_positions
            ),
        )
