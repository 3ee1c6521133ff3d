"""A timeline as people take it along."""

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from libs.chronology.days import Days
from libs.chronology.export.icalendar import to_icalendar
from libs.chronology.export.json import to_json
from libs.chronology.export.layout import assign_lanes, lay_out, widths_of, wrap
from libs.chronology.export.markdown import to_markdown
from libs.chronology.export.svg import WIDTH, to_svg
from libs.chronology.export.ticks import ticks_of
from libs.chronology.export.words import date_in_words
from libs.contracts.dates import Precision
from libs.contracts.spans import Span
from libs.contracts.timeline import DateConflict, EventSource, Granularity, Timeline, TimelineEvent
from tests.unit.timeline.evidence_making import day

STAMP = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
HOSTILE = 'Mars <script>alert("1")</script> & [a](b), *c*; \\ \x00 \ud800?'.encode("utf-8", "replace").decode()


def event(text: str, start: str, end: str = "", precision: Precision = Precision.DAY, number: int = 1) -> TimelineEvent:
    source = EventSource(f"d{number}:0", f"d{number}", Span(0, len(text)), text)
    return TimelineEvent(
        f"e{number}", text, day(start), precision, day(end) if end else None, start, (source,), "Viking", (Span(0, 4),)
    )


TOLD = Timeline(
    (
        event("Mars was reached.", "1965-07-15"),
        event("Mars was landed on.", "1976", precision=Precision.YEAR, number=2),
        event("Mars was driven on.", "2004-01-04", "2010-03-22", number=3),
    ),
    Granularity.YEAR,
    (DateConflict(("e1", "e2"), "Sources differ on the date."),),
)
TIMELINES = st.lists(
    st.tuples(st.text(max_size=300), st.dates(date(1700, 1, 1), date(2100, 1, 1)), st.integers(0, 4000)), max_size=40
).map(
    lambda rows: Timeline(
        tuple(
            event(text, str(first), str(first + timedelta(days=days)) if days else "", number=number)
            for number, (text, first, days) in enumerate(sorted(rows, key=lambda row: row[1]), start=1)
        )
    )
)


@pytest.mark.parametrize(
    ("start", "end", "precision", "words"),
    [
        ("1969-07-20", "", Precision.DAY, "20 July 1969"),
        ("1969-07", "", Precision.MONTH, "July 1969"),
        ("1969", "", Precision.YEAR, "1969"),
        ("1962-06", "1962-08", Precision.SEASON, "summer 1962"),
        ("1969-12", "1970-02", Precision.SEASON, "winter 1969"),
        ("1970", "1979", Precision.DECADE, "1970s"),
        ("1801", "1900", Precision.CENTURY, "19th century"),
        ("1900", "1999", Precision.CENTURY, "1900s"),
        ("2009-04", "2009-05", Precision.MONTH, "April 2009 – May 2009"),
    ],
)
def test_dates_are_said_as_exactly_as_they_are_known(start: str, end: str, precision: Precision, words: str) -> None:
    assert date_in_words(event("Mars", start, end, precision)) == words


def test_json_says_all_there_is() -> None:
    content = json.loads(to_json(TOLD, "Mars"))
    assert (content["title"], content["granularity"], content["engine"]) == ("Mars", "YEAR", "rules")
    assert content["events"][2] == {
        "event_id": "e3",
        "text": "Mars was driven on.",
        "start": "2004-01-04",
        "end": "2010-03-22",
        "precision": "DAY",
        "date_text": "2004-01-04",
        "group": "Viking",
        "highlights": [[0, 4]],
        "sources": [{"passage_id": "d3:0", "document_id": "d3", "span": [0, 19], "quote": "Mars was driven on."}],
    }
    assert content["conflicts"] == [{"event_ids": ["e1", "e2"], "reason": "Sources differ on the date."}]


def test_markdown_has_an_item_an_event_its_words_in_bold_and_a_footnote_a_source() -> None:
    assert to_markdown(TOLD, "Mars").splitlines() == [
        "# Mars",
        "",
        "- **15 July 1965**: **Mars** was reached.[^1]",
        "- **1976**: **Mars** was landed on.[^2]",
        "- **4 January 2004 – 22 March 2010**: **Mars** was driven on.[^3]",
        "",
        "## Where sources disagree",
        "",
        "- Sources differ on the date.",
        "",
        "[^1]: d1: “Mars was reached.”",
        "[^2]: d2: “Mars was landed on.”",
        "[^3]: d3: “Mars was driven on.”",
    ]


def test_text_of_sources_cannot_become_marks_or_html() -> None:
    item = to_markdown(Timeline((event(HOSTILE, "1976"),))).splitlines()[2]
    plain_item = re.sub(r"\\.", "", item.removeprefix("- **1976**: **Mars**").removesuffix("[^1]"))
    assert not set(plain_item) & set("<>[]*`_#|")


