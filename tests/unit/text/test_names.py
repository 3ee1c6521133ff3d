"""The names of a text, as every stage reads them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.names import find_names


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("en", "Which probe of NASA did Ann Lee send? Then Bob left.", ["NASA", "Ann Lee", "Bob"]),
        ("en", "iOS or macOS on a Mac", ["iOS", "macOS", "Mac"]),
        ("en", "On 5 July the rover Lunokhod 1 met Neil Armstrong.", ["Lunokhod 1", "Neil Armstrong"]),
        ("en", "Deep Space 2 was lost in March 1999.", ["Deep Space 2"]),
        ("en", "President John F. Kennedy's wife and Dr. Curie", ["John F. Kennedy", "Curie"]),
        ("en", "Wernher von Braun, or von Braun", ["Wernher von Braun", "von Braun"]),
        ("en", "At the Battle of Hastings in 1066", ["Battle of Hastings"]),
        ("en", "It runs on Python 3.11. Known faults are listed.", ["Python 3.11"]),
        ("en", "Does Starlette 0.44.0 require anything?", ["Starlette 0.44.0"]),
        ("en", "the AX-220 or the ax-210", ["AX-220", "ax-210"]),
        ("en", "Where is Elizabeth II?", ["Elizabeth II"]),
        ("de", "Der Astronaut Neil Armstrong arbeitete für die NASA.", ["Neil Armstrong", "NASA"]),
        ("de", "Die Apollo 11 landete im Juli auf dem Mond.", ["Apollo 11", "Mond"]),
        ("de", "Wie erreiche ich Frau Weber in der Schule?", ["Weber"]),
        ("de", "Wann kam Bürgermeisterin Anna Weber nach Berlin?", ["Anna Weber", "Berlin"]),
        ("de", "Wann landete die Sonde Luna 9 weich?", ["Luna 9"]),
    ],
)
def test_names_are_told_by_capitals_numbers_and_codes(language: str, text: str, names: list[str]) -> None:
    found = find_names(text, language)
    assert [name.text for name in found if name.is_sure] == names
    assert all(text[name.start : name.end] == name.text for name in found)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Landing was easy."),
        ("en", "when did viking 1 land on mars"),
        ("en", "Describe the rooms. However, walking is allowed on Monday in May."),
        ("en", "It took 3 steps and the water was 475 °C hot, since 1 March."),
        ("en", "I watch TV, and so do they"),
        ("de", "Der Architekt baute im Sommer eine Brücke aus Holz."),
        ("de", "Der Bau kostete 12 Millionen Euro und 60 Tonnen Stahl."),
        ("de", "Für das Gehege 12 junge Pinguine zu finden, war schwer."),
    ],
)
def test_other_capitals_and_numbers_are_no_names(language: str, text: str) -> None:
    assert [name.text for name in find_names(text, language) if name.is_sure] == []


def test_the_first_word_is_a_name_by_its_form() -> None:
    assert [name.is_sure for name in find_names("Armstrong walked.", "en")] == [False]
    assert [name.is_sure for name in find_names("NASA launched it.", "en")] == [True]


def test_a_count_ends_a_name() -> None:
    texts = ("In Zurich 190 euros", "Cassini circled Saturn 294 times", "of Parley 20 %", "on Boeing 747")
    assert [find_names(text, "en")[-1].text for text in texts] == ["Zurich", "Saturn", "Parley", "Boeing 747"]


@given(st.text(max_size=80), st.sampled_from(("en", "de", "xx")))
def test_names_stand_in_order_where_they_say(text: str, language: str) -> None:
    names = find_names(text, language)
    assert all(text[name.start : name.end] == name.text for name in names)
    assert all(first.end <= second.start for first, second in pairwise(names))
