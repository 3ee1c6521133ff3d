"""Groups, which are labels for related events (by document, name or day), and the unit of a timeline.

The unit, or granularity, is chosen by the timeline's span and the density of its events. Pure. Bounds of days, events,
shares and words are chosen by hand.
"""

from collections import Counter
from collections.abc import Sequence

from libs.contracts.dates import Precision
from libs.contracts.timeline import Granularity
from libs.language.known import ENGLISH
from libs.text.names import find_names
from services.timeline.events import EventCandidate

_SPANS = (
    (Granularity.DAY, 31),
    (Granularity.WEEK, 120),
    (Granularity.MONTH, 3 * 365),
)
"""Maximum days for each unit; longer timelines use years."""
_DENSE = 6
"""Average events per unit above which the next finer unit is used."""
_FINER = {Granularity.YEAR: (Granularity.MONTH, 366), Granularity.MONTH: (Granularity.DAY, 31)}
_FINEST_UNIT = {Precision.DAY: 0, Precision.MONTH: 2, Precision.SEASON: 3}
_UNITS = (Granularity.DAY, Granularity.WEEK, Granularity.MONTH, Granularity.SEASON, Granularity.YEAR)


def choose_granularity(events: Sequence[EventCandidate]) -> Granularity:
    """Return the unit for these events: never finer than most of their dates; seasons if sources give seasons."""
    if not events:
        return Granularity.YEAR
    by_span = _by_span_and_density(events)
    by_precision = _UNITS[_FINEST_UNIT.get(_usual_precision(events), 4)]
    return max(by_span, by_precision, key=_UNITS.index)


def _by_span_and_density(events: Sequence[EventCandidate]) -> Granularity:
    first = min(event.days.first for event in events)
    last = max(event.days.last if event.end is None else event.days.first for event in events)
    span = (last - first).days + 1
    unit = next((candidate for candidate, longest in _SPANS if span <= longest), Granularity.YEAR)
    finer, days = _FINER.get(unit, (unit, 0))
    return finer if days and len(events) / max(1.0, span / days) > _DENSE else unit


def _usual_precision(events: Sequence[EventCandidate]) -> Precision:
    """Return the precision that at least half of the events have or exceed."""
    counts = Counter(event.precision for event in events)
    total = 0
    for precision in Precision:
        total += counts[precision]
        if 2 * total >= len(events):
            return precision
    return Precision.YEAR


_FEWEST = 2
_GREATEST_SHARE = 0.5
"""A label shared by more of the events is the subject of the timeline and does not distinguish them."""
_MAX_NAME = 4
"""Maximum words of a name."""


def group_events(events: Sequence[EventCandidate], question_names: frozenset[str] = frozenset()) -> list[str]:
    """Return a label for each event, empty for an event without a group.

    The label is the document's title, else a name in the text, else the day. It is shared by at least two events but by
    no more than half of them, and is not a name from the question (`question_names`).
    """
    titles = [_label(event.passage.title) for event in events]
    names = [_names_in(event) - question_names for event in events]
    labels = [""] * len(events)
    for labels_offered in (titles, names, [_day(event) for event in events]):
        open_labels = [
            offer if not labels[position] else frozenset[str]() for position, offer in enumerate(labels_offered)
        ]
        for position, label in enumerate(_shared_labels(open_labels, len(events))):
            labels[position] = labels[position] or label
    return labels


def _names_in(event: EventCandidate) -> frozenset[str]:
    names = find_names(event.text, event.passage.language or ENGLISH)
    return frozenset(name.text for name in names if name.is_sure and name.text.count(" ") < _MAX_NAME)


def _label(title: str) -> frozenset[str]:
    return frozenset({title} if title else ())


def _day(event: EventCandidate) -> frozenset[str]:
    return frozenset({str(event.start)} if event.start.day else ())


def _shared_labels(labels_by_event: Sequence[frozenset[str]], total: int) -> list[str]:
    counts = Counter(label for labels in labels_by_event for label in labels)
    most = max(_FEWEST, int(_GREATEST_SHARE * total))
    usable = {label: count for label, count in counts.items() if _FEWEST <= count <= most}
    return [
        max(labels & usable.keys(), key=lambda label: (usable[label], len(label), label), default="")
        for labels in labels_by_event
    ]
