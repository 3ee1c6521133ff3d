"""Times in questions: each phrase has one exact range, or says why it has none."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.dates.named_dates import feast_day
from libs.text.dates.question_times import TimeMention, find_time_ranges

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2024, 5, 15, 14, 30, tzinfo=BERLIN)
"""A Wednesday."""
NOON = "2024-05-15 14:30"


def only(question: str, now: datetime = NOW, language: str = "en") -> TimeMention:
    (mention,) = find_time_ranges(question, now, language=language)
    return mention


def wall(moment: datetime | None) -> str:
    if moment is None:
        return ""
    return moment.strftime("%Y-%m-%d" if (moment.hour, moment.minute) == (0, 0) else "%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("language", "phrase", "start", "end"),
    [
        ("en", "launched in july 1969", "1969-07-01", "1969-08-01"),
        ("en", "launched in late march 2004", "2004-03-21", "2004-04-01"),
        ("en", "launched from May to July 1969", "1969-05-01", "1969-08-01"),
        ("en", "launched between last Monday and yesterday", "2024-05-13", "2024-05-15"),
        ("en", "open from Monday to Friday", "2024-05-06", "2024-05-11"),
        ("en", "launched since last week", "2024-05-06", NOON),
        ("en", "launched since may", "2024-05-01", NOON),
        ("de", "heute", "2024-05-15", "2024-05-16"),
        ("de", "vorgestern", "2024-05-13", "2024-05-14"),
        ("de", "letzten Dienstag", "2024-05-14", "2024-05-15"),
        ("de", "letzten dienstag", "2024-05-14", "2024-05-15"),
        ("de", "am vergangenen Montag", "2024-05-13", "2024-05-14"),
        ("de", "nächste Woche", "2024-05-20", "2024-05-27"),
        ("de", "vor drei Jahren", "2021-01-01", "2022-01-01"),
        ("de", "vor einer Woche", "2024-05-06", "2024-05-13"),
        ("de", "in den letzten drei Monaten", "2024-02-15 14:30", NOON),
        ("de", "letzte Woche Montag", "2024-05-06", "2024-05-07"),
        ("de", "am 24.12.", "2023-12-24", "2023-12-25"),
        ("de", "seit zwei Jahren", "2022-05-15 14:30", NOON),
        ("de", "am 9./10. November 1989", "1989-11-09", "1989-11-11"),
        ("de", "im märz letzten Jahres", "2023-03-01", "2023-04-01"),
        ("de", "letztes Jahr im März", "2023-03-01", "2023-04-01"),
        ("de", "im letzten Sommer", "2023-06-01", "2023-09-01"),
        ("de", "Ostern 2019", "2019-04-21", "2019-04-22"),
        ("de", "am Tag der Deutschen Einheit", "2023-10-03", "2023-10-04"),
        ("de", "in den Neunzigern", "1990-01-01", "2000-01-01"),
        ("de", "gestern Abend", "2024-05-14", "2024-05-15"),
        ("de", "seit 1. Januar", "2024-01-01", NOON),
        ("de", "seit Anfang des Jahres", "2024-01-01", NOON),
        ("de", "bis Ende 2020", "", "2021-01-01"),
        ("de", "bis zum 3. Mai", "", "2024-05-04"),
        ("de", "vor dem Jahr 1990", "", "1990-01-01"),
        ("de", "nach 1990", "1991-01-01", ""),
        ("de", "ab 2020", "2020-01-01", ""),
        ("de", "vom 3. Mai an", "2024-05-03", ""),
        ("de", "zwischen 1990 und 1995", "1990-01-01", "1996-01-01"),
        ("de", "zwei Wochen vor Ostern", "2024-03-11", "2024-03-18"),
        ("de", "in den ersten drei Monaten 2021", "2021-01-01", "2021-04-01"),
        ("de", "in der 12. Kalenderwoche 2024", "2024-03-18", "2024-03-25"),
    ],
)
def test_dates_and_the_prepositions_before_them_bound_the_range(
    language: str, phrase: str, start: str, end: str
) -> None:
    mention = only(f"Was geschah {phrase}?" if language == "de" else phrase, language=language)
    assert mention.text in phrase
    assert mention.range is not None
    assert (wall(mention.range.start), wall(mention.range.end)) == (start, end)


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("kürzlich", "vague"),
        ("vor einigen Jahren", "vague"),
        ("vor zweieinhalb Jahren", "vague"),
        ("in den letzten Jahren", "vague"),
        ("am 31. Februar", "impossible"),
        ("44 v. Chr.", "vague"),
        ("vor mehr als einem Jahr", "vague"),
    ],
)
def test_a_phrase_without_a_range_says_why(phrase: str, why: str) -> None:
    mention = only(f"Was geschah {phrase}?", language="de")
    assert (mention.range, mention.why) == (None, why)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "what may happen?"),
        ("en", "the top 20 may win"),
        ("en", "who marched on?"),
        ("en", "Apollo 11"),
        ("en", "in a second"),
        ("de", "Wer kam um 14 Uhr?"),
        ("de", "Wer kam um 14.30 Uhr?"),
        ("de", "Wann ist es am Morgen kalt?"),
        ("de", "Wer sang „last week“ und „Yesterday“ in May?"),
    ],
)
def test_hours_and_other_words_are_no_times(language: str, question: str) -> None:
    assert find_time_ranges(question, NOW, language=language) == ()


def test_a_day_lasts_as_long_as_the_zone_makes_it() -> None:
    clocks_forward = only("today", datetime(2024, 3, 31, 12, tzinfo=BERLIN)).range
    assert clocks_forward is not None
    assert clocks_forward.start is not None
    assert clocks_forward.end is not None
    assert clocks_forward.end.astimezone(UTC) - clocks_forward.start.astimezone(UTC) == timedelta(hours=23)


def test_the_same_moment_is_another_day_elsewhere() -> None:
    late = datetime(2024, 5, 15, 23, 30, tzinfo=UTC)
    in_berlin, in_utc = only("today", late.astimezone(BERLIN)).range, only("today", late).range
    assert in_berlin is not None
    assert in_utc is not None
    assert (wall(in_berlin.start), wall(in_utc.start)) == ("2024-05-16", "2024-05-15")


@pytest.mark.parametrize(
    ("feast", "day"),
    [("easter", date(2024, 3, 31)), ("thanksgiving", date(2024, 11, 28)), ("memorial day", date(2024, 5, 27))],
)
def test_a_feast_moves_with_the_year(feast: str, day: date) -> None:
    assert feast_day(feast, 2024, language="en") == day


def test_now_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        find_time_ranges("today", NOW.replace(tzinfo=None), language="en")


PIECES = [
    *("letzte", "letzten ", "letztem ", "nächster ", "diesem ", "vergangenen ", "vorletztes ", "im ", "am "),
    *("vor ", "nach ", "drei ", "einer ", "einhalb ", "9999 ", "Jahre ", "Jahren ", "Woche ", "Monats ", "seit "),
    *("bis ", "ab ", "von ", "zwischen ", "und ", "Mai ", "31. ", "1969 ", "februar ", "Ostern ", "montag "),
    *("des ", "Ende ", "99 ", "Q3 ", "der ", "Abend ", "morgen ", "heute ", "zweite ", "Hälfte ", "erste "),
    *("Quartal ", "Sommer ", "12. ", "v. Chr. ", "0er ", "/"),
    *("last ", "next ", "the ", "past ", "three ", "9999 ", "years ", "ago ", "week ", "since ", "before ", "between "),
    *("and ", "May ", "31 ", "1969 ", "february ", "Easter ", "monday ", "of ", "this ", "99 ", "from ", "to ", "Q3 "),
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text(max_size=60),
    st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=st.sampled_from([UTC, BERLIN])),
    st.sampled_from(["de", "en", "fr"]),
)
def test_any_question_at_any_time_can_be_read(question: str, now: datetime, language: str) -> None:
    position = 0
    for mention in find_time_ranges(question, now, language=language):
        assert mention.text == question[mention.start : mention.end] != ""
        assert mention.start >= position
        assert (mention.range is None) == (mention.why != "")
        if mention.range and mention.range.start and mention.range.end:
            assert mention.range.start < mention.range.end
        position = mention.end
