"""The names of a turn: what one stage takes for a name, each other one does, because all read them in one place."""

import pytest

from libs.language.detection import reading_language
from libs.text.names import find_names
from services.answer.questions.question import read_question
from services.answer.verification.claims import read_claims
from services.decompose.words.phrases import find_named
from services.intent.grounding.entities import complete_names

TURNS = [
    "When did Viking 1 land on Mars, and who built it?",
    "when did viking 1 land on mars",
    "Which is older, the AX-220 or Corvo 200?",
    "What did President John F. Kennedy say to Wernher von Braun in May 1961?",
    "Compare the Battle of Hastings with World War II.",
    "Does Python 3.11 run at NASA?",
    "Wann wurde Bürgermeisterin Anna Weber nach Berlin eingeladen?",
    "Welche Sonde der NASA flog vor Apollo 11?",
    "What is the price of a room for 12 guests?",
]


@pytest.mark.parametrize("turn", TURNS)
def test_each_stage_reads_the_same_names(turn: str) -> None:
    language = reading_language(turn)
    names = [name for name in find_names(turn, language) if name.is_sure]
    assert list(read_question(turn, language).names) == [name.text for name in names]
    assert list(find_named(turn, language)[: len(names)]) == [n.text for n in names]
    assert [name.text for name in read_claims(turn, language).names] == [n.text for n in names]


@pytest.mark.parametrize("turn", TURNS)
def test_a_name_is_completed_only_by_a_longer_name(turn: str) -> None:
    language = reading_language(turn)
    for grounding in complete_names("What about Kennedy, Viking and Weber?", [turn], language):
        assert grounding.grounded.value in [name.text for name in find_names(turn, language)]
