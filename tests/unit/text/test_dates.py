"""Dates in documents: what they cover, how exactly, and what only looks like one."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.dates import PartialDate, Precision
from libs.text.dates.document_dates import DateMention, find_dates


def only(text: str, anchor: PartialDate | None = None) -> DateMention:
    (mention,) = find_dates(text, anchor, language="en")
    return mention


def bounds(text: str, anchor: PartialDate | None = None) -> tuple[str, str]:
    mention = only(text, anchor)
    return str(mention.first), str(mention.last)


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "20 July 1969", "1969-07-20"),
        ("en", "20th July, 1969", "1969-07-20"),
        ("en", "20th of July 1969", "1969-07-20"),
        ("en", "July 20, 1969", "1969-07-20"),
        ("en", "July 20th, 1969", "1969-07-20"),
        ("en", "Sunday, July 20, 1969", "1969-07-20"),
        ("en", "Sun., 20 Jul. 1969", "1969-07-20"),
        ("en", "1969-07-20", "1969-07-20"),
        ("en", "1969-07-20T20:17:40Z", "1969-07-20"),
        ("en", "20/07/1969", "1969-07-20"),
        ("en", "07/20/1969", "1969-07-20"),
        ("en", "20.07.1969", "1969-07-20"),
        ("de", "3. März 1998", "1998-03-03"),
        ("de", "03.03.1998", "1998-03-03"),
        ("de", "3.3.1998", "1998-03-03"),
        ("de", "3.3.98", "1998-03-03"),
        ("de", "3. 3. 1998", "1998-03-03"),
        ("de", "Dienstag, den 3. März 1998", "1998-03-03"),
        ("de", "3. Mrz. 1998", "1998-03-03"),
    ],
)
def test_a_day_is_told_in_many_ways(language: str, text: str, day: str) -> None:
    frames = {"en": "It landed on {} (UTC).", "de": "Er kam am {} um 14.30 Uhr an."}
    (mention,) = find_dates(frames[language].format(text), language=language)
    assert (mention.text, str(mention.first), mention.precision) == (text, day, Precision.DAY)


@pytest.mark.parametrize(
    ("language", "text", "first", "last", "precision", "part"),
    [
        ("en", "July 1969", "1969-07", "1969-07", Precision.MONTH, ""),
        ("en", "1969-07", "1969-07", "1969-07", Precision.MONTH, ""),
        ("en", "1969-W29", "1969-07-14", "1969-07-20", Precision.DAY, ""),
        ("de", "1969W29", "1969-07-14", "1969-07-20", Precision.DAY, ""),
        ("en", "early March 2004", "2004-03", "2004-03", Precision.MONTH, "early"),
        ("en", "summer of 1969", "1969-06", "1969-08", Precision.SEASON, ""),
        ("en", "winter 1969", "1969-12", "1970-02", Precision.SEASON, ""),
        ("en", "Q3 2004", "2004-07", "2004-09", Precision.SEASON, ""),
        ("en", "the third quarter of 2004", "2004-07", "2004-09", Precision.SEASON, ""),
        ("en", "1969", "1969", "1969", Precision.YEAR, ""),
        ("en", "mid-1969", "1969", "1969", Precision.YEAR, "mid"),
        ("en", "the end of 1969", "1969", "1969", Precision.YEAR, "late"),
        ("en", "the 1970s", "1970", "1979", Precision.DECADE, ""),
        ("en", "the late 1970s", "1970", "1979", Precision.DECADE, "late"),
        ("en", "the '70s", "1970", "1979", Precision.DECADE, ""),
        ("en", "the 1800s", "1800", "1899", Precision.CENTURY, ""),
        ("en", "the 19th century", "1801", "1900", Precision.CENTURY, ""),
        ("en", "the early twentieth century", "1901", "2000", Precision.CENTURY, "early"),
        ("en", "07/08/2004", "2004", "2004", Precision.YEAR, ""),
        ("de", "März 1998", "1998-03", "1998-03", Precision.MONTH, ""),
        ("de", "Ende Mai 2011", "2011-05", "2011-05", Precision.MONTH, "late"),
        ("de", "Herbst 2011", "2011-09", "2011-11", Precision.SEASON, ""),
        ("de", "dritten Quartal 2004", "2004-07", "2004-09", Precision.SEASON, ""),
        ("de", "Mitte 1969", "1969", "1969", Precision.YEAR, "mid"),
        ("de", "Anfang der 1990er Jahre", "1990", "1999", Precision.DECADE, "early"),
        ("de", "den 80er-Jahren", "1980", "1989", Precision.DECADE, ""),
        ("de", "19. Jahrhundert", "1801", "1900", Precision.CENTURY, ""),
        ("de", "Ende des neunzehnten Jahrhunderts", "1801", "1900", Precision.CENTURY, "late"),
        ("de", "zwischen 1990 und 1995", "1990", "1995", Precision.YEAR, ""),
        ("de", "von 1990 bis 1995", "1990", "1995", Precision.YEAR, ""),
        ("de", "vom 30. April bis zum 2. Mai 2004", "2004-04-30", "2004-05-02", Precision.DAY, ""),
        ("de", "3.–5. Mai 2004", "2004-05-03", "2004-05-05", Precision.DAY, ""),
        ("de", "Juli bis August 1969", "1969-07", "1969-08", Precision.MONTH, ""),
    ],
)
def test_coarser_dates_keep_their_precision(
    language: str, text: str, first: str, last: str, precision: Precision, part: str
) -> None:
    frames = {"en": "It began in {}, they say.", "de": "Es begann {}, heißt es."}
    (mention,) = find_dates(frames[language].format(text), language=language)
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
    ("language", "text"),
    [
        ("en", "1,500 people"),
        ("en", "1500 km away"),
        ("en", "over 2000 members"),
        ("en", "1200 soldiers"),
        ("en", "$1969"),
        ("en", "RFC 2119"),
        ("en", "Flight 1549"),
        ("en", "page 1234"),
        ("en", "1200 BC"),
        ("en", "the year 3000"),
        ("en", "31 February 2004"),
        ("en", "29 February 2003"),
        ("en", "45 May"),
        ("en", "it may be 20 or so"),
        ("en", "version 1.2004"),
        ("en", "555-1234-2000"),
        ("en", "A1969"),
        ("de", "1500 Soldaten"),
        ("de", "über 2000 Mitglieder"),
        ("de", "1998 km"),
        ("de", "Seite 1834"),
        ("de", "Version 1.2.34"),
        ("de", "um 14 Uhr"),
        ("de", "um 14.30 Uhr"),
        ("de", "44 v. Chr."),
        ("de", "1200 v. Chr."),
        ("de", "31. Februar 2004"),
        ("de", "1,5 Prozent"),
        ("de", "Kapitel 3.3.12"),
        ("de", "0.12.11"),
        ("en", "00/05/2004"),
    ],
)
def test_quantities_codes_hours_and_impossible_days_are_no_dates(language: str, text: str) -> None:
    frames = {"en": "There was {} there.", "de": "Es waren {} dort."}
    assert find_dates(frames[language].format(text), language=language) == ()


def test_eight_digits_are_a_day_only_where_nothing_else_stands() -> None:
    assert bounds("19690720") == ("1969-07-20", "1969-07-20")
    assert find_dates("The order 19690720 was shipped.", language="en") == ()
    assert find_dates("19691320", language="en") == ()


def test_several_dates_of_a_text_come_in_order() -> None:
    text = "Launched on 16 July 1969, it landed on July 20, and the 1969 crew came home. In 1972 it ended (1958–1972)."
    assert [m.text for m in find_dates(text, language="en")] == ["16 July 1969", "1969", "1972", "1958–1972"]
    assert [m.text for m in find_dates(text, PartialDate(1969), language="en")] == [
        *("16 July 1969", "July 20", "1969", "1972", "1958–1972"),
    ]


@pytest.mark.parametrize(
    ("language", "text", "first", "last"),
    [
        ("en", "yesterday", "2004-03-09", "2004-03-09"),
        ("en", "the following day", "2004-03-11", "2004-03-11"),
        ("en", "last Tuesday", "2004-03-09", "2004-03-09"),
        ("en", "on Wednesday", "2004-03-10", "2004-03-10"),
        ("en", "next Friday", "2004-03-12", "2004-03-12"),
        ("en", "on 20 April", "2004-04-20", "2004-04-20"),
        ("en", "on December 26", "2003-12-26", "2003-12-26"),
        ("en", "in July", "2004-07", "2004-07"),
        ("en", "last March", "2003-03", "2003-03"),
        ("en", "last week", "2004-03-01", "2004-03-07"),
        ("en", "next month", "2004-04", "2004-04"),
        ("en", "the previous year", "2003", "2003"),
        ("en", "three days ago", "2004-03-07", "2004-03-07"),
        ("en", "two years later", "2006", "2006"),
        ("en", "this morning", "2004-03-10", "2004-03-10"),
        ("en", "last night", "2004-03-09", "2004-03-09"),
        ("en", "yesterday evening", "2004-03-09", "2004-03-09"),
        ("en", "early Friday morning", "2004-03-05", "2004-03-05"),
        ("en", "to the sea Thursday", "2004-03-04", "2004-03-04"),
        ("en", "in Monday's storm", "2004-03-08", "2004-03-08"),
        ("en", "on Monday, August 30", "2004-08-30", "2004-08-30"),
        ("en", "with the November agreement", "2003-11", "2003-11"),
        ("en", "in late March", "2004-03", "2004-03"),
        ("de", "gestern", "2004-03-09", "2004-03-09"),
        ("de", "am nächsten Tag", "2004-03-11", "2004-03-11"),
        ("de", "am Tag darauf", "2004-03-11", "2004-03-11"),
        ("de", "letzten Dienstag", "2004-03-09", "2004-03-09"),
        ("de", "am Mittwoch", "2004-03-10", "2004-03-10"),
        ("de", "am 20. April", "2004-04-20", "2004-04-20"),
        ("de", "im Juli", "2004-07", "2004-07"),
        ("de", "vergangene Woche", "2004-03-01", "2004-03-07"),
        ("de", "im selben Jahr", "2004", "2004"),
        ("de", "vor drei Tagen", "2004-03-07", "2004-03-07"),
        ("de", "zwei Jahre später", "2006", "2006"),
        ("de", "gestern Abend", "2004-03-09", "2004-03-09"),
    ],
)
def test_what_is_told_relative_to_an_anchor_is_counted_from_it(language: str, text: str, first: str, last: str) -> None:
    sentence = f"It came {text}." if language == "en" else f"Es kam {text} dazu."
    (mention,) = find_dates(sentence, PartialDate(2004, 3, 10), language=language)
    assert mention.text in text
    assert (str(mention.first), str(mention.last)) == (first, last)
    assert find_dates(sentence, language=language) == ()


def test_an_anchor_that_is_too_coarse_leaves_the_phrase_out() -> None:
    assert find_dates("It came yesterday, last week and on Monday.", PartialDate(2004), language="en") == ()
    assert bounds("It came the following year.", PartialDate(2004)) == ("2005", "2005")


@given(st.dates(date(1000, 1, 1), date(2200, 12, 31)), st.sampled_from(["%-d %B %Y", "%B %-d, %Y", "%Y-%m-%d"]))
def test_every_written_day_is_read_back(day: date, form: str) -> None:
    assert bounds(f"It was {day.strftime(form)}.") == (day.isoformat(), day.isoformat())


PIECES = [
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
    ("language", "text"),
    [
        ("en", "It opens every Saturday."),
        ("en", "on the first Saturday of each month"),
        ("en", "on the last Friday of the month"),
        ("en", "each Monday"),
        ("en", "He told of Good Friday there."),
        ("en", "He told of the Sunday Times there."),
        ("en", "He told of the November Group there."),
        ("en", "He told of Mondays there."),
        ("en", "He told of Black Friday there."),
        ("de", "Es kam jeden Samstag dazu."),
        ("de", "Es kam am Morgen dazu."),
        ("de", "Es kam am Schwarzen Freitag dazu."),
        ("de", "Es kam montags dazu."),
        ("de", "Es erklang die Karfreitagsmusik."),
    ],
)
def test_a_weekday_that_comes_again_or_in_a_name_is_no_day(language: str, text: str) -> None:
    assert find_dates(text, PartialDate(2026, 9, 2), language=language) == ()


@pytest.mark.parametrize(
    ("language", "text"), [("en", "It came to this on Good Friday."), ("de", "Es kam am Karfreitag dazu.")]
)
def test_a_holiday_is_the_nearest_one(language: str, text: str) -> None:
    (mention,) = find_dates(text, PartialDate(2026, 9, 2), language=language)
    assert mention.first == mention.last == PartialDate(2026, 4, 3)


@pytest.mark.parametrize("text", ["on the Saturday of the storm", "He came on Saturday."])
def test_a_weekday_alone_is_the_nearest_one(text: str) -> None:
    assert only(text, PartialDate(2026, 9, 2)).first == PartialDate(2026, 8, 29)


@pytest.mark.parametrize(
    ("language", "text", "first", "last"),
    [
        ("en", "No. 31 - 26 October 2026 - lamps", "2026-10-26", "2026-10-26"),
        ("en", "No. 31 - 26 November 2026 - lamps", "2026-11-26", "2026-11-26"),
        ("en", "the 2026 rules", "2026", "2026"),
        ("en", "Agincourt (1415) was won", "1415", "1415"),
        ("it", "vendite in Q3 2025", "2025-07", "2025-09"),
    ],
)
def test_a_number_before_a_day_a_year_of_a_version_and_a_quarter_in_digits_are_told_apart(
    language: str, text: str, first: str, last: str
) -> None:
    (mention,) = find_dates(text, language=language)
    assert (str(mention.first), str(mention.last)) == (first, last)


@pytest.mark.parametrize("text", ["the 2000 runners", "2026 people", "the 1200 knights", "the 1250 places"])
def test_a_count_after_an_article_is_no_year(text: str) -> None:
    assert find_dates(text, language="en") == ()