def test_a_calendar_entry_covers_what_the_date_tells_and_no_more() -> None:
    lines = to_icalendar(TOLD, STAMP).split("\r\n")
    days = [line.rpartition(":")[2] for line in lines if line.startswith(("DTSTART", "DTEND"))]
    assert days == ["19650715", "19650716", "19760101", "19770101", "20040104", "20100323"]
    assert lines.count("DTSTAMP:20250102T030405Z") == 3


def test_the_same_event_has_the_same_id_in_every_calendar() -> None:
    ids = [re.findall(r"UID:(\w+)", to_icalendar(TOLD, stamp)) for stamp in (STAMP, STAMP + timedelta(days=1))]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 3


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=400))
def test_calendar_lines_are_short_and_give_the_text_back(text: str) -> None:
    calendar = to_icalendar(Timeline((event(text, "1976"),)), STAMP)
    assert all(len(line.encode("utf-8", "surrogatepass")) <= 75 for line in calendar.split("\r\n"))
    description = re.search(r"^DESCRIPTION:(.*)$", calendar.replace("\r\n ", "").replace("\r\n", "\n"), re.MULTILINE)
    assert description is not None
    unfolded = re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], description[1])
    assert unfolded.startswith(f"1976: {plain(text)}")


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=100), st.text('ab,;:\\\n\r\t\x00"é😀', min_size=1, max_size=60))
def test_a_calendar_gives_back_what_was_written(text: str, group: str) -> None:
    dated_event = replace(event(text, "0976-03-01"), group=group)
    (entry,) = Calendar.from_ical(to_icalendar(Timeline((dated_event,)), STAMP)).events
    assert (entry.start, entry.end) == (date(976, 3, 1), date(976, 3, 2))
    assert [entry["summary"], *entry.categories] == [plain(text), *([plain(group)] if plain(group) else [])]


def plain(text: str) -> str:
    """The text as RFC 5545 can hold it."""
    return "".join(c for c in re.sub(r"\r\n|\r", "\n", text) if c in "\t\n" or c >= " ")


def test_the_name_of_a_calendar_is_escaped() -> None:
    assert "\r\nX-WR-CALNAME:Mars\\; a\\, b\\n\\\\c\r\n" in to_icalendar(TOLD, STAMP, "Mars; a, b\n\\c")


@settings(deadline=None, max_examples=50)
@given(TIMELINES)
def test_nothing_in_the_picture_overlaps(timeline: Timeline) -> None:
    layout = lay_out(timeline, 600, 64)
    assert all(above.top + above.height < below.top for above, below in pairwise(layout.cards))
    assert all(above.axis_first <= below.axis_first for above, below in pairwise(layout.cards))
    assert all(layout.axis_top <= y <= layout.axis_bottom for y, _ in layout.ticks)
    assert all(second[0] - first[0] >= 20 for first, second in pairwise(layout.ticks))
    for lane in range(layout.lanes):
        bars = [(card.axis_first, card.axis_last) for card in layout.cards if card.lane == lane]
        assert all(first[1] <= second[0] for first, second in pairwise(sorted(bars)))


@given(st.text(max_size=200), st.integers(40, 400), st.integers(0, 100), st.integers(0, 100))
def test_lines_of_text_fit_and_leave_nothing_out(text: str, width: int, start: int, length: int) -> None:
    bold = (Span(min(start, len(text)), min(start + length, len(text))),)
    widths = widths_of(text, bold)
    lines = wrap(text, width, bold)
    assert all(sum(widths[start:end]) <= width for start, end in lines)
    assert "".join(text[start:end] for start, end in lines).replace(" ", "") == text.replace(" ", "")


def test_as_few_lanes_as_there_are_stretches_at_once() -> None:
    at = [Days(date(2000, 1, first), date(2000, 1, last)) for first, last in ((1, 10), (5, 6), (7, 12), (11, 20))]
    assert assign_lanes([*at, None]) == [0, 1, 1, 0, -1]


@pytest.mark.parametrize(
    ("first", "last", "unit", "labels"),
    [
        (date(1969, 7, 1), date(1972, 2, 1), Granularity.YEAR, ["1970", "1971", "1972"]),
        (date(1961, 1, 1), date(2021, 1, 1), Granularity.YEAR, ["1970", "1980", "1990", "2000", "2010", "2020"]),
        (date(1969, 7, 2), date(1969, 9, 2), Granularity.MONTH, ["Aug 1969", "Sep 1969"]),
        (date(1969, 7, 20), date(1969, 7, 21), Granularity.DAY, ["20 Jul 1969", "21 Jul 1969"]),
        (date(1969, 7, 1), date(1969, 7, 16), Granularity.WEEK, ["7 Jul 1969", "14 Jul 1969"]),
    ],
)
def test_ticks_are_round_dates_of_the_unit(first: date, last: date, unit: Granularity, labels: list[str]) -> None:
    assert [tick.label for tick in ticks_of(Days(first, last), unit, 6)] == labels


@pytest.mark.parametrize("unit", list(Granularity))
def test_never_more_ticks_than_fit(unit: Granularity) -> None:
    assert len(ticks_of(Days(date(1000, 1, 1), date(2200, 1, 1)), unit, 3)) <= 3


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(svg).findall(f".//{{http://www.w3.org/2000/svg}}{tag}")


