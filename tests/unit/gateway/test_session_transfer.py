"""Sessions exported and imported, over a real store."""

from dataclasses import replace

import pytest

from gateway.request import TurnRequest
from gateway.session.context_codec import SessionCodec
from gateway.session.conversations import Conversations
from gateway.session.row_codec import RowCodec
from gateway.session.session_transfer import SessionTransfer
from gateway.session.sessions import Sessions
from gateway.store.stores import Stores
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.session import SessionContext
from libs.runtime.errors import AlreadyExists, FailedPrecondition, InvalidInput
from tests.unit.gateway.stored_sessions import ANN, converse, turn


async def test_an_import_of_an_export_is_the_same_conversation_with_ids_of_its_own(
    stores: Stores, sessions: Sessions, transfer: SessionTransfer
) -> None:
    await converse(stores, turns=3)
    exported = await transfer.export_session("s", ANN, texts=True)
    assert exported.turns == 3
    session = await transfer.import_session(exported.context, "", ("bea",))
    assert session.session_id.startswith("s-")
    assert (session.version, session.first_question) == (3, "Question 0?")
    assert (await sessions.session(session.session_id, ("bea",))).version == 3
    page = await sessions.turns(session.session_id, ("bea",), 10, "")
    assert not {summary.turn_id for summary in page.turns} & {f"q-s-{number}" for number in range(3)}
    place = await sessions.turn(page.turns[2].turn_id, ("bea",), new_content=False)
    assert replace(place.turn, question_id="q-2") == turn(2)


async def test_an_import_has_no_title(stores: Stores, sessions: Sessions, transfer: SessionTransfer) -> None:
    await converse(stores)
    await sessions.rename("s", ANN, "Named")
    exported = await transfer.export_session("s", ANN, texts=True)
    assert (await transfer.import_session(exported.context, "copy", ANN)).title == ""
    assert (await sessions.session("copy", ANN)).title == ""


async def test_the_next_question_follows_up(stores: Stores, transfer: SessionTransfer) -> None:
    await converse(stores, turns=8)
    exported = await transfer.export_session("s", ANN, texts=False)
    session = await transfer.import_session(exported.context, "copy", ANN)
    conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
    first, second = [
        (await conversations.open(TurnRequest("", session_id=name, principals=ANN))).view for name in ("s", "copy")
    ]
    assert first == second
    assert session.session_id == "copy"


async def test_without_texts_it_is_smaller(stores: Stores, transfer: SessionTransfer) -> None:
    await converse(stores, turns=3)
    contexts = [(await transfer.export_session("s", ANN, texts=texts)).context for texts in (True, False)]
    assert len(contexts[1]) < len(contexts[0])
    assert "Words" not in repr(SessionCodec().decode(contexts[1]))


async def test_an_export_may_be_sent_with_a_question(stores: Stores, transfer: SessionTransfer) -> None:
    await converse(stores, turns=2)
    exported = await transfer.export_session("s", ANN, texts=True)
    conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
    conversation = await conversations.open(TurnRequest("And?", context=exported.context))
    assert len(conversation.view.messages) == 4


async def test_messages_of_a_plain_history_become_turns(sessions: Sessions, transfer: SessionTransfer) -> None:
    prior = (
        HistoryMessage(Speaker.USER, "Tell me of Viking 1."),
        HistoryMessage(Speaker.AGENT, "A lander."),
        HistoryMessage(Speaker.USER, "When?"),
    )
    context = SessionCodec().encode(SessionContext(prior=prior, turns=(turn(0),)))
    await transfer.import_session(context, "s", ANN)
    page = await sessions.turns("s", ANN, 10, "")
    assert [(summary.question, summary.answer) for summary in page.turns] == [
        ("Tell me of Viking 1.", "A lander."),
        ("When?", ""),
        ("Question 0?", "Answer 0. [1][2]"),
    ]


async def test_an_id_that_is_taken_is_refused_whoever_has_it(stores: Stores, transfer: SessionTransfer) -> None:
    await converse(stores)
    context = SessionCodec().encode(SessionContext(turns=(turn(0),)))
    for principals in (ANN, ("bob",)):
        with pytest.raises(AlreadyExists) as refused:
            await transfer.import_session(context, "s", principals)
        assert refused.value.reason == "SESSION_ALREADY_EXISTS"


async def test_a_context_without_turns_or_that_is_broken_is_refused(transfer: SessionTransfer) -> None:
    for context in (SessionCodec().encode(SessionContext()), "UAEAAAAA", "x"):
        with pytest.raises(InvalidInput) as refused:
            await transfer.import_session(context, "", ANN)
        assert refused.value.violations[0].field == "context"


async def test_owners_inside_a_context_count_for_nothing(sessions: Sessions, transfer: SessionTransfer) -> None:
    context = SessionCodec().encode(SessionContext("other", (turn(0),), principals=("root",), version=7))
    session = await transfer.import_session(context, "", ANN)
    assert (session.principals, session.version) == (ANN, 1)


async def test_a_context_that_would_be_too_large_is_refused(
    stores: Stores, transfer: SessionTransfer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.session.session_transfer.MAX_CONTEXT_BYTES", 100)
    await converse(stores)
    with pytest.raises(FailedPrecondition) as refused:
        await transfer.export_session("s", ANN, texts=True)
    assert refused.value.reason == "MESSAGE_TOO_LARGE"
