"""A turn from question to kept conversation, over scripted stages and a real store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from gateway.context_codec import SessionCodec
from gateway.conversations import Conversations
from gateway.convert import KINDS, GatewayTurnCodec, event_message
from gateway.events import Completed, Event, Recommendation, References, SubQuery, TextEnd, UsageReport
from gateway.pipeline import Pipeline
from gateway.request import Act, PlanMode, TimelineUse, TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.stages import WriteOrder
from gateway.store.sqlite import SqliteStore, sqlite_store
from gateway.turns import Turns
from gateway.understanding import UnderstandingPhase
from parley.context.v1 import usage_pb2
from services.runtime.errors import Conflict, FailedPrecondition, InvalidInput, NotFound, PermissionDenied, Unavailable
from services.vocabulary.answers import Citation
from services.vocabulary.conversation import ConversationView, HistoryMessage, Speaker
from services.vocabulary.evidence import Relevance
from services.vocabulary.query import (
    ContextSelection,
    ContextSentence,
    Decision,
    DecisionRecord,
    QueryGraph,
    QueryNode,
    WeightedQuery,
    WeightedTerm,
)
from services.vocabulary.session import Outcome
from services.vocabulary.timeline import Timeline
from services.vocabulary.understanding import QuestionRejection, QuestionSupplement, Understanding
from services.vocabulary.usage import CostSource, Degraded, Stage, Usage, UsageSource
from tests.fakes.stages import ScriptedStages, evidence

K = TypeVar("K")
ASK = TurnRequest("When did it land?")
DOWN = Unavailable("STAGE_UNAVAILABLE", "the service can't be reached right now")
REJECTED = Understanding(QuestionRejection(True, "That I do not answer."), grounded_query="x")
ASKED = Understanding(
    question_supplement=QuestionSupplement(True, "Which one?", ("Viking 1", "Viking 2")), grounded_query="x"
)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with sqlite_store(tmp_path / "sessions.db", keep_seconds=60) as opened:
        yield opened


@pytest.fixture
def stages() -> ScriptedStages:
    return ScriptedStages(found={"*": [evidence("a"), evidence("b", 0.5, rank=2)]})


@pytest.fixture
def turns(store: SqliteStore, stages: ScriptedStages) -> Turns:
    settings = GatewaySettings(stage_seconds=1, timeline_seconds=0.2)
    all_stages = stages.stages()
    conversations = Conversations(store, SessionCodec())
    pipeline = Pipeline(all_stages, settings)
    return Turns(
        conversations, store, GatewayTurnCodec(), UnderstandingPhase(all_stages, settings.probe_score), pipeline
    )


async def ask(turns: Turns, request: TurnRequest = ASK) -> list[Event]:
    return [event async for event in turns.ask(request)]


def kinds(events: list[Event]) -> list[str]:
    return [KINDS[type(event.happening)] for event in events]


def completed(events: list[Event]) -> Completed:
    assert isinstance(events[-1].happening, Completed)
    return events[-1].happening


def pick(events: list[Event], kind: type[K]) -> list[K]:
    return [event.happening for event in events if isinstance(event.happening, kind)]


async def test_a_turn_tells_its_events_in_order(turns: Turns) -> None:
    events = await ask(turns)
    expected = "condensed understanding plan sub_query sub_query references text citation text_end usage completed"
    assert kinds(events) == expected.split()


async def test_events_are_numbered_from_one_and_name_their_turn(turns: Turns) -> None:
    events = await ask(turns)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.turn_id for event in events}) == 1


async def test_a_new_conversation_gets_a_session_that_remembers(turns: Turns, stages: ScriptedStages) -> None:
    session_id = completed(await ask(turns)).session_id
    await ask(turns, TurnRequest("And then?", session_id=session_id))
    view = stages.calls[[n for n, (method, _) in enumerate(stages.calls) if method == "condense"][1]][1]
    assert view == ConversationView(
        (HistoryMessage(Speaker.USER, "When did it land?"), HistoryMessage(Speaker.AGENT, "It landed. [1]"))
    )


async def test_a_client_may_carry_the_conversation(turns: Turns, stages: ScriptedStages) -> None:
    history = (HistoryMessage(Speaker.USER, "Tell me of Viking 1."), HistoryMessage(Speaker.AGENT, "A lander."))
    first = completed(await ask(turns, TurnRequest("When did it land?", history=history)))
    assert first.context
    assert not first.session_id
    await ask(turns, TurnRequest("And then?", context=first.context))
    views = [said for method, said in stages.calls if method == "condense"]
    assert isinstance(views[1], ConversationView)
    assert [message.text for message in views[1].messages][:2] == ["Tell me of Viking 1.", "A lander."]
    assert len(views[1].messages) == 4


@pytest.mark.parametrize("session_id", ["s-1", ""])
async def test_two_conversations_at_once_are_refused(turns: Turns, session_id: str) -> None:
    said = (HistoryMessage(Speaker.USER, "hello"),)
    with pytest.raises(InvalidInput) as refused:
        await ask(turns, TurnRequest("?", session_id=session_id, context="UAE=", history=said))
    assert refused.value.reason == "CONVERSATION_AMBIGUOUS"


@pytest.mark.parametrize("context", ["", "x", "UAEAAAAA", "//8=", "UAIAAAAAAAA="])
async def test_a_broken_context_is_refused(turns: Turns, context: str) -> None:
    if not context:
        context = (completed(await ask(turns, TurnRequest("?", history=(HistoryMessage(Speaker.USER, "a"),))))).context
        context = context[:-8] + ("A" * 8 if not context.endswith("A" * 8) else "B" * 8)
    with pytest.raises(InvalidInput) as refused:
        await ask(turns, TurnRequest("?", context=context))
    assert refused.value.reason == "CONTEXT_BROKEN"
    assert refused.value.violations[0].field == "context"


async def test_a_refused_question_is_not_searched(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding = REJECTED
    events = await ask(turns)
    assert kinds(events) == ["condensed", "understanding", "references", "text", "text_end", "usage", "completed"]
    assert completed(events).outcome is Outcome.REJECTED
    assert stages.count("retrieve") == 0


async def test_a_refusal_can_be_recorded_only(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding = REJECTED
    events = await ask(turns, TurnRequest("?", options=TurnOptions(reject=Act.RECORD_ONLY)))
    assert completed(events).outcome is Outcome.ANSWERED


async def test_asking_back_offers_its_choices_to_the_next_turn(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding = ASKED
    first = await ask(turns)
    assert pick(first, TextEnd) == [TextEnd("Which one?\n1. Viking 1\n2. Viking 2")]
    assert completed(first).outcome is Outcome.ASKED
    await ask(turns, TurnRequest("the second one", session_id=completed(first).session_id))
    view = [said for method, said in stages.calls if method == "condense"][1]
    assert isinstance(view, ConversationView)
    assert view.offered_choices == ("Viking 1", "Viking 2")


async def test_a_vague_question_is_probed_before_it_is_understood(turns: Turns, stages: ScriptedStages) -> None:
    stages.understanding = Understanding(grounded_query="x", ask_score=2.0)
    await ask(turns)
    assert [method for method, _ in stages.calls][:4] == ["condense", "understand", "retrieve", "understand"]
    assert stages.calls[3][1] == tuple(stages.found["*"])


async def test_what_was_grounded_is_what_is_searched(turns: Turns, stages: ScriptedStages) -> None:
    query = WeightedQuery("the second one", (WeightedTerm("Viking", 0.4),))
    stages.record = DecisionRecord(Decision.PASS, "", "the second one", "the second one", query=query)
    stages.understanding = Understanding(grounded_query="When did Viking 2 land?")
    await ask(turns, TurnRequest("the second one", options=TurnOptions(plan=PlanMode.OFF)))
    assert ("retrieve", "When did Viking 2 land?") in stages.calls


async def test_abstaining_is_an_outcome_with_its_score(turns: Turns, stages: ScriptedStages) -> None:
    stages.abstained = True
    end = completed(await ask(turns))
    assert (end.outcome, end.abstain_score) == (Outcome.ABSTAINED, 0.25)


async def test_an_abstention_that_is_not_acted_on_is_told(turns: Turns, stages: ScriptedStages) -> None:
    stages.abstains = True
    end = completed(await ask(turns))
    assert (end.outcome, end.abstains) == (Outcome.ANSWERED, True)


async def test_without_a_plan_the_question_is_searched_as_it_is(turns: Turns, stages: ScriptedStages) -> None:
    await ask(turns, TurnRequest("?", options=TurnOptions(plan=PlanMode.OFF)))
    assert stages.count("decompose") == 0
    assert stages.count("retrieve") == 1


async def test_the_ranking_is_each_passages_best_over_all_nodes(turns: Turns, stages: ScriptedStages) -> None:
    stages.graph = QueryGraph((QueryNode("1", "one"), QueryNode("2", "two")))
    stages.found = {
        "one": [evidence("a", 0.9), evidence("b", 0.2, 2)],
        "two": [evidence("b", 0.8), evidence("c", 0.1, 2)],
    }
    (told,) = pick(await ask(turns, TurnRequest("?", options=TurnOptions(ranking=2))), References)
    assert isinstance(told, References)
    assert [(place.passage_id, place.score) for place in told.ranking] == [("a", 0.9), ("b", 0.8)]
    assert [(r.number, r.evidence.passage.passage_id, r.evidence.nodes) for r in told.references] == [
        (1, "a", ("1",)),
        (2, "b", ("1", "2")),
        (3, "c", ("2",)),
    ]


async def test_follow_ups_are_kept_only_where_the_corpus_answers(turns: Turns, stages: ScriptedStages) -> None:
    stages.questions = ("good?", "weak?", "none?", "fine?", "too many?", "far too many?")
    good = {name: [evidence("x")] for name in ("good?", "fine?", "too many?")}
    stages.found = {**stages.found, **good, "weak?": [evidence("x", relevance=Relevance.LOW)], "none?": []}
    events = await ask(turns)
    (told,) = [event.happening for event in events if KINDS[type(event.happening)] == "recommendation"]
    assert told.questions == ("good?", "fine?", "too many?")  # type: ignore[union-attr]


@pytest.mark.parametrize(("asked", "proposed"), [(None, 3), (2, 2), (6, 3), (0, 0)])
async def test_a_request_may_want_fewer_follow_ups_than_the_setting(
    turns: Turns, stages: ScriptedStages, asked: int | None, proposed: int
) -> None:
    stages.questions = ("one?", "two?", "three?", "four?")
    stages.found = {**stages.found, **{name: [evidence("x")] for name in stages.questions}}
    events = await ask(turns, TurnRequest("?", options=TurnOptions(recommendations=asked)))
    assert sum(len(told.questions) for told in pick(events, Recommendation)) == proposed
    assert stages.count("recommend") == (1 if proposed else 0)


async def test_a_request_may_want_no_timeline_whatever_it_asks(turns: Turns, stages: ScriptedStages) -> None:
    events = await ask(turns, TurnRequest("?", options=TurnOptions(pro=True, timeline=TimelineUse.OFF)))
    assert pick(events, Timeline) == []
    assert stages.count("build") == 0


async def test_a_pro_turn_gets_a_timeline_beside_its_answer(turns: Turns, stages: ScriptedStages) -> None:
    events = await ask(turns, TurnRequest("?", options=TurnOptions(pro=True)))
    assert len(pick(events, Timeline)) == 1
    assert stages.count("build") == 1


@pytest.mark.parametrize("how", ["fails", "is late"])
async def test_a_timeline_that_does_not_come_harms_nothing(turns: Turns, stages: ScriptedStages, how: str) -> None:
    if how == "fails":
        stages.failures["build"] = DOWN
    else:
        stages.delays["build"] = 5
    events = await ask(turns, TurnRequest("?", options=TurnOptions(pro=True)))
    assert completed(events).outcome is Outcome.ANSWERED
    (said,) = pick(events, Degraded)
    assert isinstance(said, Degraded)
    assert said.reason == ("STAGE_UNAVAILABLE" if how == "fails" else "DEADLINE_EXCEEDED")


@pytest.mark.parametrize("method", ["condense", "decompose", "recommend"])
async def test_a_turn_goes_on_without_what_it_can_do_without(turns: Turns, stages: ScriptedStages, method: str) -> None:
    stages.failures[method] = DOWN
    events = await ask(turns)
    assert completed(events).outcome is Outcome.ANSWERED
    assert len(pick(events, Degraded)) == 1


@pytest.mark.parametrize("method", ["understand", "retrieve", "write"])
async def test_a_turn_ends_with_the_failure_of_what_it_needs(turns: Turns, stages: ScriptedStages, method: str) -> None:
    stages.failures[method] = DOWN
    with pytest.raises(Unavailable):
        await ask(turns, TurnRequest("?", session_id="s-1"))
    del stages.failures[method]
    assert completed(await ask(turns, TurnRequest("?", session_id="s-1"))).outcome is Outcome.ANSWERED


async def test_usage_tells_the_time_of_each_task(turns: Turns) -> None:
    (report,) = pick(await ask(turns), UsageReport)
    assert isinstance(report, UsageReport)
    tasks = {used.task for used in report.tasks}
    assert tasks == {"condense", "understand", "decompose", "detect_range", "retrieve", "recommend", "write"}
    assert report.milliseconds > 0


def test_what_rewriting_and_answering_cost_is_kept_apart() -> None:
    priced = UsageSource.PROVIDER, CostSource.PRICE_TABLE
    tasks = (
        Usage(Stage.DECOMPOSE, "condense", 3.0),
        Usage(Stage.DECOMPOSE, "condense", 0.0, 100, 10, 0.25, *priced),
        Usage(Stage.DECOMPOSE, "rewrite_synonyms", 0.0, 50, 5, 0.5, *priced),
        Usage(Stage.ANSWER, "write", 0.0, 900, 90, 0.0, UsageSource.PROVIDER, CostSource.UNKNOWN),
        Usage(Stage.INTENT, "understand", 0.0, 7, 7, 0.125, *priced),
    )
    told = event_message(Event("q", 1, UsageReport(tasks, 4.0))).usage
    rewriting, answering = told.rewriting, told.answering
    assert (rewriting.input_tokens, rewriting.output_tokens, rewriting.cost_usd) == (150, 15, 0.75)
    assert (answering.input_tokens, answering.output_tokens, answering.cost_usd) == (900, 90, 0.0)
    assert (rewriting.cost_source, answering.cost_source) == (
        usage_pb2.COST_SOURCE_PRICE_TABLE,
        usage_pb2.COST_SOURCE_UNKNOWN,
    )
    assert (told.input_tokens, told.cost_usd) == (1057, 0.875)


async def test_a_models_tokens_are_counted_and_its_time_only_once(turns: Turns, stages: ScriptedStages) -> None:
    stages.condensing = (Usage(Stage.DECOMPOSE, "condense", 5000.0, 100, 10, model="m"),)
    (report,) = pick(await ask(turns), UsageReport)
    assert isinstance(report, UsageReport)
    assert (report.rewriting.input_tokens, report.answering.input_tokens) == (100, 0)
    assert sum(used.milliseconds for used in report.tasks) < 5000


async def test_how_the_context_was_chosen_is_told_and_not_kept(turns: Turns, stages: ScriptedStages) -> None:
    selection = ContextSelection((ContextSentence("Who was first?", Speaker.USER, 0),))
    stages.record = DecisionRecord(Decision.PASS, "", "?", "?", selection=selection)
    (record,) = pick(await ask(turns, TurnRequest("?", session_id="s-1")), DecisionRecord)
    assert isinstance(record, DecisionRecord)
    assert record.selection == selection
    kept = await turns.conversations.open(TurnRequest("?", session_id="s-1"))
    assert [turn.record.selection for turn in kept.context.turns if turn.record] == [None]


async def test_phase_two_computes_nothing_of_phase_one_again(turns: Turns, stages: ScriptedStages) -> None:
    supplied = await turns.supply(ASK)
    events = [event async for event in turns.answer(supplied.question_id, "", ())]
    assert kinds(events) == kinds(await ask(turns))
    assert (stages.count("condense"), stages.count("understand")) == (2, 2)
    assert completed(events).session_id == supplied.session_id
    assert {event.turn_id for event in events} == {supplied.question_id}


async def test_an_unknown_question_is_not_found(turns: Turns) -> None:
    with pytest.raises(NotFound) as missing:
        [event async for event in turns.answer("q-none", "", ())]
    assert missing.value.reason == "QUESTION_NOT_FOUND"


async def test_another_principals_question_is_not_found(turns: Turns) -> None:
    supplied = await turns.supply(TurnRequest("?", principals=("ann",)))
    with pytest.raises(NotFound):
        [event async for event in turns.answer(supplied.question_id, "", ("bob",))]


async def test_a_retry_gets_the_same_events_and_asks_no_stage(turns: Turns, stages: ScriptedStages) -> None:
    request = TurnRequest("When did it land?", request_id="r-1")
    first = await ask(turns, request)
    called = len(stages.calls)
    assert await ask(turns, request) == first
    assert len(stages.calls) == called


async def test_a_retry_while_the_first_call_runs_waits_for_it(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays["retrieve"] = 0.1
    request = TurnRequest("When did it land?", request_id="r-1")
    first, second = await asyncio.gather(ask(turns, request), ask(turns, request))
    assert first == second
    assert stages.count("condense") == 1


async def test_a_request_id_belongs_to_one_question(turns: Turns) -> None:
    await ask(turns, TurnRequest("one?", request_id="r-1"))
    with pytest.raises(FailedPrecondition) as refused:
        await ask(turns, TurnRequest("two?", request_id="r-1"))
    assert refused.value.reason == "REQUEST_ID_REUSED"


async def test_phase_one_is_safe_to_retry(turns: Turns, stages: ScriptedStages) -> None:
    request = TurnRequest("When did it land?", request_id="r-1")
    assert await turns.supply(request) == await turns.supply(request)
    assert stages.count("condense") == 1


async def test_of_two_turns_at_once_in_a_session_one_loses(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays["retrieve"] = 0.05
    results = await asyncio.gather(
        *(ask(turns, TurnRequest(f"{n}?", session_id="s-1")) for n in range(2)), return_exceptions=True
    )
    assert sum(isinstance(result, Conflict) for result in results) == 1


async def test_a_session_with_principals_is_not_for_others(turns: Turns) -> None:
    await ask(turns, TurnRequest("?", session_id="s-1", principals=("ann",)))
    with pytest.raises(PermissionDenied):
        await ask(turns, TurnRequest("?", session_id="s-1"))


async def test_a_turn_whose_caller_leaves_is_kept_as_cancelled(
    turns: Turns, stages: ScriptedStages, store: SqliteStore
) -> None:
    stages.delays["write"] = 5
    async with aclosing(turns.ask(TurnRequest("?", session_id="s-1"))) as events:
        async for event in events:
            if isinstance(event.happening, SubQuery):
                break
    stored = await store.load("s-1")
    assert stored is not None
    (turn,) = SessionCodec().from_bytes(stored.content).turns
    assert turn.outcome is Outcome.CANCELLED


async def test_citations_of_the_stage_reach_the_client(turns: Turns) -> None:
    (citation,) = pick(await ask(turns), Citation)
    assert isinstance(citation, Citation)
    assert citation.references[0].passage_id == "a"


@pytest.mark.parametrize(
    ("field", "options"),
    [("rewriter_model", TurnOptions(rewriter_model="huge")), ("answer_model", TurnOptions(answer_model="huge"))],
)
async def test_a_language_model_that_is_not_offered_is_refused_in_both_ways_to_ask(
    turns: Turns, field: str, options: TurnOptions
) -> None:
    request = replace(ASK, options=options)
    for asking in (ask(turns, request), turns.supply(request)):
        with pytest.raises(InvalidInput) as refused:
            await asking
        assert refused.value.violations[0].field == f"options.{field}"


async def test_a_language_model_that_is_offered_goes_to_its_stage(turns: Turns, stages: ScriptedStages) -> None:
    turns.models = frozenset({"large", "rules"})
    options = TurnOptions(rewriter_model="large", answer_model="rules", wordings=("When did it land?",))
    await ask(turns, replace(ASK, options=options))
    assert [(order.model, order.wordings) for order in stages.condensed] == [("large", options.wordings)]
    assert [order.model for _, order in stages.calls if isinstance(order, WriteOrder)] == ["rules"]
