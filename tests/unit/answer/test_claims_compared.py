"""Single points of a claim against the words that are said to bear it out."""

import random

import pytest

from bench.corruptions import corrupt
from libs.contracts.answers import Verdict
from services.answer.verification.verify import Checker
from services.answer.verification.windows import WindowSource
from tests.unit.answer.evidence_making import passage

TEXT = (
    "The fair opens on 21 April each year. From 1997 to 2006 the gardens were shut. "
    "It has rings, five in the north and eight in the south. The ore holds copper, silver and tin. "
    "The gate refused to open in spring. The water is about 475 degrees Celsius hot. "
    "The tower is 42 metres high and can carry half a tonne. Ada Moss, a student, drew the map in 1961. "
    "It was run for ninety Martian days. The pump uses cobalt-60. The bell is far louder than the old one."
)
FAIR = Checker([WindowSource(passage(TEXT, "fair", "The fair of Dunmore"))])


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Each year the fair opens on 21 April.", "Each year the fair opens on 21 March."),
        ("The gardens were shut from 1997 to 2006.", "The gardens were shut from 1999 to 2006."),
        (
            "It has rings, eight in the south and five in the north.",
            "It has rings, eight in the north and five in the south.",
        ),
        ("The ore holds silver, tin and copper.", "The ore holds silver, gold and copper."),
        ("In spring the gate did not open.", "In spring the gate unfolded and did open."),
        ("The water is 475 °C hot.", "The water is 475 °F hot."),
        ("Half a tonne is what the tower can carry.", "Half a kilogram is what the tower can carry."),
        ("Ada Moss drew the map in 1961.", "Tom Reed drew the map in 1961."),
        ("It was run for ninety Martian days in all.", "It was run for ninety Martian years in all."),
        ("Cobalt-60 is what the pump uses.", "Uranium-235 is what the pump uses."),
        ("The bell is far louder than the old one is.", "The bell is not far louder than the old one."),
    ],
)
def test_one_changed_point_withdraws_a_sentence(true: str, false: str) -> None:
    assert FAIR.check(true).verdict is not Verdict.WITHDRAWN
    assert FAIR.check(false).verdict is Verdict.WITHDRAWN


def test_a_predicate_that_is_not_told_is_never_verified() -> None:
    assert FAIR.check("The map was drawn by Ada Moss, who burned it in 1961.").verdict is not Verdict.VERIFIED


def test_quotes_made_false_by_rule_are_withdrawn() -> None:
    sentences = [sentence if sentence.endswith(".") else f"{sentence}." for sentence in TEXT.split(". ")]
    chance = random.Random(3)
    corruptions = [pair for sentence in sentences for pair in corrupt(sentence, TEXT, ["Kim Vance", "Oslo"], chance)]
    verified_pairs = [pair for pair in corruptions if FAIR.check(pair[1]).verdict is Verdict.VERIFIED]
    assert {kind for kind, _ in corruptions} >= {"number", "date", "unit", "name", "negation"}
    assert verified_pairs == []
