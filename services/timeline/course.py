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

    def only(self, chosen: Mapping[int, Event]) -> "Course":
        """Return a course of the chosen events as given, plus the events that are in conflict with them.

        A choice must not hide a disagreement between sources.
        """
        kept = dict(chosen)
        for conflict in self.conflicts:
            for one, other in ((conflict.first, conflict.second), (conflict.second, conflict.first)):
                if one in chosen:
                    kept.setdefault(other, replace(self.events[other], score=chosen[one].score))
        places = {position: place for place, position in enumerate(sorted(kept))}
        return Course(
            tuple(kept[position] for position in places),
            tuple(
                Conflict(places[c.first], places[c.second], c.reason)
                for c in self.conflicts
                if c.first in places and c.second in places
            ),
        )
