"""Both stages take the one reading of a turn as given, and without one read it alike: they never disagree."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from libs.contracts.conversation import ConversationView, TurnKind, TurnReading
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.stages.decompose import CondenseRequest
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.understanding import Understanding
from libs.language.turns.reader import read_turn, with_readings
from services.decompose.decomposer import Decomposer
from services.decompose.turn_analysis import DecomposeBounds
from services.decompose.words.domain import load_domain
from services.intent.policy.policies import load_policies
from services.intent.question import question_of
from services.intent.rules import RulesEngine
from tests.fakes.conversations import view_of

DECOMPOSER = Decomposer(load_domain(language="en"), DecomposeBounds())
INTENT = RulesEngine(load_policies())
ROOMS = view_of("Which rooms can I book?", "The Blue Room and the Library [1].")
ASKED = replace(
    view_of("How many people fit in it?", "Which room do you mean?"), offered_choices=("Blue Room", "Library")
)
RAUM = view_of("Wie groß ist der Blaue Saal?", "Er hat 40 Plätze [1].")
TURNS = [
    ("How large is the second one?", ROOMS),
    ("Thanks, and the price?", ROOMS),
    ("Great, that is all I need.", ROOMS),
    ("No, I meant the garden.", ROOMS),
    ("No, that is not what I asked.", ROOMS),
    ("shorter please", ROOMS),
    ("the latter", ASKED),
    ("both", ASKED),
    ("no thanks", ASKED),
    ("And the garden?", ASKED),
    ("AX-220?", RAUM),
    ("Danke!", RAUM),
    ("Nein, ich meinte den Garten", RAUM),
]


async def read_by_both(
    turn: str, view: ConversationView, reading: TurnReading | None
) -> tuple[DecisionRecord, Understanding]:
    record = (await DECOMPOSER.condense(CondenseRequest(turn, view, reading=reading))).record
    request = UnderstandRequest(turn, record, view, reading=reading)
    return record, INTENT.read(question_of(request, lambda: datetime(2026, 11, 27, tzinfo=UTC)))


@pytest.mark.parametrize(("turn", "view"), TURNS)
async def test_a_reading_that_is_given_is_what_each_stage_would_read(turn: str, view: ConversationView) -> None:
    reading = read_turn(turn, with_readings(view))
    assert await read_by_both(turn, view, reading) == await read_by_both(turn, view, None)


@pytest.mark.parametrize(("turn", "view"), TURNS)
async def test_both_stages_act_on_one_kind_and_one_pick(turn: str, view: ConversationView) -> None:
    reading = read_turn(turn, with_readings(view))
    record, understanding = await read_by_both(turn, view, reading)
    assert record.raw == turn
    assert bool(understanding.courtesy_reply) == (reading.kind is TurnKind.COURTESY)
    if reading.picks and reading.picking:
        assert all(pick in record.standalone for pick in reading.picks)
    elif reading.picks:
        picked = [each.value for each in understanding.grounded if each.phrase == turn]
        assert picked == list(record.antecedents)
    if not reading.text and reading.kind is not TurnKind.FORM:
        assert record.decision is not Decision.CONDENSE


async def test_a_stage_believes_the_reading_and_not_its_own_eyes() -> None:
    told = TurnReading("de", TurnKind.QUESTION, "Wie teuer ist der Garten?", ("Library",))
    record, understanding = await read_by_both("How much is it?", ASKED, told)
    assert record.antecedents == ("Library",)
    assert [each.value for each in understanding.grounded][:1] == ["Library"]
