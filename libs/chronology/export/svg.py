"""Exports a timeline as an SVG picture that is readable in light and dark mode, and without colour vision.

Colours are Okabe and Ito's (2008), which are distinguishable with the common types of colour blindness. In addition,
groups are named, events that the question is about have a diamond and bold words, and conflicts are stated in words.
Markers are next to their texts, because on the axis those of the same day would hide each other.
"""

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from libs.chronology.export.layout import LANE_WIDTH, LINE_HEIGHT, TEXT_EM, Card, Layout, lay_out, wrap
from libs.chronology.export.words import date_in_words
from libs.contracts.spans import Span
from libs.contracts.timeline import Timeline

WIDTH = 900
_AXIS = 128
_TEXT_MARGIN = 24
_LEADER = 72
_LONGEST_LABEL = 320
_TITLE_EM = 20
_TITLE_HEIGHT = 26
_MOST_TITLE_LINES = 3
_GROUPS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_OTHER = "#777777"
_NO_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STYLE = f"""
svg {{ font: {TEXT_EM}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }}
.paper {{ fill: #ffffff; }} text {{ fill: #1a1a1a; }} .muted {{ fill: #595959; }} .date, .bold {{ font-weight: 700; }}
.title {{ font-size: {_TITLE_EM}px; font-weight: 700; }} .tick {{ font-size: 12px; }}
.axis {{ stroke: #595959; stroke-width: 2; }}
.point {{ fill: #595959; }} .mark {{ stroke: #595959; }}
.leader {{ stroke: #b0b0b0; fill: none; }} .tickmark {{ stroke: #595959; }}
@media (prefers-color-scheme: dark) {{
.paper {{ fill: #16181c; }} text {{ fill: #ececec; }} .muted {{ fill: #b4b4b4; }}
.axis, .tickmark, .mark {{ stroke: #b4b4b4; }} .point {{ fill: #b4b4b4; }}
.leader {{ stroke: #5a5f68; }} }}
"""


def to_svg(timeline: Timeline, title: str = "Timeline") -> str:
    """Return the picture, 900 pixels wide and as high as its events need."""
    heading = list(_heading(_plain(title)))
    layout = lay_out(timeline, WIDTH - _text_left(timeline) - _TEXT_MARGIN, 38 + _TITLE_HEIGHT * len(heading))
    drawing = _Drawing(timeline, layout)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{layout.height:.0f}" '
            f'viewBox="0 0 {WIDTH} {layout.height:.0f}" role="img" aria-label={quoteattr(_plain(title))}>',
            f"<title>{_escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect class="paper" width="{WIDTH}" height="{layout.height:.0f}"/>',
            *heading,
            *drawing.axis(),
            *(drawing.leader(card) for card in layout.cards),
            *(line for card in layout.cards for line in drawing.card(card)),
            "</svg>\n",
        ]
    )


def _heading(title: str) -> Iterator[str]:
    lines = wrap(title, (WIDTH - 2 * _TEXT_MARGIN) * TEXT_EM / _TITLE_EM, (Span(0, len(title)),))
    for number, (start, end) in enumerate(lines[:_MOST_TITLE_LINES]):
        tail = "…" if number == _MOST_TITLE_LINES - 1 < len(lines) - 1 else ""
        y = 36 + _TITLE_HEIGHT * number
        yield f'<text class="title" x="{_TEXT_MARGIN}" y="{y}">{_escape(title[start:end])}{tail}</text>'


def _text_left(timeline: Timeline) -> float:
    """The left edge of texts: right of the lanes, whose number does not depend on the text width."""
    return _AXIS + _LEADER + LANE_WIDTH * lay_out(timeline, WIDTH, 0).lanes


def _fit(text: str, width: float) -> str:
    """The text cut to one line of `width` pixels at the normal font size."""
    lines = wrap(text, width)
    return text if len(lines) < 2 else text[: lines[0][1] - 1].rstrip() + "…"


