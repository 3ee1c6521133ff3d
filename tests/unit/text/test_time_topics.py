"""The patterns of dates and times in every language: known kinds, and none for a language without rules."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from re import Pattern

import pytest

from libs.language.files import known_languages
from libs.language.topics.calendar import AnchoredDates, Calendar, RelativeTime, TimeWords, WrittenDates
from libs.text.dates.document_dates import find_dates
from libs.text.dates.named_dates import feast_day
from libs.text.dates.phrases import words_of
from libs.text.dates.question_times import find_time_ranges
from libs.text.dates.relative_times import READERS
from tests.unit.text.pattern_words import group_words

NOW = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)


def forms_of(language: str) -> list[Mapping[str, tuple[Pattern[str], ...]]]:
    times = RelativeTime.of(language)
    return [AnchoredDates.of(language).forms, times.forms, times.composed]


def patterns_of(language: str) -> Iterator[tuple[str, Pattern[str]]]:
    """Each pattern with its kind."""
    yield from WrittenDates.of(language).forms.items()
    yield from ((kind, form) for forms in forms_of(language) for kind, group in forms.items() for form in group)


@pytest.mark.parametrize("language", known_languages())
def test_each_pattern_belongs_to_a_kind_that_is_read(language: str) -> None:
    for forms in forms_of(language):
        assert forms.keys() <= READERS.keys()


@pytest.mark.parametrize("language", known_languages())
def test_each_word_of_a_pattern_has_a_value(language: str) -> None:
    values, checked = tables_of(language), 0
    for kind, form in patterns_of(language):
        for group, words in group_words(form):
            known = values.get((kind, group)) or values.get(group)
            if known is not None:
                plain = {words_of(word).rstrip(".") for word in words if not word[:1].isdecimal()}
                assert plain <= {"", *(word.rstrip(".") for word in known)}, f"{kind}: {group}"
                checked += 1
    assert checked or not RelativeTime.of(language).forms


def tables_of(language: str) -> dict[object, Mapping[str, object]]:
    """The table of the words in a group, by the group's name, or by its name in one kind."""
    words, calendar = TimeWords.of(language), Calendar.of(language)
    tables: dict[object, Mapping[str, object]] = {
        "way": words.directions,
        "near": words.near_days,
        "month": calendar.months,
        "weekday": calendar.weekdays,
        "season": calendar.seasons,
        "feast": calendar.feasts,
        "decade": calendar.decades,
    }
    tables.update(dict.fromkeys(("unit",), words.units))
    tables.update(dict.fromkeys(("which", "of_year", "year_ago"), words.steps))
    tables.update(dict.fromkeys(("century", "nth_quarter", "nth_half"), calendar.ordinals))
    tables.update(dict.fromkeys(("part", "part_of"), words.period_parts))
    return tables


@pytest.mark.parametrize("language", known_languages())
def test_each_holiday_has_a_day(language: str) -> None:
    assert all(feast_day(name, 2024, language).year == 2024 for name in Calendar.of(language).feasts)


@pytest.mark.parametrize("language", ["fr", "ja", "xx"])
def test_a_language_without_rules_has_dates_in_digits_only(language: str) -> None:
    dates = find_dates("1969-07-20, 03.03.1998, (1971): 20 July 1969", language=language)
    assert [mention.text for mention in dates] == ["1969-07-20", "03.03.1998", "1971", "1969"]
    times = find_time_ranges("yesterday, last week, since 2020-01-02", NOW, language)
    assert [mention.text for mention in times] == ["2020-01-02"]


@pytest.mark.parametrize(
    ("text", "language", "years"),
    [
        ("Il est né en 1834 à Paris.", "fr", ["1834"]),
        ("Il y avait 2000 personnes.", "fr", []),
        ("Nació en 1834.", "es", ["1834"]),
        ("Había 2000 soldados.", "es", []),
        ("In het jaar 1834 waren er 2000 mensen.", "nl", ["1834"]),
    ],
)
def test_years_are_told_from_counts_in_other_languages(text: str, language: str, years: list[str]) -> None:
    assert [mention.text for mention in find_dates(text, language=language)] == years
