"""Duplicates: an event described by several sources appears once on the timeline, with all its sources. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from libs.chronology.similarity import EventSignature, alike
from libs.contracts.dates import Precision
from services.timeline.extraction.events import EventCandidate

_FROM_MOST_PRECISE = tuple(Precision)


DUPLICATE: Final = 0.9
"""Minimum cosine of the words of two descriptions of one event, in (0, 1], if one date lies within the other: the bound
of the system that this one follows."""
SAME_DAY: Final = 0.7
"""The same if both have the same day, which few events share; chosen by hand."""
_REWORDED: Final = 0.5
"""The same if another document tells it of the same day, and `_SHARED` of the shorter description's words (taste)."""
_SHARED: Final = 0.6
_FEWEST_SHARED: Final = 3
"""Minimum words that such descriptions share (taste)."""


def merge_duplicates(
    events: Sequence[EventCandidate],
    signatures: Sequence[EventSignature],
    duplicate: float = DUPLICATE,
) -> list[tuple[EventCandidate, EventSignature]]:
    """Return each event once with its signature, in the given order; duplicates become further sources.

    The kept event has the most precise date, then the most documents, then the earliest date. A kept event absorbs all
    events that resemble it, so no two kept ones resemble each other. `duplicate` is the minimum cosine where only the
    dates are compatible.
    """
    similar: dict[int, set[int]] = defaultdict(set)
    for first, second in _similar(events, signatures, duplicate):
        similar[first].add(second)
        similar[second].add(first)
    merged_events: dict[int, EventCandidate] = {}
    remaining = set(range(len(events)))
    for head in sorted(remaining, key=lambda position: (*_rank(events[position], similar[position], events), position)):
        if head in remaining:
            duplicates = similar[head] & remaining
            remaining -= duplicates | {head}
            merged_events[head] = _with_sources(events[head], [events[other] for other in sorted(duplicates)])
    return [(merged_events[head], signatures[head]) for head in sorted(merged_events)]


def _similar(
    events: Sequence[EventCandidate], signatures: Sequence[EventSignature], duplicate: float
) -> Iterator[tuple[int, int]]:
    for first, second, cosine in alike(signatures, min(_REWORDED, duplicate)):
        stems, others = signatures[first].stems, signatures[second].stems
        is_reworded = len(stems & others) >= max(_FEWEST_SHARED, _SHARED * min(len(stems), len(others)))
        if cosine >= _min_cosine(events[first], events[second], duplicate, is_reworded):
            yield first, second


def are_compatible(first: EventCandidate, second: EventCandidate) -> bool:
    """Whether the dates may be the same: one lies within the other."""
    return first.days in second.days or second.days in first.days


def _min_cosine(first: EventCandidate, second: EventCandidate, duplicate: float, is_reworded: bool) -> float:
    """Return the minimum cosine to merge them; above 1 if their dates rule it out."""
    if not are_compatible(first, second):
        return 2.0
    if first.days != second.days or first.precision is not Precision.DAY:
        return duplicate
    return _REWORDED if is_reworded and first.passage.document_id != second.passage.document_id else SAME_DAY


def _rank(event: EventCandidate, similar: set[int], events: Sequence[EventCandidate]) -> tuple[int, int, int, int]:
    documents = {events[other].passage.document_id for other in similar} - {event.passage.document_id}
    return (
        _FROM_MOST_PRECISE.index(event.precision),
        event.days.length,
        -len(documents),
        event.days.first.toordinal(),
    )


def _with_sources(event: EventCandidate, others: Sequence[EventCandidate]) -> EventCandidate:
    sources = {
        (source.passage_id, source.span): source for duplicate in (event, *others) for source in duplicate.sources
    }
    return replace(
        event,
        sources=tuple(sources.values()),
        relevance=max(duplicate.relevance for duplicate in (event, *others)),
        score=max(duplicate.score for duplicate in (event, *others)),
    )