def test_the_picture_tells_every_event_in_text_and_marks_the_ones_asked_about_by_shape() -> None:
    svg = to_svg(TOLD, "Mars")
    texts = ["".join(element.itertext()) for element in elements(svg, "text")]
    assert [text for text in texts if text.startswith("Mars was")] == [events.text for events in TOLD.events]
    assert sum("≠ sources differ" in text for text in texts) == 2
    assert sum(element.get("d", "").endswith("Z") for element in elements(svg, "path")) == 3
    assert "prefers-color-scheme: dark" in svg


@pytest.mark.parametrize("text", [HOSTILE, "", "word " * 400, "x" * 2048])
def test_any_text_gives_a_picture_that_can_be_read(text: str) -> None:
    assert elements(to_svg(Timeline((event(text, "1976"),)), text), "text")


def test_an_empty_timeline_is_a_picture_too() -> None:
    assert elements(to_svg(Timeline()), "line")


@dataclass(frozen=True)
class Box:
    """Where something is drawn, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


SIZES = {"title": 20, "tick muted": 12}


def box_of(text: ElementTree.Element) -> Box:
    """The box of a text as wide as its letters, from the tallest letter's top to the lowest one's end."""
    name, y = text.get("class", ""), float(text.get("y", ""))
    size = SIZES.get(name, 14)
    width = drawn_width(text.text or "", bold=name == "title")
    for part in text:
        width += float(part.get("dx", 0)) + drawn_width(part.tail or "", bold=False)
        width += drawn_width("".join(part.itertext()), bold=part.get("class") in ("date", "bold"))
    width *= size / 14
    left = float(text.get("x", "")) - (width if text.get("text-anchor") == "end" else 0)
    return Box(left, y - 0.93 * size, left + width, y + 0.24 * size)


def drawn_width(text: str, bold: bool) -> float:
    return sum(widths_of(text, (Span(0, len(text)),) if bold else ()))


def marks(svg: str) -> list[Box]:
    """Diamonds, circles and bars; points on the axis are no marks, those of one day are one."""
    boxes = []
    for element in [*elements(svg, "circle"), *elements(svg, "rect"), *elements(svg, "path")]:
        if element.get("class") != "mark":
            continue
        if element.get("r"):
            x, y, r = (float(element.get(name, "")) for name in ("cx", "cy", "r"))
            boxes.append(Box(x - r, y - r, x + r, y + r))
        elif element.get("d"):
            numbers = [float(number) for number in re.findall(r"[\d.]+", element.get("d", ""))]
            boxes.append(Box(min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])))
        else:
            x, y, width, height = (float(element.get(name, "")) for name in ("x", "y", "width", "height"))
            boxes.append(Box(x, y, x + width, y + height))
    return boxes


def assert_nothing_overlaps(svg: str) -> None:
    texts = [box_of(element) for element in elements(svg, "text")]
    shapes = marks(svg)
    assert all(not one.overlaps(other) for one, other in combinations(texts, 2))
    assert all(not text.overlaps(mark) for text in texts for mark in shapes)
    assert all(box.left >= 0 and box.right <= WIDTH for box in [*texts, *shapes])


@settings(deadline=None, max_examples=25)
@given(TIMELINES, st.text(max_size=300))
def test_no_text_lies_over_another_or_over_a_mark_or_beyond_the_edge(timeline: Timeline, title: str) -> None:
    assert_nothing_overlaps(to_svg(timeline, title))


WORDS = "The probe landed near the crater and sent pictures of the plain for three weeks until its battery froze. "


@pytest.mark.parametrize(("days", "unit"), [(1, Granularity.DAY), (10_950, Granularity.YEAR)])
def test_forty_events_over_two_days_and_over_thirty_years(days: int, unit: Granularity) -> None:
    starts = [date(1990, 1, 1) + timedelta(days=round(number * days / 39)) for number in range(40)]
    events = tuple(event(WORDS[: 20 + 3 * n], str(start), number=n) for n, start in enumerate(starts, start=1))
    svg = to_svg(Timeline(events, unit), "Forty events")
    assert_nothing_overlaps(svg)
    labels = [element.text for element in elements(svg, "text") if element.get("class") == "tick muted"]
    assert labels == (["1 Jan 1990", "2 Jan 1990"] if days == 1 else [str(year) for year in range(1990, 2020)])


def test_an_answer_that_differs_is_told_apart_from_sources_that_differ() -> None:
    timeline = replace(TOLD, conflicts=(DateConflict(("e1",), "The answer says otherwise.", 2),))
    svg = to_svg(timeline)
    assert (svg.count("≠ the answer differs"), svg.count("≠ sources differ")) == (1, 0)
    assert json.loads(to_json(timeline))["conflicts"][0]["sentence"] == 2


def test_a_label_that_says_the_date_again_is_left_out() -> None:
    events = replace(event("Mars was reached.", "1965-07-15"), group="1965-07-15")
    assert "1965-07-15" not in to_svg(Timeline((events,)))