class _Drawing:
    """Draws the layout as SVG elements."""

    def __init__(self, timeline: Timeline, layout: Layout) -> None:
        self._layout = layout
        self._colours = _colours([event.group for event in timeline.events])
        self._conflicts = timeline.conflicts
        self._left = _AXIS + _LEADER + LANE_WIDTH * layout.lanes

    def axis(self) -> Iterator[str]:
        """Draw the time axis with its ticks."""
        top, bottom = self._layout.axis_top, self._layout.axis_bottom
        yield f'<line class="axis" x1="{_AXIS}" x2="{_AXIS}" y1="{top:.1f}" y2="{bottom:.1f}"/>'
        for y, tick in self._layout.ticks:
            yield f'<line class="tickmark" x1="{_AXIS - 6}" x2="{_AXIS}" y1="{y:.1f}" y2="{y:.1f}"/>'
            yield f'<text class="tick muted" x="{_AXIS - 12}" y="{y + 4:.1f}" text-anchor="end">{tick.label}</text>'

    def leader(self, card: Card) -> str:
        """Draw the line from an event's place on the axis to its text."""
        middle = card.top + LINE_HEIGHT / 2
        return (
            f'<path class="leader" d="M{_AXIS} {card.axis_first:.1f} L{self._left - 44} {middle:.1f} '
            f'H{self._left - 24}"/><circle class="point" cx="{_AXIS}" cy="{card.axis_first:.1f}" r="2.5"/>'
        )

    def card(self, card: Card) -> Iterator[str]:
        """Draw an event: its bar, marker, date and text."""
        colour = self._colours.get(card.event.group, _OTHER)
        if card.lane >= 0:
            yield _bar(card, colour)
        yield self._mark(card, colour)
        yield self._head(card)
        for number, (start, end) in enumerate(card.lines, start=1):
            y = card.top + LINE_HEIGHT * number + TEXT_EM
            tail = "…" if card.cut and number == len(card.lines) else ""
            yield f'<text x="{self._left}" y="{y:.1f}">{_with_bold(card, start, end)}{tail}</text>'

    def _mark(self, card: Card, colour: str) -> str:
        x, y = self._left - 14, card.top + LINE_HEIGHT / 2
        if card.event.highlights:
            diamond = f"M{x - 7} {y:.1f} L{x} {y - 7:.1f} L{x + 7} {y:.1f} L{x} {y + 7:.1f} Z"
            return f'<path class="mark" d="{diamond}" fill="{colour}"/>'
        return f'<circle class="mark" cx="{x}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'

    def _head(self, card: Card) -> str:
        """The date, the group unless it repeats the date, and whether sources or the answer differ."""
        is_date = card.event.group == str(card.event.start)
        label = "" if is_date else _escape(_fit(card.event.group, _LONGEST_LABEL))
        spans = [
            f'<tspan class="date">{date_in_words(card.event)}</tspan>',
            f'<tspan class="muted" dx="10">{label}</tspan>' if label else "",
            *(f'<tspan class="muted" dx="10">≠ {note}</tspan>' for note in self._differing(card.event.event_id)),
        ]
        return f'<text x="{self._left}" y="{card.top + TEXT_EM:.1f}">{"".join(spans)}</text>'

    def _differing(self, event_id: str) -> list[str]:
        """Notes on who dates the event differently: sources, the answer."""
        conflicts = [conflict for conflict in self._conflicts if event_id in conflict.event_ids]
        notes = {
            "sources differ": any(not difference.sentence for difference in conflicts),
            "the answer differs": any(difference.sentence for difference in conflicts),
        }
        return [note for note, holds in notes.items() if holds]


def _bar(card: Card, colour: str) -> str:
    """The bar of an event with a duration, beside the axis."""
    x, height = _AXIS + 8 + LANE_WIDTH * card.lane, max(3.0, card.axis_last - card.axis_first)
    return (
        f'<rect class="mark" x="{x}" y="{card.axis_first:.1f}" width="{LANE_WIDTH - 4}" height="{height:.1f}" rx="2" '
        f'fill="{colour}"/>'
    )


def _colours(groups: Sequence[str]) -> dict[str, str]:
    """Colours of the most frequent groups; the other groups share grey."""
    names = sorted({group for group in groups if group}, key=lambda group: (-groups.count(group), group))
    return dict(zip(names, _GROUPS, strict=False))


def _with_bold(card: Card, start: int, end: int) -> str:
    text, position, pieces = card.event.text, start, []
    for span in card.event.highlights:
        first, last = max(span.start, start), min(span.end, end)
        if first < last:
            bold = f'<tspan class="bold">{_escape(text[first:last])}</tspan>'
            pieces += [_escape(text[position:first]), bold]
            position = last
    return "".join([*pieces, _escape(text[position:end])])


def _plain(text: str) -> str:
    """The text with characters that XML 1.0 does not allow replaced by spaces."""
    return _NO_XML.sub(" ", text)


def _escape(text: str) -> str:
    return escape(_plain(text))
