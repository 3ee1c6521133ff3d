"""Turns of one conversation: what they remember, retries, two at once, and whose they are."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from gateway.context_codec import SessionCodec
from gateway.conversations import Conversations
from gateway.events import SubQuery
from gateway.request import TurnRequest
from gateway.store.sqlite import SqliteStore
from gateway.turns import Turns
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.query import (
    ContextSelection,
    ContextSentence,
    Decision,
    DecisionRecord,
)
from libs.contracts.session import Outcome, SessionContext
from libs.runtime.errors import Conflict, FailedPrecondition, InvalidInput, NotFound, PermissionDenied
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import ASK, ask, completed, kinds, pick


async def test_a_new_conversation_gets_a_session_that_remembers(turns: Turns, stages: ScriptedStages) -> None:
    session_id = completed(await ask(turns)).session_id
    await ask(turns, TurnRequest("And then?", session_id=session_id))
    view = [argument for method, argument in stages.calls if method == "condense"][1]
    assert view == ConversationView(
        (
            HistoryMessage(Speaker.USER, "When did it land?"),
            HistoryMessage(Speaker.AGENT, "It landed. [1]", passage_ids=("a", "b")),
        )
    )


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


@pytest.mark.parametrize("context", ["", "x", "UAEAAAAA", "//8=", "UAIAAAAAAAA="])
async def test_a_broken_context_is_refused(turns: Turns, context: str) -> None:
    if not context:
        context = (completed(await ask(turns, TurnRequest("?", history=(HistoryMessage(Speaker.USER, "a"),))))).context
        context = context[:-8] + ("A" * 8 if not context.endswith("A" * 8) else "B" * 8)
    with pytest.raises(InvalidInput) as error:
        await ask(turns, TurnRequest("?", context=context))
    assert error.value.reason == "CONTEXT_BROKEN"
    assert error.value.violations[0].field == "context"


async def test_how_the_context_was_chosen_is_told_and_not_kept(turns: Turns, stages: ScriptedStages) -> None:
    selection = ContextSelection((ContextSentence("Who was first?", Speaker.USER, 0),))
    stages.record = DecisionRecord(Decision.PASS, "", "?", "?", selection=selection)
    (record,) = pick(await ask(turns, TurnRequest("?", session_id="s-1")), DecisionRecord)
    assert record.selection == selection
    conversation = await turns.worker.conversations.open(TurnRequest("?", session_id="s-1"))
    assert [turn.record.selection for turn in conversation.context.turns if turn.record] == [None]


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
    call_count = len(stages.calls)
    assert await ask(turns, request) == first
    assert len(stages.calls) == call_count


async def test_a_retry_while_the_first_call_runs_waits_for_it(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays["retrieve"] = 0.1
    request = TurnRequest("When did it land?", request_id="r-1")
    first, second = await asyncio.gather(ask(turns, request), ask(turns, request))
    assert first == second
    assert stages.count("condense") == 1


async def test_a_request_id_belongs_to_one_question(turns: Turns) -> None:
    await ask(turns, TurnRequest("one?", request_id="r-1"))
    with pytest.raises(FailedPrecondition) as error:
        await ask(turns, TurnRequest("two?", request_id="r-1"))
    assert error.value.reason == "REQUEST_ID_REUSED"


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
            if isinstance(event.content, SubQuery):
                break
    stored_context = await store.load("s-1")
    assert stored_context is not None
    (turn,) = SessionCodec().from_bytes(stored_context.content).turns
    assert turn.outcome is Outcome.CANCELLED


async def test_a_conversation_that_was_stored_here_is_not_read_again(
    turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[bytes] = []
    decode = SessionCodec.from_bytes

    def counted(self: SessionCodec, content: bytes) -> SessionContext:
        reads.append(content)
        return decode(self, content)

    monkeypatch.setattr(SessionCodec, "from_bytes", counted)
    session = completed(await ask(turns)).session_id
    await ask(turns, TurnRequest("And when did it launch?", session_id=session))
    assert reads == []
    conversations = Conversations(turns.worker.conversations.store, SessionCodec())
    elsewhere = replace(turns, worker=replace(turns.worker, conversations=conversations))
    await ask(elsewhere, TurnRequest("And who built it?", session_id=session))
    assert len(reads) == 1
    last = completed(await ask(turns, TurnRequest("And why?", session_id=session)))
    assert len(reads) == 2
    conversation = await turns.worker.conversations.open(TurnRequest("?", session_id=last.session_id))
    assert [turn.question for turn in conversation.context.turns][1:] == [
        "And when did it launch?",
        "And who built it?",
        "And why?",
    ]
