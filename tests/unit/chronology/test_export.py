"""A timeline as people take it along."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from libs.chronology.export.icalendar import to_icalendar
from libs.chronology.export.markdown import to_markdown
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
@given(st.text(max_size=100), st.text('ab,;:\\\n\r\t\x00"é😀', min_size=1, max_size=60))
def test_a_calendar_gives_back_what_was_written(text: str, group: str) -> None:
    dated_event = replace(event(text, "0976-03-01"), group=group)
    calendar = to_icalendar(Timeline((dated_event,)), STAMP)
    assert all(len(line.encode("utf-8", "surrogatepass")) <= 75 for line in calendar.split("\r\n"))
    (entry,) = Calendar.from_ical(calendar).events
    assert str(entry["description"]).startswith(f"1 March 976: {plain(text)}")
    assert (entry.start, entry.end) == (date(976, 3, 1), date(976, 3, 2))
    assert [entry["summary"], *entry.categories] == [plain(text), *([plain(group)] if plain(group) else [])]


def plain(text: str) -> str:
    """The text as RFC 5545 can hold it; the library reads a backslash with an N as a line end."""
    ended = "\n".join(text.splitlines()).replace("\\N", "\n")
    return "".join(c for c in ended if c in "\t\n" or unicodedata.category(c) != "Cc")


LINE_ENDS = ["\r", "\n", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("end", LINE_ENDS)
@pytest.mark.parametrize("write", [to_markdown, partial(to_icalendar, stamp=STAMP)])
def test_no_text_begins_a_line_of_its_own(write: Callable[..., str], end: str) -> None:
    text = f"Mars{end}X-EVIL:1{end}BEGIN:VALARM{end}# Evil"
    harmless = replace(event("Mars", "1976"), group="Mars")
    (source,) = harmless.sources
    hostile = replace(
        harmless, text=text, group=text, sources=(replace(source, document_id=text, quote=text, passage_id=text),)
    )
    timelines = [Timeline((each,), Granularity.YEAR, (DateConflict(("e1",), text),)) for each in (hostile, harmless)]
    written, plain_form = (write(each, title=text) for each in timelines)
    unfolded = re.sub(r"\r\n ", "", written)
    assert not re.search(r"(?m)^(X-EVIL|BEGIN:VALARM|# Evil)", "\n".join(unfolded.splitlines()))
    assert len(unfolded.splitlines()) == len(re.sub(r"\r\n ", "", plain_form).splitlines())


@pytest.mark.parametrize("write", [to_markdown, partial(to_icalendar, stamp=STAMP)])
def test_no_control_character_is_written(write: Callable[..., str]) -> None:
    text = "Mars" + "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
    written = write(Timeline((event(text, "1976"),)), title=text)
    assert {c for c in written if unicodedata.category(c) == "Cc"} <= set("\t\r\n")


@pytest.mark.parametrize("sign", ["é", "年", "😀"])
def test_a_folded_line_is_cut_between_characters(sign: str) -> None:
    written = to_icalendar(Timeline((event("a" + sign * 60, "1976"),)), STAMP, sign * 60)
    assert all(len(line.encode()) <= 75 for line in written.split("\r\n"))
    assert "\ufffd" not in written
    assert "a" + sign * 60 in written.replace("\r\n ", "")


def test_the_name_of_a_calendar_is_escaped() -> None:
    assert "\r\nX-WR-CALNAME:Mars\\; a\\, b\\n\\\\c\r\n" in to_icalendar(TOLD, STAMP, "Mars; a, b\n\\c")
