"""Sessions exported and imported, over a real store."""

from dataclasses import replace

import pytest

from gateway.request import TurnRequest
from gateway.session.context_codec import context_decode, context_encode
from gateway.session.conversations import Conversations
from gateway.store.stores import Stores
from libs.contracts.conversation import HistoryMessage, Speaker, TurnReading
from libs.contracts.session import SessionContext, Turn
from libs.contracts.wire.codec import to_message
from libs.runtime.errors import AlreadyExists, FailedPrecondition, InvalidInput
from parley.context.v1 import session_pb2
from tests.unit.gateway.stored_sessions import ANN, SessionCalls, converse, turn


def encoded(context: SessionContext) -> str:
    return context_encode(to_message(context, session_pb2.SessionContext))


async def test_an_import_of_an_export_is_the_same_with_ids_of_its_own(stores: Stores, call: SessionCalls) -> None:
    await converse(stores, turns=3)
    await call("RenameSession", session_id="s", title="Named")
    exported = await call("ExportSession", session_id="s")
    assert exported.turns == 3
    session = (await call("ImportSession", context=exported.context)).session
    assert session.session_id.startswith("s-")
    assert (session.turns, session.first_question, session.title) == (3, "Question 0?", "")
    assert (await call("GetSession", session_id=session.session_id)).session == session
    page = await call("ListTurns", session_id=session.session_id)
    assert not {summary.turn_id for summary in page.turns} & {f"q-s-{number}" for number in range(3)}
    assert replace(await call.turn(page.turns[2].turn_id), question_id="q-2") == turn(2)


async def test_the_next_question_follows_up(stores: Stores, call: SessionCalls) -> None:
    await converse(stores, turns=8)
    exported = (await call("ExportSession", session_id="s", without_texts=True)).context
    assert (await call("ImportSession", context=exported, session_id="copy")).session.session_id == "copy"
    conversations = Conversations(stores.sessions)
    requests = [TurnRequest("", session_id=name, principals=ANN) for name in ("s", "copy")]
    first, second, carried = [
        (await conversations.open(request)).view for request in (*requests, TurnRequest("", context=exported))
    ]
    assert first == second == carried


async def test_without_texts_it_is_smaller(stores: Stores, call: SessionCalls) -> None:
    await converse(stores, turns=3)
    whole, bare = [
        (await call("ExportSession", session_id="s", without_texts=without)).context for without in (False, True)
    ]
    assert len(bare) < len(whole)
    assert "Words" not in repr(context_decode(bare))


async def test_a_context_of_very_many_turns_is_refused_before_it_is_decoded(call: SessionCalls) -> None:
    bomb = context_encode(session_pb2.SessionContext(turns=[session_pb2.Turn()] * 2_000_000))
    with pytest.raises(InvalidInput) as error:
        await call("ImportSession", context=bomb)
    assert error.value.reason == "CONTEXT_BROKEN"


async def test_messages_of_a_plain_history_become_turns(call: SessionCalls) -> None:
    prior = (
        HistoryMessage(Speaker.USER, "Tell me of Viking 1."),
        HistoryMessage(Speaker.AGENT, "A lander."),
        HistoryMessage(Speaker.USER, "When?"),
    )
    context = encoded(SessionContext(prior=prior, turns=(turn(0),)))
    await call("ImportSession", context=context, session_id="s")
    page = await call("ListTurns", session_id="s")
    assert [(summary.question, summary.answer) for summary in page.turns] == [
        ("Tell me of Viking 1.", "A lander."),
        ("When?", ""),
        ("Question 0?", "Answer 0. [1][2]"),
    ]


async def test_an_id_that_is_taken_is_refused_whoever_has_it(stores: Stores, call: SessionCalls) -> None:
    await converse(stores)
    for principals in (ANN, ("bob",)):
        with pytest.raises(AlreadyExists) as refused:
            await call("ImportSession", principals, context=encoded(SessionContext(turns=(turn(0),))), session_id="s")
        assert refused.value.reason == "SESSION_ALREADY_EXISTS"


UNFIT = Turn("q", "Why?", reading=TurnReading(language="no such language"))


@pytest.mark.parametrize(
    "context",
    [encoded(SessionContext()), "UAEAAAAA", "x", encoded(SessionContext(turns=(UNFIT,)))],
    ids=["empty", "cut", "no base64", "against the contract"],
)
async def test_a_context_without_turns_or_that_is_broken_is_refused(call: SessionCalls, context: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await call("ImportSession", context=context)
    assert refused.value.violations[0].field == "context"


async def test_owners_inside_a_context_count_for_nothing(stores: Stores, call: SessionCalls) -> None:
    context = encoded(SessionContext("other", (turn(0),), principals=("root",), version=7))
    session_id = (await call("ImportSession", context=context)).session.session_id
    stored = await stores.sessions.session(session_id)
    assert stored
    assert (stored.principals, stored.version) == (ANN, 1)


async def test_a_context_that_would_be_too_large_is_refused(
    stores: Stores, call: SessionCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.session.session_transfer.MAX_CONTEXT_BYTES", 100)
    await converse(stores)
    with pytest.raises(FailedPrecondition) as refused:
        await call("ExportSession", session_id="s")
    assert refused.value.reason == "MESSAGE_TOO_LARGE"
