"""German numbers: compounds, the decimal comma, thousands with a point or space, German units."""

import pytest

from libs.text.number_words import small_number, value_of_words
from libs.text.numbers import find_numbers


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1969", 1969, None),
        ("1.250,50 Euro", 1250.5, "EUR"),
        ("3,5 Millionen", 3_500_000, None),
        ("2,4 Mrd. Euro", 2_400_000_000, "EUR"),
        ("1 250", 1250, None),
        ("384\u202f400 km", 384400, "km"),
        ("12,5 Prozent", 12.5, "percent"),
        ("5 Tage", 5, "day"),
        ("einundzwanzig Tagen", 21, "day"),
        ("zweihundertfünfzig", 250, None),
        ("dreitausendvierhundertzwölf Jahre", 3412, "year"),
        ("zwei Millionen", 2_000_000, None),
        ("eine Million Euro", 1_000_000, "EUR"),
        ("eine halbe Million", 500_000, None),
        ("ein halbes Jahr", 0.5, "year"),
        ("minus 5 Grad Celsius", -5, "°C"),
        ("120 Kilometer pro Stunde", 120, "km/h"),
        ("130 Stundenkilometer", 130, "km/h"),
        ("300 Quadratmeter", 300, "m²"),
        ("elf Lichtjahre", 11, "light-year"),
    ],
)
def test_a_quantity_has_a_value_and_a_unit(text: str, value: float, unit: str | None) -> None:
    sentence = f"Etwa {text}, heißt es."
    assert [(sentence[n.start : n.end], float(n.value), n.unit) for n in find_numbers(sentence, "de")] == [
        (text, value, unit)
    ]


@pytest.mark.parametrize(
    "text",
    ["Ein Haus und eine Brücke", "Achtung, die Elfen!", "am 3.10.1990", "Version 1.2.3", "im Zweifel", "eine Woche"],
)
def test_articles_dates_and_parts_of_words_are_no_numbers(text: str) -> None:
    assert find_numbers(text, "de") == ()


def test_a_range_shares_its_unit() -> None:
    numbers = find_numbers("fünf bis zehn Tage", "de")
    assert [(float(number.value), number.unit) for number in numbers] == [(5, "day"), (10, "day")]


@pytest.mark.parametrize(
    ("word", "value"), [("3", 3), ("drei", 3), ("einundzwanzig", 21), ("einer", 1), ("Dutzend", 12), ("Mond", None)]
)
def test_a_small_count_is_read_from_one_word(word: str, value: int | None) -> None:
    assert small_number(word, "de") == value


def test_a_phrase_with_another_word_is_refused() -> None:
    with pytest.raises(KeyError, match="monde"):
        value_of_words("zwei Monde", "de")


@pytest.mark.parametrize(("text", "values"), [("3,5 km", [3.5]), ("3.5 km", [3.5]), ("1,500 km", []), ("1969", [1969])])
def test_without_words_of_the_language_only_clear_digits_are_read(text: str, values: list[float]) -> None:
    assert [float(number.value) for number in find_numbers(text, "xx")] == values
