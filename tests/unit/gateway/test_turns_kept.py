"""Turns of one conversation: what they remember, retries, two at once, and whose they are."""

import math

import pytest

from gateway.events.events import References
from gateway.request import TurnRequest
from gateway.session.context_codec import context_encode
from gateway.session.conversation import SEARCHED_BESIDE
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker, TurnKind, TurnReading
from libs.contracts.evidence import RankedPassage
from libs.contracts.query import (
    ContextSelection,
    ContextSentence,
    Decision,
    DecisionRecord,
    QueryGraph,
    QueryNode,
    WeightedQuery,
)
from libs.contracts.session import SessionContext
from libs.contracts.stages.retrieve import EarlierRanking
from libs.contracts.wire.codec import to_message
from libs.runtime.errors import FailedPrecondition, InvalidInput
from parley.context.v1 import session_pb2
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import ASK, ask, completed, kinds, pick, stored_turns

FOUND = (RankedPassage("a", 1.0), RankedPassage("b", 0.5))


def asked_as(query: WeightedQuery) -> QueryGraph:
    """A graph of one question."""
    return QueryGraph((QueryNode("1", query.text, query=query),))


async def test_a_new_conversation_gets_a_session_that_remembers(turns: Turns, stages: ScriptedStages) -> None:
    session_id = completed(await ask(turns)).session_id
    await ask(turns, TurnRequest("And then?", session_id=session_id))
    view = [argument for method, argument in stages.calls if method == "condense"][1]
    reading = TurnReading("en", TurnKind.QUESTION, "When did it land?")
    assert view == ConversationView(
        (
            HistoryMessage(Speaker.USER, "When did it land?", reading=reading, standalone="When did it land?"),
            HistoryMessage(Speaker.AGENT, "It landed. [1]", FOUND),
        )
    )


async def test_a_follow_up_is_searched_beside_what_the_latest_turns_found(turns: Turns, stages: ScriptedStages) -> None:
    session_id = completed(await ask(turns)).session_id
    for _ in range(SEARCHED_BESIDE + 1):
        stages.graph = asked_as(WeightedQuery("And then?", recalls_passages=True))
        await ask(turns, TurnRequest("And then?", session_id=session_id))
    stages.graph = asked_as(WeightedQuery("Something else?"))
    await ask(turns, TurnRequest("Something else?", session_id=session_id))
    found = EarlierRanking(FOUND)
    assert stages.recalled == [(), (found,), (found, found), (found, found), ()]


async def test_all_that_a_turn_found_is_stored(turns: Turns, stores: Stores, stages: ScriptedStages) -> None:
    events = await ask(turns)
    (references,) = pick(events, References)
    assert references.ranking == ()
    (turn,) = await stored_turns(stores, completed(events).session_id)
    assert turn.ranking == FOUND


async def test_a_client_may_carry_the_conversation(turns: Turns, stages: ScriptedStages) -> None:
    history = (HistoryMessage(Speaker.USER, "Tell me of Viking 1."), HistoryMessage(Speaker.AGENT, "A lander."))
    first = completed(await ask(turns, TurnRequest("When did it land?", history=history)))
    assert first.context
    assert not first.session_id
    await ask(turns, TurnRequest("And then?", context=first.context))
    views = [argument for method, argument in stages.calls if method == "condense"]
    assert isinstance(views[1], ConversationView)
    assert [message.text for message in views[1].messages][:2] == ["Tell me of Viking 1.", "A lander."]
    assert len(views[1].messages) == 4


@pytest.mark.parametrize("session_id", ["s-1", ""])
async def test_two_conversations_at_once_are_refused(turns: Turns, session_id: str) -> None:
    history = (HistoryMessage(Speaker.USER, "hello"),)
    with pytest.raises(InvalidInput) as error:
        await ask(turns, TurnRequest("?", session_id=session_id, context="UAE=", history=history))
    assert error.value.reason == "CONVERSATION_AMBIGUOUS"


FOUND_NOWHERE = HistoryMessage(Speaker.AGENT, "It landed.", (RankedPassage("a", math.nan),))
UNFIT = context_encode(to_message(SessionContext(prior=(FOUND_NOWHERE,)), session_pb2.SessionContext))
BOMB = context_encode(session_pb2.SessionContext(turns=[session_pb2.Turn()] * 200_000))  # 2 kB


@pytest.mark.parametrize("context", ["", "x", "UAEAAAAA", "//8=", "UAIAAAAAAAA=", UNFIT, BOMB])
async def test_a_broken_context_is_refused(turns: Turns, context: str) -> None:
    if not context:
        context = (completed(await ask(turns, TurnRequest("?", history=(HistoryMessage(Speaker.USER, "a"),))))).context
        context = context[:-8] + ("A" * 8 if not context.endswith("A" * 8) else "B" * 8)
    with pytest.raises(InvalidInput) as error:
        await ask(turns, TurnRequest("?", context=context))
    assert error.value.reason == "CONTEXT_BROKEN"
    assert error.value.violations[0].field == "context"


async def test_how_the_context_was_chosen_is_not_kept(turns: Turns, stages: ScriptedStages, stores: Stores) -> None:
    selection = ContextSelection((ContextSentence("Who was first?", Speaker.USER, 0),))
    stages.record = DecisionRecord(Decision.PASS, "", "?", "?", selection=selection)
    (record,) = pick(await ask(turns, TurnRequest("?", session_id="s-1")), DecisionRecord)
    assert record.selection == selection
    assert [turn.record.selection for turn in await stored_turns(stores, "s-1") if turn.record] == [None]


async def test_phase_two_computes_nothing_of_phase_one_again(turns: Turns, stages: ScriptedStages) -> None:
    question = await turns.supply(ASK)
    events = [event async for event in await turns.answer(question.question_id, "", ())]
    assert kinds(events) == kinds(await ask(turns))
    assert (stages.count("condense"), stages.count("understand")) == (2, 2)
    assert completed(events).session_id == question.session_id
    assert {event.turn_id for event in events} == {question.question_id}


async def test_a_retry_gets_the_same_events_and_asks_no_stage(turns: Turns, stages: ScriptedStages) -> None:
    request = TurnRequest("When did it land?", request_id="r-1")
    first = await ask(turns, request)
    call_count = len(stages.calls)
    assert await ask(turns, request) == first
    assert len(stages.calls) == call_count


async def test_a_request_id_belongs_to_one_question(turns: Turns) -> None:
    await ask(turns, TurnRequest("one?", request_id="r-1"))
    with pytest.raises(FailedPrecondition) as error:
        await ask(turns, TurnRequest("two?", request_id="r-1"))
    assert error.value.reason == "REQUEST_ID_REUSED"


async def test_phase_one_is_safe_to_retry(turns: Turns, stages: ScriptedStages) -> None:
    request = TurnRequest("When did it land?", request_id="r-1")
    assert await turns.supply(request) == await turns.supply(request)
    assert stages.count("condense") == 1
