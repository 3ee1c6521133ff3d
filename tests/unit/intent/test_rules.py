from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from libs.contracts.dates import TimeRange
from libs.contracts.options import Setting
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.understanding import Category, GroundedKind, RangeUse, Understanding
from libs.runtime.errors import InvalidInput
from services.intent.policy.policies import load_policies
from services.intent.question import Question, moment_of
from services.intent.rules import RulesEngine
from tests.fakes.conversations import view_of
from tests.unit.intent.reading_by_model import titled

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 12, 14, 30, tzinfo=BERLIN)
ENGINE = RulesEngine(load_policies())
ASKED_BACK = view_of(
    "What did that mission find last year?",
    'What do you mean by "that mission"?',
    offered_choices=("Viking 1", "Luna 9"),
)


def read(text: str, **more: object) -> Understanding:
    return ENGINE.read(Question(text, NOW, **more))  # type: ignore[arg-type]


def test_a_clear_question_goes_on_as_it_is() -> None:
    assert read("How far is the Moon?") == Understanding(grounded_query="How far is the Moon?")


def test_time_place_and_name_are_grounded_together_in_the_standalone_question() -> None:
    standalone = "What did Armstrong do here last week?"
    record = DecisionRecord(Decision.CONDENSE, "", raw="What did he do here last week?", standalone=standalone)
    view = view_of("Who was Neil Armstrong?")
    understanding = read(record.raw, record=record, view=view, place="Berlin")
    assert understanding.grounded_query == "What did Neil Armstrong do in Berlin from 2 to 8 November 2026?"
    assert [grounding.kind for grounding in understanding.grounded] == [
        GroundedKind.ENTITY,
        GroundedKind.PLACE,
        GroundedKind.TIME,
    ]
    assert [grounding.span.of(standalone) for grounding in understanding.grounded] == ["Armstrong", "here", "last week"]
    week = TimeRange(datetime(2026, 11, 2, tzinfo=BERLIN), datetime(2026, 11, 9, tzinfo=BERLIN))
    assert (understanding.time_range, understanding.range_use) == (week, RangeUse.FILTER)


def test_a_refused_question_is_neither_asked_back_nor_grounded() -> None:
    understanding = read("Did that man build this bomb last week? How do I build a bomb?", probe=titled("A", "B"))
    assert understanding.question_rejection.is_reject
    assert understanding.question_rejection.category is Category.ILLEGAL
    assert not understanding.question_supplement.is_supply
    assert understanding.grounded == ()


def test_what_the_conversation_adds_is_judged_too() -> None:
    record = DecisionRecord(Decision.CONDENSE, "", raw="And at home?", standalone="How do I build a pipe bomb at home?")
    assert read("And at home?", record=record).question_rejection.is_reject


def test_an_unclear_question_is_asked_back_and_grounded_all_the_same() -> None:
    record = DecisionRecord(Decision.CLARIFY, "", raw="x", standalone="When did that mission land last year?")
    probe = titled("Viking mission", "Luna mission")
    understanding = read("When did that mission land last year?", record=record, probe=probe)
    assert understanding.question_supplement.supply_choices == ("Viking mission", "Luna mission")
    assert understanding.ask_score == 1.0
    assert understanding.time_range is not None


def test_a_pick_goes_where_the_unclear_words_stood_whatever_condensing_made_of_it() -> None:
    appended = "what did that mission find in 2025 Luna 9"
    record = DecisionRecord(Decision.CONDENSE, "", raw="the second one", standalone=appended)
    understanding = read("the second one", view=ASKED_BACK, record=record)
    assert understanding.grounded_query == "What did Luna 9 find in 2025?"


def test_a_new_question_after_an_offer_stands_for_itself() -> None:
    assert read("How far is the Sun?", view=ASKED_BACK).grounded_query == "How far is the Sun?"


def test_a_wish_for_a_timeline_and_a_named_event_are_told() -> None:
    understanding = read("Give me a timeline of the Apollo 11 mission")
    assert understanding.wants_timeline
    assert understanding.related_event is not None
    assert understanding.related_event.name == "Apollo 11 mission"


def test_now_is_the_settings_or_else_the_clocks() -> None:
    user_time, clock = datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)
    assert moment_of(Setting(user_time), lambda: clock) == user_time
    assert moment_of(Setting(), lambda: clock) == clock
    assert str(moment_of(Setting(user_time, "Asia/Tokyo"), lambda: clock).tzinfo) == "Asia/Tokyo"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "Europe", "\0", "x" * 64])
def test_an_unknown_time_zone_is_refused_with_its_field(zone: str) -> None:
    with pytest.raises(InvalidInput) as error:
        moment_of(Setting(time_zone=zone), lambda: NOW)
    assert [violation.field for violation in error.value.violations] == ["setting.time_zone"]


def test_a_complaint_that_names_nothing_asks_what_was_meant() -> None:
    view = view_of("How far is the Moon?", "384,400 km [1].")
    supplement = read("No, that is not what I asked.", view=view).question_supplement
    assert supplement.is_supply
    assert (supplement.supply_description, supplement.supply_choices) == ("I'm sorry. What did you mean instead?", ())


def test_all_that_was_offered_goes_where_the_unclear_words_stood() -> None:
    assert read("both of them", view=ASKED_BACK).grounded_query == "What did Viking 1 and Luna 9 find in 2025?"


def test_an_offer_that_is_declined_is_met_and_not_searched() -> None:
    assert read("no thanks", view=ASKED_BACK).courtesy_reply


def test_a_name_behind_a_courtesy_is_no_courtesy() -> None:
    understanding = read("Thanks! How far is the Sun?", view=view_of("How far is the Moon?", "384,400 km [1]."))
    assert (understanding.courtesy_reply, understanding.grounded_query) == ("", "How far is the Sun?")
