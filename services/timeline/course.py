"""A course of events: each event once, in order of time, with the conflicts between them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from services.timeline.conflicts import Conflict
from services.timeline.events import Event


@dataclass(frozen=True, slots=True)
class Course:
    """Events without duplicates in order of time; conflicts refer to them by position."""

    events: tuple[Event, ...]
    conflicts: tuple[Conflict, ...] = ()

    def only(self, selection: Mapping[int, Event]) -> "Course":
        """Return a course of the chosen events as given, plus the events that are in conflict with them.

        A choice must not hide a disagreement between sources.
        """
        events = dict(selection)
        for conflict in self.conflicts:
            for position, partner in ((conflict.first, conflict.second), (conflict.second, conflict.first)):
                if position in selection:
                    events.setdefault(partner, replace(self.events[partner], score=selection[position].score))
        new_positions = {position: place for place, position in enumerate(sorted(events))}
        return Course(
            tuple(events[position] for position in new_positions),
            tuple(
                Conflict(new_positions[c.first], new_positions[c.second], c.reason)
                for c in self.conflicts
                if c.first in new_positions and c.second in new_positions
            ),
        )
