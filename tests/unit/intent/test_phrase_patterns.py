import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.intent.policy.phrase_patterns import PatternError, words_of
from services.intent.policy.phrasebook import PatternReading, Phrasebook

LISTS = {
    "ask": ["how do i", "how to"],
    "fruit": ["apple*", "green {size}? pear"],
    "size": ["big", "very big"],
    "mine": ["*'s"],
    "do": ["{ask} ..", "^"],
}
BOOK = Phrasebook(LISTS, language="en")
GAP = BOOK.parse(["eat .. x"])


def stands(pattern: str, sentence: str) -> bool:
    book = Phrasebook(LISTS, language="en")
    patterns = book.parse([pattern])
    return PatternReading(book, words_of(sentence)).has(patterns)


@pytest.mark.parametrize(
    ("pattern", "sentence", "is_there"),
    [
        ("eat", "Do EAT it!", True),
        ("eat", "Do e\u00ada\u200bt it!", True),
        ("appl*", "applesauce", True),
        ("{fruit}", "three apples", True),
        ("{fruit}", "a green very big pear", True),
        ("{fruit}", "a green pear", True),
        ("{mine} garden", "my neighbour’s garden", True),
        ("eat .. {fruit}", "eat my last apple", True),
        ("eat ... {fruit}", "eat one two three four five six apples", True),
        ("{do} eat", "How to quickly eat", True),
        ("{do} eat", "Eat it", True),
        ("eat it $", "please eat it.", True),
        ("well known", "a well-known one", True),
        ("melt~", "melting it", True),
        ("melted~ it", "she melts it", True),
        ("eat", "eating", False),
        ("eat .. {fruit}", "eat one two three apples", False),
        ("eat ... {fruit}", "eat one two three four five six seven apples", False),
        ("{do} eat", "you eat", False),
        ("eat it $", "eat it now", False),
        ("{fruit}", "", False),
        ("{fruit}", "?!", False),
    ],
)
def test_a_pattern_stands_where_all_its_words_are_near_enough(pattern: str, sentence: str, is_there: bool) -> None:
    assert stands(pattern, sentence) is is_there


def test_places_tell_where_a_list_stands_with_every_reading() -> None:
    reading = PatternReading(BOOK, words_of("an apple and a green big pear"))
    assert set(reading.places(BOOK.lists["fruit"])) == {(2, 3), (5, 8)}


@given(st.lists(st.sampled_from(["how", "do", "i", "to", "eat", "green", "big", "pear", "apples", "x"]), max_size=30))
def test_a_gap_finds_whatever_lies_within_its_width(words: list[str]) -> None:
    pairs = [
        (i, j) for i, first in enumerate(words) for j, second in enumerate(words) if first == "eat" and second == "x"
    ]
    expected = any(1 <= j - i <= 3 for i, j in pairs)
    assert PatternReading(BOOK, words).has(GAP) == expected


@pytest.mark.parametrize("pattern", ["", "   ", "{unknown}", "ab*", 7])
def test_a_pattern_that_cannot_be_read_is_refused(pattern: object) -> None:
    with pytest.raises(PatternError):
        BOOK.parse([pattern])  # type: ignore[list-item]


def test_a_list_that_leads_back_to_itself_is_refused() -> None:
    with pytest.raises(PatternError, match="leads back"):
        Phrasebook({"a": ["x {b}"], "b": ["y {a}"]}, language="en")
