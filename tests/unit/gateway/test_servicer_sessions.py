"""Whom sessions are listed to, and what a session is over the wire."""

import asyncio

import pytest

from gateway.identity.caller import ANONYMOUS, Caller, hold
from gateway.session.servicer_sessions import SessionServicer
from gateway.session.session_transfer import SessionTransfer
from gateway.session.sessions import Sessions
from gateway.store.stores import Stores
from libs.runtime.errors import NotFound
from parley.gateway.v1 import session_pb2
from tests.conformance.store_behaviours import addition, new

HERE, ELSEWHERE = "ipv4:127.0.0.1:4000", "ipv4:203.0.113.9:4000"


class Call:
    """The context of a call from an address."""

    def __init__(self, peer: str, *principals: str) -> None:
        self._peer = peer
        self._metadata = tuple(("x-parley-principal", principal) for principal in principals)

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata


@pytest.fixture
async def servicer(stores: Stores, sessions: Sessions, transfer: SessionTransfer) -> SessionServicer:
    await stores.sessions.add(addition(new("own", "ann"), b"turn"))
    await stores.sessions.add(addition(new("anonymous"), b"turn"))
    return SessionServicer(sessions, transfer)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (Call(HERE, "ann"), ["own"]),
        (Call(HERE), ["anonymous"]),
        (Call(ELSEWHERE, "ann"), []),  # principals are believed from this machine only
        (Call(ELSEWHERE), []),
    ],
)
async def test_strangers_without_principals_see_no_list(
    servicer: SessionServicer, call: Call, expected: list[str]
) -> None:
    page = await servicer.ListSessions(session_pb2.ListSessionsRequest(), call)
    assert [session.session_id for session in page.sessions] == expected


async def test_a_title_is_given_and_the_first_question_stays(servicer: SessionServicer) -> None:
    request = session_pb2.RenameSessionRequest(session_id="own", title=" My \n own ")
    renamed = (await servicer.RenameSession(request, Call(HERE, "ann"))).session
    assert (renamed.session_id, renamed.title, renamed.first_question) == ("own", "My own", "About own")
    for response in (
        await servicer.GetSession(session_pb2.GetSessionRequest(session_id="own"), Call(HERE, "ann")),
        await servicer.RenameSession(
            session_pb2.RenameSessionRequest(session_id="own", title="My own"), Call(HERE, "ann")
        ),
    ):
        assert response.session == renamed
    (listed,) = (await servicer.ListSessions(session_pb2.ListSessionsRequest(), Call(HERE, "ann"))).sessions
    assert listed == renamed


@pytest.mark.parametrize("call", [Call(HERE), Call(HERE, "bob"), Call(ELSEWHERE, "ann")])
async def test_others_rename_nothing(servicer: SessionServicer, call: Call) -> None:
    request = session_pb2.RenameSessionRequest(session_id="own", title="Mine")
    with pytest.raises(NotFound):
        await servicer.RenameSession(request, call)
    kept = await servicer.GetSession(session_pb2.GetSessionRequest(session_id="own"), Call(HERE, "ann"))
    assert kept.session.title == ""


@pytest.mark.parametrize(
    ("caller", "expected"), [(ANONYMOUS, []), (Caller("ann", ("ann",)), ["own"]), (Caller("bob", ("bob",)), [])]
)
async def test_where_callers_have_credentials_neither_machine_nor_header_counts(
    servicer: SessionServicer, caller: Caller, expected: list[str]
) -> None:
    async def served() -> list[str]:
        hold(caller)
        page = await servicer.ListSessions(session_pb2.ListSessionsRequest(), Call(HERE, "ann"))
        return [session.session_id for session in page.sessions]

    assert await asyncio.create_task(served()) == expected
