"""A model's rewrite keeps names, numbers, dates and negations, and adds none; its other words may be new."""

import pytest

from services.decompose.condense.model_guards import fault_of

HISTORY = (
    "Is the Corvo 200 allowed on Line S5 in March 2024?",
    "No, the Corvo 200 is not allowed before 7:30, and weighs twenty-four kilograms.",
)
TURN = "and the X-12 last week?"


@pytest.mark.parametrize(
    "rewrite",
    [
        "Could travellers bring an X-12 aboard last week?",
        "Does the X-12, unlike the Corvo 200 of 24 kilograms, count as luggage last week?",
        "Was the X-12 not allowed on the line last week?",
        "Was the X-12 allowed before 7:30 last week?",
    ],
)
def test_ordinary_words_may_be_new(rewrite: str) -> None:
    assert fault_of(rewrite, TURN, HISTORY, "en") is None


@pytest.mark.parametrize(
    ("rewrite", "fault"),
    [
        ("Could travellers from Leeds bring an X-12 last week?", 'nobody said "Leeds"'),
        ("Could travellers bring an X-12 last week before 7:40?", 'nobody said "40"'),
        ("Does an X-12 weigh 24 grams last week?", 'nobody said "24 grams"'),
        ("Could travellers bring an X-12 last week of April 2024?", 'nobody said "April", "April 2024"'),
        ("Could travellers bring an X-13 last week?", 'nobody said "X-13"'),
        ("Could travellers bring a Corvo 200 last week?", 'the turn\'s own "X-12" got lost'),
        ("Could travellers bring an X-12?", 'the turn\'s own "last week" got lost'),
        ("Did travellers with an X-12 not pay last week?", 'nobody denied "pay"'),
        ("Why was the X-12 allowed last week?", 'the denial of "allowed" got lost'),
        ("As you wish.", "it has no word of the conversation"),
        ("", "it has no word of the conversation"),
    ],
)
def test_what_nobody_said_or_the_turn_said_is_named(rewrite: str, fault: str) -> None:
    assert fault_of(rewrite, TURN, HISTORY, "en") == fault


def test_where_all_nouns_have_capitals_a_name_stands_beside_another() -> None:
    history = ("Wer leitet die Kita Sonnenberg?", "Die Kita Sonnenberg wird von Frau Özdemir geleitet.")
    kept = "Unter welcher Nummer ist Frau Özdemir, die Leitung der Kita, zu erreichen?"
    assert fault_of(kept, "wie erreiche ich sie", history, "de") is None
    changed = "Wie erreiche ich Frau Yilmaz, die Leitung der Kita?"
    assert fault_of(changed, "wie erreiche ich sie", history, "de") == 'nobody said "Yilmaz"'


def test_names_of_a_turn_in_capitals_are_not_known_by_them() -> None:
    assert fault_of("How much does the Corvo 200 cost?", "WHAT IS THE PRICE", HISTORY, "en") is None
