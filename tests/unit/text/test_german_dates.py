"""Dates and times in German: what they cover, and what only looks like one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.dates import PartialDate, Precision
from libs.text.dates import find_dates
from libs.text.relative_time import find_time_ranges
from libs.text.time_words import TimeMention

NOW = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)
"""A Wednesday."""
NOON = "2024-05-15 14:30"


def only(question: str) -> TimeMention:
    (mention,) = find_time_ranges(question, NOW, "de")
    return mention


def wall(moment: datetime | None) -> str:
    if moment is None:
        return ""
    return moment.strftime("%Y-%m-%d" if (moment.hour, moment.minute) == (0, 0) else "%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    "text",
    ["3. März 1998", "03.03.1998", "3.3.1998", "3.3.98", "3. 3. 1998", "Dienstag, den 3. März 1998", "3. Mrz. 1998"],
)
def test_a_day_is_written_in_many_ways(text: str) -> None:
    (mention,) = find_dates(f"Er kam am {text} um 14.30 Uhr an.", language="de")
    assert (mention.text, mention.first, mention.precision) == (text, PartialDate(1998, 3, 3), Precision.DAY)


@pytest.mark.parametrize(
    ("text", "first", "last", "precision", "part"),
    [
        ("März 1998", "1998-03", "1998-03", Precision.MONTH, ""),
        ("Ende Mai 2011", "2011-05", "2011-05", Precision.MONTH, "late"),
        ("Herbst 2011", "2011-09", "2011-11", Precision.SEASON, ""),
        ("dritten Quartal 2004", "2004-07", "2004-09", Precision.SEASON, ""),
        ("Mitte 1969", "1969", "1969", Precision.YEAR, "mid"),
        ("Anfang der 1990er Jahre", "1990", "1999", Precision.DECADE, "early"),
        ("den 80er-Jahren", "1980", "1989", Precision.DECADE, ""),
        ("19. Jahrhundert", "1801", "1900", Precision.CENTURY, ""),
        ("Ende des neunzehnten Jahrhunderts", "1801", "1900", Precision.CENTURY, "late"),
        ("zwischen 1990 und 1995", "1990", "1995", Precision.YEAR, ""),
        ("von 1990 bis 1995", "1990", "1995", Precision.YEAR, ""),
        ("vom 30. April bis zum 2. Mai 2004", "2004-04-30", "2004-05-02", Precision.DAY, ""),
        ("3.–5. Mai 2004", "2004-05-03", "2004-05-05", Precision.DAY, ""),
        ("Juli bis August 1969", "1969-07", "1969-08", Precision.MONTH, ""),
    ],
)
def test_coarser_dates_and_ranges_keep_their_precision(
    text: str, first: str, last: str, precision: Precision, part: str
) -> None:
    (mention,) = find_dates(f"Es begann {text}, heißt es.", language="de")
    assert (mention.text, str(mention.first), str(mention.last)) == (text, first, last)
    assert (mention.precision, mention.part) == (precision, part)


@pytest.mark.parametrize(
    "text",
    [
        "1500 Soldaten",
        "über 2000 Mitglieder",
        "1998 km",
        "Seite 1834",
        "Version 1.2.34",
        "um 14 Uhr",
        "um 14.30 Uhr",
        "44 v. Chr.",
        "1200 v. Chr.",
        "31. Februar 2004",
        "1,5 Prozent",
        "Kapitel 3.3.12",
    ],
)
def test_quantities_hours_and_impossible_days_are_no_dates(text: str) -> None:
    assert find_dates(f"Es waren {text} dort.", language="de") == ()


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("gestern", "2004-03-09", "2004-03-09"),
        ("am nächsten Tag", "2004-03-11", "2004-03-11"),
        ("am Tag darauf", "2004-03-11", "2004-03-11"),
        ("letzten Dienstag", "2004-03-09", "2004-03-09"),
        ("Mittwoch", "2004-03-10", "2004-03-10"),
        ("20. April", "2004-04-20", "2004-04-20"),
        ("Juli", "2004-07", "2004-07"),
        ("vergangene Woche", "2004-03-01", "2004-03-07"),
        ("im selben Jahr", "2004", "2004"),
        ("vor drei Tagen", "2004-03-07", "2004-03-07"),
        ("zwei Jahre später", "2006", "2006"),
        ("gestern Abend", "2004-03-09", "2004-03-09"),
    ],
)
def test_dates_without_a_year_are_counted_from_the_anchor(text: str, first: str, last: str) -> None:
    preposition = {"Mittwoch": "am ", "20. April": "am ", "Juli": "im "}.get(text, "")
    (mention,) = find_dates(f"Es kam {preposition}{text} dazu.", PartialDate(2004, 3, 10), language="de")
    assert (mention.text, str(mention.first), str(mention.last)) == (text, first, last)


@pytest.mark.parametrize("text", ["jeden Samstag", "am Morgen", "am Schwarzen Freitag", "montags", "am Karfreitag"])
def test_recurring_days_and_names_are_no_dates(text: str) -> None:
    assert find_dates(f"Es kam {text} dazu.", PartialDate(2004, 3, 10), language="de") == ()


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("heute", "2024-05-15", "2024-05-16"),
        ("vorgestern", "2024-05-13", "2024-05-14"),
        ("letzten Dienstag", "2024-05-14", "2024-05-15"),
        ("letzten dienstag", "2024-05-14", "2024-05-15"),
        ("am vergangenen Montag", "2024-05-13", "2024-05-14"),
        ("nächste Woche", "2024-05-20", "2024-05-27"),
        ("vor drei Jahren", "2021-01-01", "2022-01-01"),
        ("vor einer Woche", "2024-05-06", "2024-05-13"),
        ("vor zweieinhalb Jahren", "2021-11-01", "2021-12-01"),
        ("in den letzten drei Monaten", "2024-02-15 14:30", NOON),
        ("letzte Woche Montag", "2024-05-06", "2024-05-07"),
        ("am 24.12.", "2023-12-24", "2023-12-25"),
        ("seit zwei Jahren", "2022-05-15 14:30", NOON),
        ("am 9./10. November 1989", "1989-11-09", "1989-11-11"),
        ("im märz letzten Jahres", "2023-03-01", "2023-04-01"),
        ("letztes Jahr im März", "2023-03-01", "2023-04-01"),
        ("im letzten Sommer", "2023-06-01", "2023-09-01"),
        ("Ostern 2019", "2019-04-21", "2019-04-22"),
        ("am Tag der Deutschen Einheit", "2023-10-03", "2023-10-04"),
        ("in den Neunzigern", "1990-01-01", "2000-01-01"),
        ("gestern Abend", "2024-05-14 18:00", "2024-05-15"),
        ("seit 1. Januar", "2024-01-01", NOON),
        ("seit Anfang des Jahres", "2024-01-01", NOON),
        ("bis Ende 2020", "", "2021-01-01"),
        ("bis zum 3. Mai", "", "2024-05-04"),
        ("vor dem Jahr 1990", "", "1990-01-01"),
        ("nach 1990", "1991-01-01", ""),
        ("ab 2020", "2020-01-01", ""),
        ("vom 3. Mai an", "2024-05-03", ""),
        ("zwischen 1990 und 1995", "1990-01-01", "1996-01-01"),
        ("zwei Wochen vor Ostern", "2024-03-11", "2024-03-18"),
        ("in der zweiten Hälfte des Jahres 2020", "2020-07-01", "2021-01-01"),
        ("in den ersten drei Monaten 2021", "2021-01-01", "2021-04-01"),
        ("am zweiten Dienstag im März 2020", "2020-03-10", "2020-03-11"),
        ("am Abend des 3. Mai 2004", "2004-05-03 18:00", "2004-05-04"),
        ("in der 12. Kalenderwoche 2024", "2024-03-18", "2024-03-25"),
    ],
)
def test_a_time_in_a_question_has_an_exact_range(phrase: str, start: str, end: str) -> None:
    mention = only(f"Was geschah {phrase}?")
    assert mention.text in phrase
    assert mention.range is not None
    assert (wall(mention.range.start), wall(mention.range.end)) == (start, end)


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("kürzlich", "vague"),
        ("vor einigen Jahren", "vague"),
        ("in den letzten Jahren", "vague"),
        ("am 31. Februar", "impossible"),
        ("44 v. Chr.", "outside"),
    ],
)
def test_a_phrase_without_a_range_says_why(phrase: str, why: str) -> None:
    mention = only(f"Was geschah {phrase}?")
    assert (mention.range, mention.why) == (None, why)


@pytest.mark.parametrize("question", ["Wer kam um 14 Uhr?", "Wer kam um 14.30 Uhr?", "Wann ist es am Morgen kalt?"])
def test_hours_are_no_times_of_the_calendar(question: str) -> None:
    assert find_time_ranges(question, NOW, "de") == ()


def test_english_words_are_not_read_in_german() -> None:
    assert find_time_ranges("Wer sang „last week“ und „Yesterday“ in May?", NOW, "de") == ()


PIECES = [
    *("letzte", "letzten ", "letztem ", "nächster ", "diesem ", "vergangenen ", "vorletztes ", "im ", "am "),
    *("vor ", "nach ", "drei ", "einer ", "einhalb ", "9999 ", "Jahre ", "Jahren ", "Woche ", "Monats ", "seit "),
    *("bis ", "ab ", "von ", "zwischen ", "und ", "Mai ", "31. ", "1969 ", "februar ", "Ostern ", "montag "),
    *("des ", "Ende ", "99 ", "Q3 ", "der ", "Abend ", "morgen ", "heute ", "zweite ", "Hälfte ", "erste "),
    *("Quartal ", "Sommer ", "12. ", "v. Chr. ", "0er ", "/"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(["de", "en", "fr"]))
def test_any_text_can_be_read_and_times_stand_in_order(text: str, language: str) -> None:
    position = 0
    for mention in find_time_ranges(text, NOW, language):
        assert mention.text == text[mention.start : mention.end] != ""
        assert mention.start >= position
        position = mention.end
    assert all(
        mention.first <= mention.last for mention in find_dates(text, PartialDate(2004, 3, 10), language=language)
    )
