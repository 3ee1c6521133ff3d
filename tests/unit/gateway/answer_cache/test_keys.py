"""What makes two questions the same for the cache of answers."""

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from gateway.answer_cache.keys import answer_key, question_key
from gateway.request import Act, PlanMode, TimelineUse, TurnOptions, TurnRequest
from gateway.turn.draft import Draft
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.dates import TimeRange
from libs.contracts.options import Budget, Depth, Fusion, Length
from libs.contracts.query import Decision, DecisionRecord, Filters, QueryGraph, QueryNode, Strategy, WeightedQuery
from libs.contracts.understanding import Understanding

HOUR: Final = 3600.0
NOON: Final = datetime(2026, 5, 25, 12, tzinfo=UTC)
VIEW: Final = ConversationView((HistoryMessage(Speaker.USER, "When did it start?"),))
UNDERSTANDING: Final = Understanding(grounded_query="When did Luna 9 land?")
RECORD: Final = DecisionRecord(
    Decision.PASS,
    "it stands alone",
    "when did luna 9 land",
    "When did Luna 9 land?",
    query=WeightedQuery("Luna 9 land"),
)
OTHER_OPTIONS: Final[Mapping[str, Any]] = {
    "collection": "moon",
    "filters": Filters(sources=("news",)),
    "depth": Depth(evidence=3),
    "strategy": Strategy.MMR,
    "plan": PlanMode.OFF,
    "ranking": 10,
    "pro": True,
    "language": "de",
    "length": Length.SHORT,
    "now": NOON + timedelta(hours=1),
    "time_zone": "Europe/Berlin",
    "place": "Berlin",
    "budget": Budget(max_seconds=3.0),
    "abstain": Act.RECORD_ONLY,
    "fusion": Fusion.RRF,
    "context_sentences": 3,
    "timeline_events": 5,
    "web": True,
    "recommendations": 0,
    "timeline": TimelineUse.OFF,
    "answer_model": "large",
    "wordings": ("in other words",),
}
"""Another value for each option that the answer depends on."""
INDIFFERENT: Final[Mapping[str, Any]] = {
    "ask_back": Act.RECORD_ONLY,
    "reject": Act.RECORD_ONLY,
    "rewriter_model": "rules",
    "speculate": False,
    "progress": True,
    "resumable": True,
    "record": True,
    "no_cache": True,
}
"""Options that change how a turn runs, or decisions before the answer: what these lead to counts by itself."""


def draft(question: str = "when did luna 9 land", principals: tuple[str, ...] = (), **options: Any) -> Draft:
    request = TurnRequest(question, options=TurnOptions(**{"now": NOON, **options}), principals=principals)
    return Draft("q-1", request, VIEW, RECORD)


def key(one: Draft, understanding: Understanding = UNDERSTANDING) -> bytes:
    return answer_key(one, understanding, HOUR).answer


def test_every_option_either_counts_or_is_known_not_to() -> None:
    assert {*OTHER_OPTIONS, *INDIFFERENT} == {field.name for field in dataclasses.fields(TurnOptions)}


@pytest.mark.parametrize("name", OTHER_OPTIONS)
def test_another_option_is_another_question(name: str) -> None:
    assert key(draft(**{name: OTHER_OPTIONS[name]})) != key(draft())
    assert question_key(draft(**{name: OTHER_OPTIONS[name]}), HOUR) != question_key(draft(), HOUR)


@pytest.mark.parametrize("name", INDIFFERENT)
def test_how_a_turn_runs_does_not_count(name: str) -> None:
    assert key(draft(**{name: INDIFFERENT[name]})) == key(draft())


def test_the_same_question_in_other_words_is_the_same_once_it_stands_alone() -> None:
    other = dataclasses.replace(draft("When did Luna 9 land?"), record=dataclasses.replace(RECORD, raw="Luna 9 land?"))
    assert key(other) == key(draft())


def test_principals_count_in_any_order() -> None:
    assert key(draft(principals=("ann", "bob"))) == key(draft(principals=("bob", "ann")))
    assert len({key(draft()), key(draft(principals=("ann",))), key(draft(principals=("ann", "bob")))}) == 3


def test_the_conversation_counts() -> None:
    assert key(dataclasses.replace(draft(), view=ConversationView())) != key(draft())


def test_a_moment_counts_in_steps() -> None:
    assert key(draft(now=NOON + timedelta(minutes=59))) == key(draft())
    assert key(draft(now=NOON - timedelta(seconds=1))) != key(draft())


@pytest.mark.parametrize(
    "other",
    [
        {"grounded_query": "When did Luna 16 land?"},
        {"time_range": TimeRange(NOON, NOON + timedelta(days=1))},
        {"wants_timeline": True},
        {"translated_query": "Wann landete Luna 9?"},
        {"language": "de"},
    ],
)
def test_what_was_understood_counts(other: dict[str, Any]) -> None:
    assert key(draft(), dataclasses.replace(UNDERSTANDING, **other)) != key(draft())


def test_a_graph_that_a_model_planned_counts() -> None:
    graph = QueryGraph((QueryNode("1", "Luna 9"), QueryNode("2", "landing")))
    assert key(dataclasses.replace(draft(), graph=graph)) != key(draft())


def test_a_speculative_answer_to_a_follow_up_counts_with_its_raw_words() -> None:
    tentative = dataclasses.replace(draft(), is_tentative=True)
    other = dataclasses.replace(draft("and when did it land"), is_tentative=True)
    assert len({key(draft()), key(tentative), key(other)}) == 3
