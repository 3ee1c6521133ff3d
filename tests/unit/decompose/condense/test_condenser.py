"""Which turns are made to stand alone, by what, and which are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.conversation import ConversationView, TurnReading
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.usage import Degraded, Stage
from libs.language.turns.reader import read_turn
from libs.runtime.errors import ParleyError, Unavailable
from libs.text.limits import MAX_QUESTION
from services.decompose.condense.condenser import Condenser, condense_by_reading
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.wording.service import StandaloneWording, WordingService
from tests.fakes.scripted_wording import GivenWording, ScriptedWording
from tests.unit.decompose.conversations import REFUND, VIKING, conversation, seen
from tests.unit.decompose.conversations import Said as SaidTurn


async def condense(
    turn: str, *history: SaidTurn, wording: WordingService | None = None, options: tuple[str, ...] = ()
) -> tuple[DecisionRecord, tuple[Degraded, ...]]:
    window = conversation(*history)
    result = await Condenser(wording).condense(turn, window, read_turn(turn, seen(window, options)))
    return result.record, result.degraded


async def test_only_sure_words_of_the_history_are_searched() -> None:
    window = conversation(VIKING)
    wording = StandaloneWording(
        "Who built Viking 1 (Mars)?",
        "Who built Viking 1?",
        ("Viking 1", "Mars"),
        need=0.9,
        leaves_topic=False,
    )
    condenser, turn = Condenser(GivenWording(wording)), "Who built it?"
    result = await condenser.condense(turn, window, read_turn(turn, seen(window)))
    assert (result.record.standalone, result.record.question) == ("Who built Viking 1 (Mars)?", "Who built Viking 1?")


async def test_a_turn_about_something_else_is_a_change_of_topic() -> None:
    wording = StandaloneWording("How is tea made?", "How is tea made?", (), 0.1, leaves_topic=True)
    record, _ = await condense("How is tea made?", VIKING, wording=GivenWording(wording))
    assert (record.decision, record.standalone) == (Decision.SWITCH, "How is tea made?")


async def test_a_turn_takes_the_words_that_it_needs_of_the_history() -> None:
    wording = ScriptedWording(("Viking 1",))
    record, degraded = await condense("Who built it?", VIKING, "And where?", wording=wording)
    assert (record.decision, record.standalone) == (Decision.CONDENSE, "Who built it (Viking 1)?")
    assert (record.raw, record.confidence) == ("Who built it?", 0.7)
    assert record.antecedents == ("Viking 1",)
    assert not degraded
    assert wording.asked == [("Who built it?", [(True, VIKING[0]), (False, VIKING[1]), (True, "And where?")])]


async def test_a_turn_that_needs_nothing_keeps_its_words_byte_for_byte() -> None:
    record, _ = await condense("  how do I track my order?", REFUND, wording=ScriptedWording())
    assert (record.decision, record.standalone) == (Decision.PASS, "  how do I track my order?")
    assert record.confidence == 0.9


@pytest.mark.parametrize("turn", ["Thanks!", "Great, thank you!", "Hello"])
async def test_a_courtesy_takes_nothing(turn: str) -> None:
    wording = ScriptedWording(("Viking 1",))
    record, _ = await condense(turn, VIKING, wording=wording)
    assert (record.decision, record.standalone) == (Decision.PASS, turn)
    assert not wording.asked


async def test_older_turns_are_read_from_their_summary() -> None:
    wording = ScriptedWording()
    window = HistoryWindow((Exchange("And where?"),), "When did Viking 1 land?\nWho built it?", 2)
    await Condenser(wording).condense("Is it heavy?", window, read_turn("Is it heavy?", ConversationView()))
    assert wording.asked[0][1] == [(True, "When did Viking 1 land?"), (True, "Who built it?"), (True, "And where?")]


async def test_a_failure_of_the_model_leaves_the_turn_to_the_weighted_history() -> None:
    record, degraded = await condense(
        "Who built it?", VIKING, wording=ScriptedWording(error=Unavailable("UNAVAILABLE", "gone"))
    )
    assert (record.decision, record.standalone) == (Decision.PASS, "Who built it?")
    assert [(each.stage, each.reason) for each in degraded] == [(Stage.DECOMPOSE, "UNAVAILABLE")]


@pytest.mark.parametrize(("turn", "is_asked"), [("Und wer hat ihn gebaut?", False), ("And who built it?", True)])
async def test_only_the_language_that_the_tagger_is_fitted_to_is_worded(turn: str, is_asked: bool) -> None:
    wording = ScriptedWording(("Turm",))
    record, degraded = await condense(turn, ("Wo steht der Turm?", "Am Markt."), wording=wording)
    assert bool(wording.asked) is is_asked
    assert (record.standalone != turn) is is_asked
    assert not degraded


@pytest.mark.parametrize(("newest", "is_read"), [("Who built it?", True), ("Und wer hat ihn gebaut?", False)])
@pytest.mark.parametrize("error", [None, Unavailable("UNAVAILABLE", "gone")])
async def test_what_the_next_turn_may_need_is_read_ahead_in_that_language(
    newest: str, is_read: bool, error: ParleyError | None
) -> None:
    window = conversation(VIKING, newest)
    ahead, next_turn = ScriptedWording(error=error), ScriptedWording()
    await Condenser(ahead).read_ahead(seen(window))
    await Condenser(next_turn).condense("And when?", window, TurnReading("en", text="And when?"))
    assert ahead.read_ahead == [history for _, history in next_turn.asked if is_read]


@pytest.mark.parametrize(
    ("turn", "question", "standalone"),
    [
        ("And in June?", "What was decided in May 2026?", "What was decided in June 2026?"),
        ("and last year?", "Who won the cup in 1998?", "Who won the cup last year?"),
        ("0.46.0?", "When was Starlette 0.44.0 released?", "When was Starlette 0.46.0 released?"),
        ("And on Tuesday?", "Which bins are emptied on Monday?", "Which bins are emptied on Tuesday?"),
    ],
)
async def test_a_time_number_or_code_takes_the_place_of_its_like(turn: str, question: str, standalone: str) -> None:
    record, _ = await condense(turn, question)
    assert (record.decision, record.standalone.lower()) == (Decision.CONDENSE, standalone.lower())


@pytest.mark.parametrize(
    "turn",
    [
        "What happened since September?",
        "what's new this week?",
        "In 2024, what happened?",
        "Was geschah im Oktober?",
        "Was ist letzte Woche passiert?",
    ],
)
async def test_a_question_of_a_time_alone_takes_nothing(turn: str) -> None:
    wording = ScriptedWording(("chainsaw",))
    record, _ = await condense(turn, "May I use the chainsaw alone?", wording=wording)
    assert (record.decision, record.standalone, record.confidence) == (Decision.PASS, turn, 0.95)
    assert not wording.asked


@pytest.mark.parametrize("turn", ["What happened to it last week?", "What happened there in May?", "What happened?"])
async def test_a_question_of_a_time_that_says_more_may_take_something(turn: str) -> None:
    wording = ScriptedWording(("chainsaw",))
    await condense(turn, "May I use the chainsaw alone?", wording=wording)
    assert wording.asked


async def test_what_replaces_its_like_does_so_in_the_standalone_question() -> None:
    window = HistoryWindow((Exchange("And in June?", standalone="What was decided in June 2026?"),))
    record = condense_by_reading("And in July?", window, read_turn("And in July?", seen(window)))
    assert record is not None
    assert record.standalone.lower() == "what was decided in july 2026?"


async def test_a_pick_completes_the_question_that_was_asked() -> None:
    record, _ = await condense("the second one", "When did the lander touch down?", options=("Viking 1", "Viking 2"))
    assert record.standalone == "When did the lander touch down Viking 2?"
    assert record.antecedents == ("Viking 2",)


async def test_a_pick_within_a_turn_takes_the_place_of_its_words() -> None:
    listed = ("Which landers are there?", "There are two:\n- Viking 1\n- Viking 2")
    record, _ = await condense("How heavy is the second one?", listed)
    assert (record.decision, record.standalone) == (Decision.CONDENSE, "How heavy is Viking 2?")
    assert record.antecedents == ("Viking 2",)


async def test_a_wish_for_another_form_asks_the_previous_question_again() -> None:
    record, _ = await condense("shorter please", VIKING)
    assert (record.decision, record.standalone) == (Decision.CONDENSE, VIKING[0])


@pytest.mark.parametrize(
    ("turn", "question"),
    [
        ("By the way, do you sell bicycles?", "Do you sell bicycles?"),
        ("ok, another question: how is tea made?", "How is tea made?"),
        ("Right, something else. Who runs the one-off service?", "Who runs the one-off service?"),
        ("Andere Frage: Wann kommt die Müllabfuhr?", "Wann kommt die Müllabfuhr?"),
        ("Another question!", "Another question!"),
    ],
)
async def test_an_announced_topic_takes_nothing_of_the_old_one_and_is_searched_without_what_announces_it(
    turn: str, question: str
) -> None:
    record, _ = await condense(turn, VIKING, wording=ScriptedWording(("Viking 1",)))
    assert (record.decision, record.standalone, record.question) == (Decision.SWITCH, turn, question)


async def test_what_is_announced_as_another_topic_but_points_to_the_old_one_is_condensed() -> None:
    record, _ = await condense("Another question: who built it?", VIKING, wording=ScriptedWording(("Viking 1",)))
    assert record.decision is Decision.CONDENSE


@pytest.mark.parametrize("turn", ["Who built it?", "When did Viking 1 land?"])
async def test_without_a_history_every_turn_is_taken_as_it_is(turn: str) -> None:
    wording = ScriptedWording(("Mars",))
    record, _ = await condense(turn, wording=wording)
    assert (record.decision, record.standalone, record.confidence) == (Decision.PASS, turn, 1.0)
    assert not wording.asked


async def test_a_text_that_is_longer_than_a_question_is_not_worded() -> None:
    wording = ScriptedWording(("Mars",))
    record, _ = await condense("why " * MAX_QUESTION, VIKING, wording=wording)
    assert record.decision is Decision.PASS
    assert not wording.asked


@given(st.text(max_size=60), st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=3))
async def test_whatever_is_said_the_raw_words_stay_and_what_is_left_alone_is_left_alone(
    turn: str, history: list[tuple[str, str]]
) -> None:
    record, _ = await condense(turn, *history)
    assert record.raw == turn
    assert record.decision is Decision.CONDENSE or record.standalone == turn
    assert 0 <= record.confidence <= 1
