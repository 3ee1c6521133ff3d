"""Dates in documents: what they cover, how exactly, and what only looks like one."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.dates import PartialDate, Precision
from libs.text.dates import DateMention, find_dates


def only(text: str, anchor: PartialDate | None = None) -> DateMention:
    (mention,) = find_dates(text, anchor, language="en")
    return mention


def bounds(text: str, anchor: PartialDate | None = None) -> tuple[str, str]:
    mention = only(text, anchor)
    return str(mention.first), str(mention.last)


@pytest.mark.parametrize(
    "text",
    [
        "20 July 1969",
        "20th July, 1969",
        "20th of July 1969",
        "July 20, 1969",
        "July 20th, 1969",
        "Sunday, July 20, 1969",
        "Sun., 20 Jul. 1969",
        "1969-07-20",
        "1969-07-20T20:17:40Z",
        "20/07/1969",
        "07/20/1969",
        "20.07.1969",
    ],
)
def test_a_day_is_told_in_many_ways(text: str) -> None:
    mention = only(f"It landed on {text} (UTC).")
    assert (mention.text, mention.first, mention.precision) == (text, PartialDate(1969, 7, 20), Precision.DAY)


@pytest.mark.parametrize(
    ("text", "first", "last", "precision", "part"),
    [
        ("July 1969", "1969-07", "1969-07", Precision.MONTH, ""),
        ("1969-07", "1969-07", "1969-07", Precision.MONTH, ""),
        ("early March 2004", "2004-03", "2004-03", Precision.MONTH, "early"),
        ("summer of 1969", "1969-06", "1969-08", Precision.SEASON, ""),
        ("winter 1969", "1969-12", "1970-02", Precision.SEASON, ""),
        ("Q3 2004", "2004-07", "2004-09", Precision.SEASON, ""),
        ("the third quarter of 2004", "2004-07", "2004-09", Precision.SEASON, ""),
        ("1969", "1969", "1969", Precision.YEAR, ""),
        ("mid-1969", "1969", "1969", Precision.YEAR, "mid"),
        ("the end of 1969", "1969", "1969", Precision.YEAR, "late"),
        ("the 1970s", "1970", "1979", Precision.DECADE, ""),
        ("the late 1970s", "1970", "1979", Precision.DECADE, "late"),
        ("the '70s", "1970", "1979", Precision.DECADE, ""),
        ("the 1800s", "1800", "1899", Precision.CENTURY, ""),
        ("the 19th century", "1801", "1900", Precision.CENTURY, ""),
        ("the early twentieth century", "1901", "2000", Precision.CENTURY, "early"),
        ("07/08/2004", "2004", "2004", Precision.YEAR, ""),
    ],
)
def test_coarser_dates_keep_their_precision(text: str, first: str, last: str, precision: Precision, part: str) -> None:
    mention = only(f"It began in {text}, they say.")
    assert mention.text == text
    assert (str(mention.first), str(mention.last), mention.precision, mention.part) == (first, last, precision, part)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("from 3 to 5 May 2004", "2004-05-03", "2004-05-05"),
        ("between 3 and 5 May 2004", "2004-05-03", "2004-05-05"),
        ("3–5 May 2004", "2004-05-03", "2004-05-05"),
        ("May 3–5, 2004", "2004-05-03", "2004-05-05"),
        ("30 April to 2 May 2004", "2004-04-30", "2004-05-02"),
        ("28 December 2003 – 3 January 2004", "2003-12-28", "2004-01-03"),
        ("July–August 1969", "1969-07", "1969-08"),
        ("from July 1969 to May 1970", "1969-07", "1970-05"),
        ("between 1972 and 1976", "1972", "1976"),
        ("from 1972 to 1976", "1972", "1976"),
        ("2004-2018", "2004", "2018"),
        ("1972–76", "1972", "1976"),
        ("1957/58", "1957", "1958"),
    ],
)
def test_a_range_has_two_ends(text: str, first: str, last: str) -> None:
    mention = only(f"It lasted {text}.")
    assert (mention.text, str(mention.first), str(mention.last)) == (text, first, last)


@pytest.mark.parametrize(
    "text",
    [
        "1,500 people",
        "1500 km away",
        "over 2000 members",
        "1200 soldiers",
        "$1969",
        "RFC 2119",
        "Flight 1549",
        "page 1234",
        "1200 BC",
        "the year 3000",
        "31 February 2004",
        "29 February 2003",
        "45 May",
        "it may be 20 or so",
        "version 1.2004",
        "555-1234-2000",
        "A1969",
    ],
)
def test_quantities_codes_and_impossible_days_are_no_dates(text: str) -> None:
    assert find_dates(f"There was {text} there.", language="en") == ()


def test_several_dates_of_a_text_come_in_order() -> None:
    text = "Launched on 16 July 1969, it landed on July 20, and the 1969 crew came home. In 1972 it ended (1958–1972)."
    assert [m.text for m in find_dates(text, language="en")] == ["16 July 1969", "1969", "1972", "1958–1972"]
    assert [m.text for m in find_dates(text, PartialDate(1969), language="en")] == [
        *("16 July 1969", "July 20", "1969", "1972", "1958–1972"),
    ]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("yesterday", "2004-03-09", "2004-03-09"),
        ("the following day", "2004-03-11", "2004-03-11"),
        ("last Tuesday", "2004-03-09", "2004-03-09"),
        ("on Wednesday", "2004-03-10", "2004-03-10"),
        ("next Friday", "2004-03-12", "2004-03-12"),
        ("on 20 April", "2004-04-20", "2004-04-20"),
        ("on December 26", "2003-12-26", "2003-12-26"),
        ("in July", "2004-07", "2004-07"),
        ("last March", "2003-03", "2003-03"),
        ("last week", "2004-03-01", "2004-03-07"),
        ("next month", "2004-04", "2004-04"),
        ("the previous year", "2003", "2003"),
        ("three days ago", "2004-03-07", "2004-03-07"),
        ("two years later", "2006", "2006"),
        ("this morning", "2004-03-10", "2004-03-10"),
        ("last night", "2004-03-09", "2004-03-09"),
        ("yesterday evening", "2004-03-09", "2004-03-09"),
        ("early Friday morning", "2004-03-05", "2004-03-05"),
        ("to the sea Thursday", "2004-03-04", "2004-03-04"),
        ("in Monday's storm", "2004-03-08", "2004-03-08"),
        ("on Monday, August 30", "2004-08-30", "2004-08-30"),
        ("with the November agreement", "2003-11", "2003-11"),
        ("in late March", "2004-03", "2004-03"),
    ],
)
def test_what_is_told_relative_to_an_anchor_is_counted_from_it(text: str, first: str, last: str) -> None:
    assert bounds(f"It came {text}.", PartialDate(2004, 3, 10)) == (first, last)
    assert find_dates(f"It came {text}.", language="en") == ()


def test_an_anchor_that_is_too_coarse_leaves_the_phrase_out() -> None:
    assert find_dates("It came yesterday, last week and on Monday.", PartialDate(2004), language="en") == ()
    assert bounds("It came the following year.", PartialDate(2004)) == ("2005", "2005")
    assert only("It came the following year.", PartialDate(2004)).relative


@given(st.dates(date(1000, 1, 1), date(2200, 12, 31)), st.sampled_from(["%-d %B %Y", "%B %-d, %Y", "%Y-%m-%d"]))
def test_every_written_day_is_read_back(day: date, form: str) -> None:
    assert bounds(f"It was {day.strftime(form)}.") == (day.isoformat(), day.isoformat())


PIECES = [
    *(
        "1969",
        "May",
        "3",
        "-",
        "–",
        " to ",
        " and ",
        "between ",
        "from ",
        ", ",
        " ",
        "31 February ",
        "the ",
        "s",
        "'",
        "/",
    )
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=60),
    st.none() | st.builds(PartialDate, st.integers(1, 9999), st.integers(0, 12), st.integers(0, 31)),
)
def test_any_text_can_be_read_and_dates_stand_in_order(text: str, anchor: PartialDate | None) -> None:
    position = 0
    for mention in find_dates(text, anchor, language="en"):
        assert mention.text == text[mention.start : mention.end] != ""
        assert mention.start >= position
        assert mention.first <= mention.last
        position = mention.end


@pytest.mark.parametrize(
    "text",
    [
        "It opens every Saturday.",
        "on the first Saturday of each month",
        "on the last Friday of the month",
        "each Monday",
        "He told of Good Friday there.",
        "He told of the Sunday Times there.",
        "He told of the November Group there.",
        "He told of Mondays there.",
        "He told of Black Friday there.",
    ],
)
def test_a_weekday_that_comes_again_or_in_a_name_is_no_day(text: str) -> None:
    assert find_dates(text, PartialDate(2026, 9, 2), language="en") == ()


@pytest.mark.parametrize("text", ["on the Saturday of the storm", "He came on Saturday."])
def test_a_weekday_alone_is_the_nearest_one(text: str) -> None:
    assert only(text, PartialDate(2026, 9, 2)).first == PartialDate(2026, 8, 29)
