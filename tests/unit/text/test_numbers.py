"""Numbers with their values, units and places."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.number_words import small_number
from libs.text.numbers import find_numbers


def numbers(text: str) -> list[tuple[str, float, str | None]]:
    return [(text[n.start : n.end], float(n.value), n.unit) for n in find_numbers(text, language="en")]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1969", 1969, None),
        ("1,500", 1500, None),
        ("384\u202f400 km", 384400, "km"),
        ("3.5 million", 3_500_000, None),
        ("$2.4bn", 2_400_000_000, "USD"),
        ("US$20", 20, "USD"),
        ("£5m", 5_000_000, "GBP"),
        ("12 %", 12, "percent"),
        ("12%", 12, "percent"),
        ("50 percent", 50, "percent"),
        ("-5 °C", -5, "°C"),
        ("minus 179 degrees", -179, "°"),
        ("98 per cent", 98, "percent"),
        ("400 kilometres an hour", 400, "km/h"),
        ("30-mile-per-hour", 30, "mph"),
        ("5 m", 5, "m"),
        ("8 tonnes", 8, "t"),
        ("3-day", 3, "day"),
        ("11 km/s", 11, "km/s"),
        ("twenty-one days", 21, "day"),
        ("two hundred and fifty thousand", 250_000, None),
        ("half a million euros", 500_000, "EUR"),
        ("a dozen", 12, None),
        ("one hour", 1, "hour"),
    ],
)
def test_a_quantity_has_a_value_and_a_unit(text: str, value: float, unit: str | None) -> None:
    assert numbers(f"About {text}, they say.") == [(text, value, unit)]


def test_the_word_after_a_bare_number_may_be_a_number_itself() -> None:
    assert numbers("Voyager 2 nine degrees") == [("2", 2, None), ("nine degrees", 9, "°")]


def test_a_range_shares_its_unit() -> None:
    assert numbers("10–20 km, five to ten days") == [
        ("10", 10, "km"),
        ("20 km", 20, "km"),
        ("five", 5, "day"),
        ("ten days", 10, "day"),
    ]


@pytest.mark.parametrize("text", ["COVID-19", "x86", "v1.2.3", "one of them", "at 10:30", "1/2", "1969-07-20"])
def test_codes_versions_clock_times_and_a_bare_one_are_no_numbers(text: str) -> None:
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("word", "value"),
    [("3", 3), ("three", 3), ("twenty-one", 21), ("a", 1), ("dozen", 12), ("moon", None), ("-", None)],
)
def test_a_small_count_is_read_from_one_word(word: str, value: int | None) -> None:
    assert small_number(word, language="en") == value


@given(st.decimals(0, 10**9, places=2), st.sampled_from(["km", "days", "kg", "%"]))
def test_what_is_written_is_read_back(value: Decimal, unit: str) -> None:
    (number,) = find_numbers(f"It was {value:,} {unit} then.", language="en")
    assert number.value == value


@given(st.text(max_size=60) | st.text(st.sampled_from("019.,-–$%/ kmone"), max_size=40))
def test_any_text_can_be_read_and_numbers_stand_apart(text: str) -> None:
    numbers = find_numbers(text, language="en")
    assert all(0 <= a.start < a.end <= b.start for a, b in pairwise(numbers))
