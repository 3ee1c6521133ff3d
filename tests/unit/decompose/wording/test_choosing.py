"""Which words are taken, by their probabilities."""

from services.decompose.wording.choosing import choose
from services.decompose.wording.tagger import Needed, Thresholds
from tests.unit.decompose.wording.messages import message

HISTORY = [message("Does Red Bull keep you awake at night?")]


def needed(*, need: float = 0.9, other_topic: float = 0.1, **probabilities: float) -> Needed:
    return Needed(probabilities, need, other_topic, Thresholds(need=0.5, word=0.4, other_topic=0.7))


def test_likely_words_are_taken() -> None:
    assert choose(needed(awak=0.5, night=0.3), HISTORY) == {"awak": 0.5}


def test_a_name_is_taken_whole_but_not_an_unlikely_part() -> None:
    assert choose(needed(bull=0.5, red=0.3), HISTORY) == {"bull": 0.5, "red": 0.3}
    assert choose(needed(bull=0.5, red=0.1), HISTORY) == {"bull": 0.5}


def test_neighbours_without_capitals_are_no_name() -> None:
    assert choose(needed(awak=0.5, keep=0.3), HISTORY) == {"awak": 0.5}


def test_nothing_is_taken_where_nothing_is_needed() -> None:
    assert choose(needed(awak=0.6, need=0.4), HISTORY) == {}
    assert choose(needed(awak=0.39), HISTORY) == {}
    assert choose(needed(), HISTORY) == {}


def test_nothing_is_taken_of_another_topic() -> None:
    assert choose(needed(awak=0.6, other_topic=0.8), HISTORY) == {}
