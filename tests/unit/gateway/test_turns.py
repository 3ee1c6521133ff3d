"""The way of a turn from question to answer, over scripted stages and a real store."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gateway.events.events import Plan, References, TextEnd
from gateway.request import PlanMode, TurnOptions, TurnRequest
from gateway.turn.turns import Turns
from libs.contracts.conversation import ConversationView
from libs.contracts.dates import TimeRange
from libs.contracts.query import (
    Decision,
    DecisionRecord,
    QueryGraph,
    QueryNode,
    WeightedQuery,
    WeightedTerm,
)
from libs.contracts.session import Outcome
from libs.contracts.stages.answer import WriteRequest
from libs.contracts.understanding import Understanding
from libs.runtime.errors import InvalidInput
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import ASK, ASKED, REJECTED, ask, completed, kinds, pick


async def test_a_turn_tells_its_events_in_order_numbered_from_one(turns: Turns) -> None:
    events = await ask(turns)
    expected = "condensed understanding plan sub_query sub_query references text citation text_end usage completed"
    assert kinds(events) == expected.split()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.turn_id for event in events}) == 1


async def test_a_refused_question_is_not_searched(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding = REJECTED
    events = await ask(turns)
    assert kinds(events) == ["condensed", "understanding", "references", "text", "text_end", "usage", "completed"]
    assert completed(events).outcome is Outcome.REJECTED
    assert stages.count("retrieve") == 0


async def test_asking_back_offers_its_choices_to_the_next_turn(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding = ASKED
    first = await ask(turns)
    assert pick(first, TextEnd) == [TextEnd("Which one?\n1. Viking 1\n2. Viking 2")]
    assert completed(first).outcome is Outcome.ASKED
    await ask(turns, TurnRequest("the second one", session_id=completed(first).session_id))
    view = [argument for method, argument in stages.calls if method == "condense"][1]
    assert isinstance(view, ConversationView)
    assert view.offered_choices == ("Viking 1", "Viking 2")


async def test_a_vague_question_is_probed_before_it_is_understood(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding = Understanding(grounded_query="x", ask_score=2.0)
    await ask(turns)
    calls = [call for call in stages.calls if call[0] != "detect_range"]
    assert [method for method, _ in calls][:4] == ["condense", "understand", "retrieve", "understand"]
    assert calls[3][1] == tuple(stages.results["*"])


async def test_each_wording_of_a_vague_question_is_understood_once(turns: Turns, stages: ScriptedStages) -> None:
    first = DecisionRecord(Decision.PASS, "", "When did it land?", "When did it land?")
    stages.condense_hints = (first,)
    stages.record = replace(first, standalone="When did that lander land?")
    stages.understanding = Understanding(grounded_query="x", ask_score=2.0)
    await ask(turns)
    probes = [argument for method, argument in stages.calls if method.startswith("understand")]
    assert probes == [(), tuple(stages.results["*"])]


async def test_a_vague_question_without_topics_is_grounded_as_worded_last(turns: Turns, stages: ScriptedStages) -> None:
    first = DecisionRecord(Decision.PASS, "", "When did it land?", "When did it land?")
    stages.condense_hints, stages.results = (first,), {}
    stages.record = replace(first, standalone="When did that lander land?")
    stages.understanding = Understanding(grounded_query="x", ask_score=2.0)
    await ask(turns)
    assert [method for method, _ in stages.calls if method.startswith("understand")] == [
        "understand",
        "understand anew",
    ]


async def test_what_was_grounded_is_what_is_searched(turns: Turns, stages: ScriptedStages) -> None:
    query = WeightedQuery("the second one", (WeightedTerm("Viking", 0.4),))
    stages.record = DecisionRecord(Decision.PASS, "", "the second one", "the second one", query=query)
    stages.understanding = Understanding(grounded_query="When did Viking 2 land?")
    await ask(turns, TurnRequest("the second one", options=TurnOptions(plan=PlanMode.OFF)))
    assert ("retrieve", "When did Viking 2 land?") in stages.calls


@pytest.mark.parametrize(("is_acted_on", "outcome"), [(True, Outcome.ABSTAINED), (False, Outcome.ANSWERED)])
async def test_an_abstention_is_told_with_its_score_even_if_it_is_not_acted_on(
    turns: Turns, stages: ScriptedStages, is_acted_on: bool, outcome: Outcome
) -> None:
    stages.abstained, stages.abstains = is_acted_on, True
    end = completed(await ask(turns))
    assert (end.outcome, end.abstain_score, end.abstains) == (outcome, 0.25, True)


async def test_without_a_plan_the_question_is_searched_as_it_is(turns: Turns, stages: ScriptedStages) -> None:
    await ask(turns, TurnRequest("?", options=TurnOptions(plan=PlanMode.OFF)))
    assert stages.count("decompose") == 0
    assert stages.count("retrieve") == 1


@pytest.mark.parametrize(("grounded", "calls"), [("", 0), ("When did it land?", 0), ("When did Luna 9 land?", 1)])
async def test_what_the_rules_split_while_condensing_holds_unless_the_question_is_grounded(
    turns: Turns, stages: ScriptedStages, grounded: str, calls: int
) -> None:
    stages.planned_graph = QueryGraph((QueryNode("1", "When?"), QueryNode("2", "Where?")))
    stages.graph = QueryGraph((QueryNode("1", "one"),))
    stages.understanding = Understanding(grounded_query=grounded)
    (plan,) = pick(await ask(turns, TurnRequest("When did it land?")), Plan)
    assert stages.count("decompose") == calls
    assert [node.text for node in plan.graph.nodes] == (["one"] if calls else ["When?", "Where?"])


async def test_what_the_rules_split_does_not_hold_for_a_time_that_is_searched_by_its_range(
    turns: Turns, stages: ScriptedStages
) -> None:
    question = "What landed in 1970?"
    query, landing = WeightedQuery(question), TimeRange(datetime(1970, 1, 1, tzinfo=UTC), None)
    stages.record = DecisionRecord(Decision.PASS, "", question, question, query=query)
    stages.planned_graph = QueryGraph((QueryNode("1", question),))
    stages.understanding = Understanding(grounded_query=question, time_range=landing)
    await ask(turns, TurnRequest(question))
    assert stages.count("decompose") == 1


async def test_the_ranking_is_each_passages_best_over_all_nodes(turns: Turns, stages: ScriptedStages) -> None:
    stages.graph = QueryGraph((QueryNode("1", "one"), QueryNode("2", "two")))
    stages.results = {
        "one": [evidence("a", 0.9), evidence("b", 0.2, 2)],
        "two": [evidence("b", 0.8), evidence("c", 0.1, 2)],
    }
    (event,) = pick(await ask(turns, TurnRequest("?", options=TurnOptions(ranking=2))), References)
    assert [(place.passage_id, place.score) for place in event.ranking] == [("a", 0.9), ("b", 0.8)]
    assert [(r.number, r.evidence.passage.passage_id, r.evidence.nodes) for r in event.references] == [
        (1, "a", ("1",)),
        (2, "b", ("1", "2")),
        (3, "c", ("2",)),
    ]


@pytest.mark.parametrize(
    ("field", "options"),
    [("rewriter_model", TurnOptions(rewriter_model="huge")), ("answer_model", TurnOptions(answer_model="huge"))],
)
async def test_a_language_model_that_is_not_offered_is_refused_in_both_ways_to_ask(
    turns: Turns, field: str, options: TurnOptions
) -> None:
    request = replace(ASK, options=options)
    for asking in (ask(turns, request), turns.supply(request)):
        with pytest.raises(InvalidInput) as error:
            await asking
        assert error.value.violations[0].field == f"options.{field}"


async def test_a_language_model_that_is_offered_goes_to_its_stage(turns: Turns, stages: ScriptedStages) -> None:
    turns.models = frozenset({"large", "rules"})
    options = TurnOptions(rewriter_model="large", answer_model="rules", wordings=("When did it land?",))
    await ask(turns, replace(ASK, options=options))
    assert [(order.model, order.wordings) for order in stages.condense_requests] == [("large", options.wordings)]
    assert [order.model for _, order in stages.calls if isinstance(order, WriteRequest)] == ["rules"]
