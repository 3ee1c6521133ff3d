"""A permission that is taken away between two turns: the next turn neither finds nor cites nor repeats the document."""

import secrets
from collections.abc import Callable

import grpc
import pytest

from parley.gateway.v1 import event_pb2, gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door, last, one

pytestmark = pytest.mark.xdist_group("suite")

VAULT = "vault"
SECRET = "17 May 2034"
DOCUMENT = corpus_pb2.Document(
    document_id="plan",
    title="Plan of the probe Kestrel",
    text=f"The probe Kestrel will be launched on {SECRET}. Its antenna was built in Oslo.",
)
OPEN = corpus_pb2.Document(document_id="open", title="Heron", text="The probe Heron was launched on 2 April 2011.")
TOLD = ("references", "text", "citation", "image", "timeline", "text_end", "recommendation")
QUESTION = "When will the probe Kestrel be launched?"


def put(door: Door, document: corpus_pb2.Document, *principals: str) -> corpus_pb2.IngestStatus.ValueType:
    new_document = corpus_pb2.Document(principals=principals)
    new_document.MergeFrom(document)
    request = corpus_pb2.PutDocumentRequest(collection=VAULT, document=new_document)
    return door.corpus.PutDocument(request).status


def ask(door: Door, question: str, session: str, principal: str, request_id: str = "") -> list[event_pb2.Event]:
    request = gateway_pb2.AskRequest(question=question, session_id=session, request_id=request_id)
    request.options.collection = VAULT
    call = door.gateway.Ask(request, metadata=(("x-parley-principal", principal),), timeout=30)
    return [response.event for response in call]


def found(events: list[event_pb2.Event]) -> set[str]:
    """The documents that a turn refers to."""
    return {reference.evidence.passage.document_id for reference in last(events, "references").references.references}


def said(events: list[event_pb2.Event]) -> str:
    """What a turn tells of documents; how it understood the question repeats the asker's own conversation."""
    return " ".join(str(event) for event in events if event.WhichOneof("event") in TOLD)


def test_the_next_turn_neither_finds_nor_quotes_what_was_revoked(door: Door) -> None:
    put(door, OPEN)
    put(door, DOCUMENT, "ann", "bob")
    before = ask(door, QUESTION, "ann-asks", "ann")
    assert "plan" in found(before)
    assert SECRET in one(before, "text_end").text_end.text

    assert put(door, DOCUMENT, "bob") == corpus_pb2.INGEST_STATUS_REPLACED
    for question in (QUESTION, "Where was its antenna built?", "When exactly was that?"):
        after = ask(door, question, "ann-asks", "ann")
        assert "plan" not in found(after)
        assert SECRET not in said(after)
        assert "Oslo" not in said(after)

    assert SECRET in one(ask(door, QUESTION, "bob-asks", "bob"), "text_end").text_end.text


def delete(door: Door) -> None:
    request = corpus_pb2.DeleteDocumentRequest(collection=VAULT, document_id="plan")
    door.corpus.DeleteDocument(request, metadata=(("x-parley-principal", "ann"),))


@pytest.mark.parametrize("take_away", [lambda door: put(door, DOCUMENT, "bob"), delete], ids=["revoked", "deleted"])
def test_what_was_told_before_is_neither_retried_nor_resumed(door: Door, take_away: Callable[[Door], object]) -> None:
    put(door, OPEN)
    put(door, DOCUMENT, "ann", "bob")
    name = f"ann-{secrets.token_hex(4)}"
    before = ask(door, QUESTION, name, "ann", request_id=name)
    assert SECRET in said(before)
    assert ask(door, QUESTION, name, "ann", request_id=name) == before
    take_away(door)
    resume = gateway_pb2.ResumeRequest(turn_id=before[0].turn_id)
    with pytest.raises(grpc.RpcError) as error:
        list(door.gateway.Resume(resume, metadata=(("x-parley-principal", "ann"),), timeout=30))
    assert error.value.code() is grpc.StatusCode.NOT_FOUND
    after = ask(door, QUESTION, name, "ann", request_id=name)
    assert "plan" not in found(after)
    assert SECRET not in said(after)
