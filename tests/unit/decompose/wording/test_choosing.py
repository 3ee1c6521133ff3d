"""Which words are taken, by their probabilities."""

from services.decompose.wording.choosing import Thresholds, choose
from services.decompose.wording.tagger import Needed
from tests.unit.decompose.wording.messages import message

HISTORY = [message("Does Red Bull keep you awake at night?")]
THRESHOLDS = Thresholds(first=0.45, word=0.4, part_of_name=0.2, most=2)


def test_likely_words_are_taken() -> None:
    assert choose(Needed({"awak": 0.5, "night": 0.3}, 1.0), HISTORY, THRESHOLDS) == {"awak": 0.5}


def test_a_name_is_taken_whole_but_not_an_unlikely_part() -> None:
    assert choose(Needed({"bull": 0.5, "red": 0.3}, 1.0), HISTORY, THRESHOLDS) == {"bull": 0.5, "red": 0.3}
    assert choose(Needed({"bull": 0.5, "red": 0.1}, 1.0), HISTORY, THRESHOLDS) == {"bull": 0.5}


def test_neighbours_without_capitals_are_no_name() -> None:
    assert choose(Needed({"awak": 0.5, "keep": 0.3}, 1.0), HISTORY, THRESHOLDS) == {"awak": 0.5}


def test_nothing_is_taken_where_nothing_is_needed() -> None:
    assert choose(Needed({"awak": 0.44, "night": 0.44}, 1.0), HISTORY, THRESHOLDS) == {}
    assert choose(Needed({}, 1.0), HISTORY, THRESHOLDS) == {}


def test_only_the_likeliest_are_taken() -> None:
    needed = Needed({"awak": 0.6, "night": 0.7, "keep": 0.8}, 1.0)
    assert choose(needed, HISTORY, THRESHOLDS) == {"keep": 0.8, "night": 0.7}
