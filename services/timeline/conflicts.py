"""The assembly of a timeline: each event once, in order of time, with the conflicts between events.

Sources that give different dates for one event conflict. Both stay on the timeline, marked as a conflict. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.chronology.days import are_disjoint
from libs.chronology.similarity import EventSignature, alike
from libs.language.topics.grammar import EventVerbs
from services.timeline.extraction.events import EventCandidate

MIN_LIKENESS: Final = 0.8
"""Cosine similarity of stems from which two dated sentences describe the same event (taste)."""


@dataclass(frozen=True, slots=True)
class CandidateConflict:
    """The positions of two events that are the same event with different dates."""

    first: int
    second: int
    reason: str


def find_conflicts(
    events: Sequence[EventCandidate], signatures: Sequence[EventSignature], least: float = MIN_LIKENESS
) -> list[CandidateConflict]:
    """Return pairs of events that different documents describe in nearly the same words with incompatible dates.

    An event that one document gives on several dates, or calls recurring, happened several times and is no conflict.
    Planned events are never in conflict.
    """
    pairs = [
        (first, second) for first, second, _ in alike(signatures, least) if _may_conflict(events[first], events[second])
    ]
    recurring = {pair[0] for pair in pairs if _same_document(events, pair)} | {
        pair[1] for pair in pairs if _same_document(events, pair)
    }
    return [
        CandidateConflict(first, second, _reason(events[first], events[second]))
        for first, second in pairs
        if first not in recurring and second not in recurring
    ]


def _may_conflict(first: EventCandidate, second: EventCandidate) -> bool:
    both_happened = first.happened and second.happened
    return (
        are_disjoint(first.days, second.days)
        and both_happened
        and not any(recurs(event.text, event.dated_sentence.language) for event in (first, second))
    )


def recurs(text: str, language: str) -> bool:
    """Whether a sentence says that its event happens more than once."""
    return bool(EventVerbs.of(language).recurring.search(text))


def _same_document(events: Sequence[EventCandidate], pair: tuple[int, int]) -> bool:
    first, second = ({source.document_id for source in events[position].sources} for position in pair)
    return bool(first & second)


def _reason(first: EventCandidate, second: EventCandidate) -> str:
    descriptions = [
        f"{event.date_text!r} ({event.passage.title or event.passage.document_id})" for event in (first, second)
    ]
    return f"Sources differ on the date: {descriptions[0]}, {descriptions[1]}."


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
