"""The unit of a timeline, or granularity, by its span and the density of its events. Pure. Bounds are by hand."""

from collections import Counter
from collections.abc import Sequence

from libs.contracts.dates import Precision
from libs.contracts.timeline import Granularity
from services.timeline.extraction.events import EventCandidate

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
