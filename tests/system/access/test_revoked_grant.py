"""A role that is taken away counts within seconds, in everything that was stored while it was granted."""

from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from libs.runtime.status import error_from_rpc
from parley.context.v1 import session_pb2 as context_pb2
from parley.gateway.v1 import gateway_pb2, replay_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.system.access.callers import ALICE, GRANTS, QUESTION, WORDS, Suite, document_of, write_grants
from tests.system.access.cases import Target
from tests.system.waiting import wait_for

pytestmark = pytest.mark.xdist_group("access")

WITHOUT_SHARED = GRANTS.replace('collection = "shared"', 'collection = "elsewhere"')
SECONDS = 10.0
FACT = WORDS[Target.OPEN]


@pytest.fixture
def revoke(suite: Suite, folder: Path) -> Iterator[Callable[[], None]]:
    """Takes all roles in `shared` away, and gives them back at the end."""
    suite.restore_documents()
    suite.restore_turn()

    def wait(is_granted: bool) -> None:
        wait_for(lambda: (reason(lambda: ask(suite)) == "") is is_granted, SECONDS)

    def take_away() -> None:
        write_grants(folder, WITHOUT_SHARED)
        wait(is_granted=False)

    yield take_away
    write_grants(folder)
    wait(is_granted=True)


def reason(call: Callable[[], object]) -> str:
    """Why a call is refused; empty if it is not."""
    try:
        call()
    except grpc.RpcError as error:
        return error_from_rpc(error).reason
    return ""


def ask(suite: Suite) -> str:
    """The words of an answer, with the references."""
    request = gateway_pb2.AskRequest(question=QUESTION)
    request.options.collection = "shared"
    return "".join(str(response.event) for response in suite.gateway.Ask(request, metadata=ALICE))


def turn_of(suite: Suite, *, new_content: bool = False) -> context_pb2.Turn:
    request = session_pb2.GetTurnRequest(turn_id=suite.turn, need_new_content=new_content)
    return suite.sessions.GetTurn(request, metadata=ALICE).turn


def replayed(suite: Suite) -> str:
    request = replay_pb2.ReplayRequest(turn_id=suite.turn)
    return "".join(map(str, suite.replays.Replay(request, metadata=ALICE)))


def test_neither_new_nor_logged_answers_are_given(suite: Suite, revoke: Callable[[], None]) -> None:
    assert FACT in ask(suite)
    resume = gateway_pb2.ResumeRequest(turn_id=suite.turn)
    assert FACT in "".join(map(str, suite.gateway.Resume(resume, metadata=ALICE)))
    revoke()
    answer = gateway_pb2.AnswerRequest(question_id=suite.question)
    for call in (
        lambda: ask(suite),
        lambda: list(suite.gateway.Resume(resume, metadata=ALICE)),
        lambda: list(suite.gateway.Answer(answer, metadata=ALICE)),
    ):
        assert reason(call) == "COLLECTION_NOT_FOUND"


def test_stored_turns_lose_the_words_of_the_documents(suite: Suite, revoke: Callable[[], None]) -> None:
    export = session_pb2.ExportSessionRequest(session_id=suite.session)
    assert any(FACT in reference.evidence.passage.text for reference in turn_of(suite).references)
    assert any(span.quote for citation in turn_of(suite).answer.citations for span in citation.references)
    revoke()
    for new_content in (False, True):
        turn = turn_of(suite, new_content=new_content)
        assert turn.references
        assert not any(reference.evidence.passage.text for reference in turn.references)
        assert not any(span.quote for citation in turn.answer.citations for span in citation.references)
    exported = suite.sessions.ExportSession(export, metadata=ALICE).context
    imported = suite.sessions.ImportSession(session_pb2.ImportSessionRequest(context=exported), metadata=ALICE).session
    (copy,) = suite.sessions.ListTurns(
        session_pb2.ListTurnsRequest(session_id=imported.session_id), metadata=ALICE
    ).turns
    request = session_pb2.GetTurnRequest(turn_id=copy.turn_id)
    references = suite.sessions.GetTurn(request, metadata=ALICE).turn.references
    assert not any(reference.evidence.passage.text for reference in references)


def test_a_replay_withholds_what_its_passages_say(suite: Suite, revoke: Callable[[], None]) -> None:
    document = document_of(Target.OPEN, FACT.replace("4 May", "5 May"))
    put = corpus_pb2.PutDocumentRequest(collection="shared", document=document)
    suite.corpus.PutDocument(put, metadata=ALICE)
    assert "4 May 1999" in replayed(suite)  # as a difference
    revoke()
    assert "May 1999" not in replayed(suite)
