"""Layout of a timeline's picture: a vertical time axis, with cards beside it in order of time.

Cards are as high as their text and are stacked, so they never overlap, whatever the dates. A line connects each card to
its place on the axis; both are in the same order, so lines don't cross. Events with a duration are bars in lanes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from libs.chronology.days import Days, days_of
from libs.chronology.export.ticks import Tick, ticks_of
from libs.contracts.spans import Span
from libs.contracts.timeline import Timeline, TimelineEvent

LINE_HEIGHT = 19
CARD_GAP = 16
BOTTOM = 28
LANE_WIDTH = 9
TEXT_EM = 14
"""Font size of the text, in pixels."""
BOLD = 1.14
"""How much wider bold letters are (DejaVu Sans: 1.13 on average)."""
_TICK_HEIGHT = 34
_MOST_LINES = 4
_WIDTHS = (("iljtfr.,;:'|!()[]’ ", 0.38), ("mwMW@%…—", 1.0), ("ABCDEFGHIJKLNOPQRSTUVXYZ&", 0.76))


@dataclass(frozen=True, slots=True)
class Card:
    """The layout of an event: its text lines as [start, end) offsets, its top and height, its place on the axis."""

    event: TimelineEvent
    lines: tuple[tuple[int, int], ...]
    cut: bool
    """Whether the text was truncated."""
    top: float
    height: float
    axis_first: float
    axis_last: float
    """Greater than `axis_first` for an event with a duration."""
    lane: int
    """0 is nearest to the axis; -1 for an event with a single date."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the whole picture, in pixels from the top."""

    cards: tuple[Card, ...]
    ticks: tuple[tuple[float, Tick], ...]
    height: float
    axis_top: float
    axis_bottom: float
    lanes: int


@dataclass(frozen=True, slots=True)
class _Axis:
    days: Days
    top: float
    bottom: float

    def at(self, day: date) -> float:
        share = (day - self.days.first).days / max(1, (self.days.last - self.days.first).days)
        return self.top + share * (self.bottom - self.top)


def lay_out(timeline: Timeline, text_width: float, top: float) -> Layout:
    """Place the events of a timeline; a card's text is `text_width` pixels wide, the first begins at `top`."""
    texts = [wrap(event.text, text_width, event.highlights) for event in timeline.events]
    heights = [LINE_HEIGHT * (1 + min(len(lines), _MOST_LINES)) for lines in texts]
    tops = [top + sum(heights[:number]) + CARD_GAP * number for number in range(len(heights))]
    bottom = (tops[-1] + heights[-1]) if tops else top
    stretches = [days_of(event.start, event.end) for event in timeline.events]
    axis = _Axis(_span(stretches), top + 10, max(top + 40, bottom - 10))
    lanes = assign_lanes([days if event.end else None for event, days in zip(timeline.events, stretches, strict=True)])
    cards = tuple(
        Card(
            event,
            tuple(lines[:_MOST_LINES]),
            len(lines) > _MOST_LINES,
            place,
            height,
            axis.at(days.first),
            axis.at(days.last) if lane >= 0 else axis.at(days.first),
            lane,
        )
        for event, lines, place, height, days, lane in zip(
            timeline.events, texts, tops, heights, stretches, lanes, strict=True
        )
    )
    ticks = ticks_of(axis.days, timeline.granularity, int((axis.bottom - axis.top) / _TICK_HEIGHT))
    return Layout(
        cards,
        tuple((axis.at(tick.day), tick) for tick in ticks),
        bottom + BOTTOM,
        axis.top,
        axis.bottom,
        max(lanes, default=-1) + 1,
    )


def _span(stretches: Sequence[Days]) -> Days:
    if not stretches:
        return Days(date(2000, 1, 1), date(2000, 12, 31))
    return Days(min(days.first for days in stretches), max(days.last for days in stretches))


def assign_lanes(stretches: Sequence[Days | None]) -> list[int]:
    """Assign a lane to each period so that none overlap within a lane; -1 for None.

    Greedy by start, which gives the minimum number of lanes: the most periods at any one time.
    """
    lanes = [-1] * len(stretches)
    ends: list[date] = []
    lasting = [(days.first, position, days.last) for position, days in enumerate(stretches) if days]
    for first, position, last in sorted(lasting):
        free = next((lane for lane, end in enumerate(ends) if end < first), len(ends))
        ends[free : free + 1] = [last]
        lanes[position] = free
    return lanes


def wrap(text: str, width: float, bold: Sequence[Span] = ()) -> list[tuple[int, int]]:
    """Lines of at most `width` pixels as [start, end) offsets, broken at spaces, or within words that are too long."""
    widths = widths_of(text, bold)
    lines: list[tuple[int, int]] = []
    start, line_width = 0, 0.0
    for position, character_width in enumerate(widths):
        line_width += character_width
        if line_width > width and position > start:
            space = text.rfind(" ", start, position)
            lines.append((start, space if space > start else position))
            start = space + 1 if space > start else position
            line_width = sum(widths[start : position + 1])
    if start < len(text):
        lines.append((start, len(text)))
    return lines


def widths_of(text: str, bold: Sequence[Span] = ()) -> list[float]:
    """Approximate width of each character in pixels; those in `bold` are wider."""
    widths = [width_of(character) for character in text]
    for span in bold:
        widths[span.start : span.end] = (BOLD * width for width in widths[span.start : span.end])
    return widths


def width_of(character: str) -> float:
    """Approximate width of a character in pixels, for a wide sans-serif font (DejaVu Sans)."""
    share = next((width for characters, width in _WIDTHS if character in characters), 0.64)
    return TEXT_EM * (share if character < "\u2e80" else 1.05)
