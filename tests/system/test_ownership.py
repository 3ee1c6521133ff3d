"""A document belongs to who put it: others neither replace nor delete it, nor drop its collection."""

import secrets

import grpc
import pytest

from libs.runtime.errors import ParleyError
from libs.runtime.status import error_from_rpc
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door

pytestmark = pytest.mark.xdist_group("suite")

ADDED, REPLACED = corpus_pb2.INGEST_STATUS_ADDED, corpus_pb2.INGEST_STATUS_REPLACED


@pytest.fixture
def collection(door: Door) -> str:
    """A collection with one public document, which alice put."""
    name = f"ownership-{secrets.token_hex(4)}"
    assert put(door, name, "alice", "The tide is low at noon.") == ADDED
    return name


def put(door: Door, collection: str, principal: str, text: str) -> corpus_pb2.IngestStatus.ValueType:
    document = corpus_pb2.Document(document_id="tide", text=text)
    request = corpus_pb2.PutDocumentRequest(collection=collection, document=document)
    return door.corpus.PutDocument(request, metadata=by(principal)).status


def by(principal: str) -> tuple[tuple[str, str], ...]:
    return (("x-parley-principal", principal),)


def text_of(door: Door, collection: str) -> str:
    request = corpus_pb2.GetDocumentRequest(collection=collection, document_id="tide")
    return door.corpus.GetDocument(request).document.text


def reason(error: pytest.ExceptionInfo[grpc.RpcError]) -> str:
    rebuilt: ParleyError = error_from_rpc(error.value)
    return rebuilt.reason


def test_another_cannot_replace_a_document(door: Door, collection: str) -> None:
    for text in ("The tide is high at noon.", "The tide is low at noon."):
        with pytest.raises(grpc.RpcError) as error:
            put(door, collection, "bob", text)
        assert reason(error) == "DOCUMENT_NOT_OWNED"
    assert text_of(door, collection) == "The tide is low at noon."
    assert put(door, collection, "alice", "The tide is high at noon.") == REPLACED


def test_another_cannot_replace_a_document_by_a_stream(door: Door, collection: str) -> None:
    header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=collection))
    document = corpus_pb2.IngestRequest(document=corpus_pb2.Document(document_id="tide", text="The sea is dry."))
    (response,) = door.corpus.Ingest(iter([header, document]), metadata=by("bob"))
    assert (response.status, response.reason) == (corpus_pb2.INGEST_STATUS_FAILED, "DOCUMENT_NOT_OWNED")
    (response,) = door.corpus.Ingest(iter([header, document]), metadata=by("alice"))
    assert response.status == REPLACED


def test_what_a_client_says_of_its_principals_in_a_request_is_not_believed(door: Door, collection: str) -> None:
    drop = corpus_pb2.DeleteCollectionRequest(name=collection, principals=["alice"], admin=True)
    with pytest.raises(grpc.RpcError) as error:
        door.corpus.DeleteCollection(drop, metadata=by("bob"))
    assert reason(error) == "COLLECTION_NOT_OWNED"
    header = corpus_pb2.IngestHeader(collection=collection, principals=["alice"], admin=True)
    document = corpus_pb2.Document(document_id="tide", text="The sea is dry.")
    requests = corpus_pb2.IngestRequest(header=header), corpus_pb2.IngestRequest(document=document)
    (response,) = door.corpus.Ingest(iter(requests), metadata=by("bob"))
    assert response.reason == "DOCUMENT_NOT_OWNED"
