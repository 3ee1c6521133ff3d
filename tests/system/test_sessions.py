"""Stored sessions over the wire: whose they are, what of them is still seen, and what is left when they are deleted."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite
from libs.runtime.errors import InvalidInput
from libs.runtime.status import error_from_rpc
from parley.context.v1 import basics_pb2, evidence_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, session_pb2, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door, parley

pytestmark = pytest.mark.xdist_group("suite")

Metadata = tuple[tuple[str, str], ...]
MEMO = "The vault of the lighthouse opens with the word nightingale."


@pytest.fixture
def stub(suite: RunningSuite) -> Iterator[session_pb2_grpc.SessionServiceStub]:
    with grpc.insecure_channel(suite.address) as channel:
        yield session_pb2_grpc.SessionServiceStub(channel)


@pytest.fixture
def caller() -> Metadata:
    """Somebody who has no session yet."""
    return (("x-parley-principal", f"user-{secrets.token_hex(4)}"),)


@pytest.fixture
def memo(door: Door, caller: Metadata) -> str:
    """A collection of one document that only the caller may see."""
    name = f"memo-{secrets.token_hex(4)}"
    put_memo(door, name, caller[0][1])
    return name


def put_memo(door: Door, collection: str, *principals: str, text: str = MEMO) -> None:
    document = corpus_pb2.Document(document_id="memo", text=text, title="Memo", principals=principals)
    door.corpus.PutDocument(corpus_pb2.PutDocumentRequest(collection=collection, document=document))


def ask(door: Door, session: str, caller: Metadata, collection: str = "") -> list[event_pb2.Event]:
    request = gateway_pb2.AskRequest(question="What opens the vault of the lighthouse?", session_id=session)
    request.options.collection = collection
    return [response.event for response in door.gateway.Ask(request, timeout=30, metadata=caller)]


def texts(turn: session_pb2.GetTurnResponse) -> list[str]:
    return [reference.evidence.passage.text for reference in turn.turn.references]


def test_a_turn_is_read_with_everything_that_came_of_it(
    door: Door, stub: session_pb2_grpc.SessionServiceStub, caller: Metadata, memo: str
) -> None:
    session = f"s-{secrets.token_hex(4)}"
    events = ask(door, session, caller, memo)
    ask(door, session, caller, memo)
    (listed,) = stub.ListSessions(session_pb2.ListSessionsRequest(), metadata=caller).sessions
    assert (listed.session_id, listed.turns, listed.title) == (session, 2, "")
    assert listed.first_question == "What opens the vault of the lighthouse?"
    first, _ = stub.ListTurns(session_pb2.ListTurnsRequest(session_id=session), metadata=caller).turns
    assert first.turn_id == events[0].turn_id
    response = stub.GetTurn(session_pb2.GetTurnRequest(turn_id=first.turn_id), metadata=caller)
    turn = response.turn
    assert (response.session_id, response.position) == (session, 1)
    assert "nightingale" in turn.answer.text
    assert first.answer == turn.answer.text
    assert texts(response) == [MEMO]
    assert turn.record.raw == turn.question
    assert turn.graph.nodes
    assert turn.usage


def test_what_a_caller_may_no_longer_see_is_not_shown_and_what_changed_comes_anew_if_wished(
    door: Door, stub: session_pb2_grpc.SessionServiceStub, caller: Metadata, memo: str
) -> None:
    turn_id = ask(door, "", caller, memo)[0].turn_id

    def get(new: bool) -> session_pb2.GetTurnResponse:
        return stub.GetTurn(session_pb2.GetTurnRequest(turn_id=turn_id, need_new_content=new), metadata=caller)

    put_memo(door, memo, caller[0][1], text=MEMO.replace("nightingale", "albatross"))
    assert texts(get(False)) == [MEMO]
    assert texts(get(True)) == [MEMO.replace("nightingale", "albatross")]
    put_memo(door, memo, "somebody-else")
    for new in (False, True):
        (reference,) = get(new).turn.references
        assert reference.evidence.passage == evidence_pb2.Passage(
            passage_id="memo#0", document_id="memo", collection=memo, span=basics_pb2.Span()
        )
        assert all(not span.quote for citation in get(new).turn.answer.citations for span in citation.references)


def test_a_deleted_session_is_gone_and_its_id_begins_anew(
    door: Door, stub: session_pb2_grpc.SessionServiceStub, caller: Metadata, memo: str
) -> None:
    session = f"s-{secrets.token_hex(4)}"
    ask(door, session, caller, memo)
    ask(door, session, caller, memo)
    stub.DeleteSession(session_pb2.DeleteSessionRequest(session_id=session), metadata=caller)
    assert not stub.ListSessions(session_pb2.ListSessionsRequest(), metadata=caller).sessions
    with pytest.raises(grpc.RpcError) as missing:
        stub.DeleteSession(session_pb2.DeleteSessionRequest(session_id=session), metadata=caller)
    assert error_from_rpc(missing.value).reason == "SESSION_NOT_FOUND"
    ask(door, session, caller, memo)
    assert stub.GetSession(session_pb2.GetSessionRequest(session_id=session), metadata=caller).session.turns == 1


@pytest.mark.parametrize(
    ("method", "request_message", "path"),
    [
        ("GetSession", session_pb2.GetSessionRequest(session_id="no/slash"), "session_id"),
        ("ListSessions", session_pb2.ListSessionsRequest(page_size=-1), "page_size"),
        ("ListSessions", session_pb2.ListSessionsRequest(page_token="?"), "page_token"),
        ("ListTurns", session_pb2.ListTurnsRequest(session_id="s", page_size=201), "page_size"),
        ("GetTurn", session_pb2.GetTurnRequest(), "turn_id"),
        ("RenameSession", session_pb2.RenameSessionRequest(session_id="s", title="t" * 201), "title"),
        ("RenameSession", session_pb2.RenameSessionRequest(title="t"), "session_id"),
        ("ImportSession", session_pb2.ImportSessionRequest(context="x"), "context"),
        ("ImportSession", session_pb2.ImportSessionRequest(context="x", session_id="no/slash"), "session_id"),
    ],
)
def test_bad_input_names_its_field(
    stub: session_pb2_grpc.SessionServiceStub, method: str, request_message: object, path: str
) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        getattr(stub, method)(request_message)
    error = error_from_rpc(refused.value)
    assert isinstance(error, InvalidInput)
    assert error.violations[0].field == path


def test_the_command_line_manages_sessions(door: Door, caller: Metadata, memo: str, tmp_path: Path) -> None:
    session, copy, principal = f"s-{secrets.token_hex(4)}", f"c-{secrets.token_hex(4)}", ("--principal", caller[0][1])
    ask(door, session, caller, memo)
    file = str(tmp_path / "session.txt")
    export = parley(door.port, "sessions", "export", session, "--out", file, *principal)
    assert (export.returncode, export.stdout) == (0, f"wrote 1 turns to {file}\n")
    assert parley(door.port, "sessions", "import", file, "--session", copy, *principal).stdout == f"{copy}\n"
    listing = parley(door.port, "sessions", "list", "--json", *principal).stdout.splitlines()
    assert [json.loads(line)["session_id"] for line in listing] == [copy, session]
    shown = parley(door.port, "sessions", "show", copy, "--turn", "1", *principal).stdout
    assert "nightingale" in shown
    assert "[1] Memo, " in shown
    renamed = parley(door.port, "sessions", "rename", copy, " The vault’s\nword ", *principal)
    assert (renamed.returncode, renamed.stdout) == (0, f"renamed {copy}\n")
    table = [line.split("\t") for line in parley(door.port, "sessions", "list", *principal).stdout.splitlines()]
    assert [(row[0], row[1], row[3]) for row in table] == [
        ("session", "turns", "title or first question"),
        (copy, "1", "The vault’s word"),
        (session, "1", "What opens the vault of the lighthouse?"),
    ]
    too_long = parley(door.port, "sessions", "rename", copy, "t" * 201, *principal)
    assert (too_long.returncode, too_long.stdout) == (1, "")
    assert "title" in too_long.stderr
    assert parley(door.port, "sessions", "rename", copy, "", *principal).returncode == 0
    named, _ = parley(door.port, "sessions", "list", "--json", *principal).stdout.splitlines()
    assert json.loads(named)["title"] == ""
    assert parley(door.port, "sessions", "delete", copy, "--yes", *principal).stdout == f"deleted {copy}\n"
    for command in (("show", copy), ("rename", copy, "Title")):
        missing = parley(door.port, "sessions", *command, *principal)
        assert (missing.returncode, missing.stderr) == (1, f"There is no session '{copy}' (SESSION_NOT_FOUND).\n")
