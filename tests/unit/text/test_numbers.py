"""Numbers with their values, units and places."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.numbers.finder import find_numbers
from libs.text.numbers.words import small_number, value_of_words


def numbers(text: str, language: str = "en") -> list[tuple[str, float, str | None]]:
    return [(text[n.start : n.end], float(n.value), n.unit) for n in find_numbers(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "value", "unit"),
    [
        ("en", "1969", 1969, None),
        ("en", "1,500", 1500, None),
        ("en", "384\u202f400 km", 384400, "km"),
        ("en", "3.5 million", 3_500_000, None),
        ("en", "$2.4bn", 2_400_000_000, "USD"),
        ("en", "US$20", 20, "USD"),
        ("en", "£5m", 5_000_000, "GBP"),
        ("en", "12 %", 12, "percent"),
        ("en", "12%", 12, "percent"),
        ("en", "50 percent", 50, "percent"),
        ("en", "-5 °C", -5, "°C"),
        ("en", "minus 179 degrees", -179, "°"),
        ("en", "98 per cent", 98, "percent"),
        ("en", "400 kilometres an hour", 400, "km/h"),
        ("en", "30-mile-per-hour", 30, "mph"),
        ("en", "5 m", 5, "m"),
        ("en", "8 tonnes", 8, "t"),
        ("en", "3-day", 3, "day"),
        ("en", "11 km/s", 11, "km/s"),
        ("en", "twenty-one days", 21, "day"),
        ("en", "two hundred and fifty thousand", 250_000, None),
        ("en", "half a million euros", 500_000, "EUR"),
        ("en", "a dozen", 12, None),
        ("en", "one hour", 1, "hour"),
        ("de", "1969", 1969, None),
        ("de", "1.250,50 Euro", 1250.5, "EUR"),
        ("de", "3,5 Millionen", 3_500_000, None),
        ("de", "2,4 Mrd. Euro", 2_400_000_000, "EUR"),
        ("de", "1 250", 1250, None),
        ("de", "384\u202f400 km", 384400, "km"),
        ("de", "12,5 Prozent", 12.5, "percent"),
        ("de", "5 Tage", 5, "day"),
        ("de", "einundzwanzig Tagen", 21, "day"),
        ("de", "zweihundertfünfzig", 250, None),
        ("de", "dreitausendvierhundertzwölf Jahre", 3412, "year"),
        ("de", "zwei Millionen", 2_000_000, None),
        ("de", "eine Million Euro", 1_000_000, "EUR"),
        ("de", "eine halbe Million", 500_000, None),
        ("de", "ein halbes Jahr", 0.5, "year"),
        ("de", "minus 5 Grad Celsius", -5, "°C"),
        ("de", "120 Kilometer pro Stunde", 120, "km/h"),
        ("de", "130 Stundenkilometer", 130, "km/h"),
        ("de", "300 Quadratmeter", 300, "m²"),
        ("de", "elf Lichtjahre", 11, "light-year"),
    ],
)
def test_a_quantity_has_a_value_and_a_unit(language: str, text: str, value: float, unit: str | None) -> None:
    sentence = {"en": f"About {text}, they say.", "de": f"Etwa {text}, heißt es."}[language]
    assert numbers(sentence, language) == [(text, value, unit)]


def test_the_word_after_a_bare_number_may_be_a_number_itself() -> None:
    assert numbers("Voyager 2 nine degrees") == [("2", 2, None), ("nine degrees", 9, "°")]


def test_a_range_shares_its_unit() -> None:
    assert numbers("fünf bis zehn Tage", "de") == [("fünf", 5, "day"), ("zehn Tage", 10, "day")]
    assert numbers("10–20 km, five to ten days") == [
        ("10", 10, "km"),
        ("20 km", 20, "km"),
        ("five", 5, "day"),
        ("ten days", 10, "day"),
    ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "COVID-19"),
        ("en", "x86"),
        ("en", "v1.2.3"),
        ("en", "one of them"),
        ("en", "at 10:30"),
        ("en", "1/2"),
        ("en", "1969-07-20"),
        ("de", "Ein Haus und eine Brücke"),
        ("de", "Achtung, die Elfen!"),
        ("de", "am 3.10.1990"),
        ("de", "Version 1.2.3"),
        ("de", "im Zweifel"),
        ("de", "eine Woche"),
    ],
)
def test_codes_versions_clock_times_and_a_bare_one_are_no_numbers(language: str, text: str) -> None:
    assert numbers(text, language) == []


@pytest.mark.parametrize(
    ("language", "word", "value"),
    [
        ("en", "3", 3),
        ("en", "three", 3),
        ("en", "twenty-one", 21),
        ("en", "a", 1),
        ("en", "dozen", 12),
        ("en", "moon", None),
        ("en", "-", None),
        ("de", "3", 3),
        ("de", "drei", 3),
        ("de", "einundzwanzig", 21),
        ("de", "einer", 1),
        ("de", "Dutzend", 12),
        ("de", "Mond", None),
    ],
)
def test_a_small_count_is_read_from_one_word(language: str, word: str, value: int | None) -> None:
    assert small_number(word, language) == value


@given(st.decimals(0, 10**9, places=2), st.sampled_from(["km", "days", "kg", "%"]))
def test_what_is_written_is_read_back(value: Decimal, unit: str) -> None:
    (number,) = find_numbers(f"It was {value:,} {unit} then.", language="en")
    assert number.value == value


@given(st.text(max_size=60) | st.text(st.sampled_from("019.,-–$%/ kmone"), max_size=40))
def test_any_text_can_be_read_and_numbers_stand_apart(text: str) -> None:
    numbers = find_numbers(text, language="en")
    assert all(0 <= a.start < a.end <= b.start for a, b in pairwise(numbers))


def test_a_phrase_with_another_word_is_refused() -> None:
    with pytest.raises(KeyError, match="monde"):
        value_of_words("zwei Monde", "de")


@pytest.mark.parametrize(("text", "values"), [("3,5 km", [3.5]), ("3.5 km", [3.5]), ("1,500 km", []), ("1969", [1969])])
def test_without_words_of_the_language_only_clear_digits_are_read(text: str, values: list[float]) -> None:
    assert [float(number.value) for number in find_numbers(text, "xx")] == values
