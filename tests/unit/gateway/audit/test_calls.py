"""What is recorded of a call: names and outcomes, nothing that is not known."""

from collections.abc import AsyncIterator
from typing import Any

from gateway.access.guard import AccessGuard
from gateway.audit.calls import CallAudit
from gateway.calling.relays import CorpusRelay
from libs.runtime.errors import NotFound, PermissionDenied, Unauthenticated, Unavailable
from parley.gateway.v1 import gateway_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2
from tests.fakes.call_context import LOCAL, CallContext, claiming

SERVICE = "/parley.retrieve.v1.CorpusService"
OWNED = PermissionDenied("DOCUMENT_NOT_OWNED", "The document belongs to other principals: choose another id.")


CONTEXT = CallContext(metadata=(*claiming("ann"), ("authorization", "Bearer s3cret")))


def recorded(method: str, request: Any, response: Any = None, error: Any = None) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    CallAudit(lambda record: records.append(dict(record))).ended(
        f"{SERVICE}/{method}", CONTEXT, request, response, error
    )
    for record in records:
        assert record.pop("time")
        assert record.pop("peer") == LOCAL
        record.pop("method")
    assert "s3cret" not in str(records)
    return records


def test_a_write_is_recorded_with_what_became_of_it() -> None:
    document = corpus_pb2.Document(document_id="tide", text="The tide is low.", title="Tides")
    request = corpus_pb2.PutDocumentRequest(collection="sea", document=document)
    response = corpus_pb2.PutDocumentResponse(status=corpus_pb2.INGEST_STATUS_REPLACED)
    names = {"principals": ["ann"], "collection": "sea", "document_id": "tide"}
    assert recorded("PutDocument", request, response) == [{**names, "outcome": "REPLACED"}]
    refusal = {**names, "outcome": "PERMISSION_DENIED", "reason": "DOCUMENT_NOT_OWNED"}
    assert recorded("PutDocument", request, error=OWNED) == [refusal]
    (failure,) = recorded("PutDocument", request, error=Unavailable("ENGINE_UNAVAILABLE", "down"))
    assert failure["outcome"] == "UNAVAILABLE"


def test_a_renamed_session_is_recorded_without_its_title() -> None:
    request = session_pb2.RenameSessionRequest(session_id="s", title="My private matters")
    assert recorded("RenameSession", request, object()) == [{"principals": ["ann"], "session_id": "s", "outcome": "OK"}]


def test_a_read_is_recorded_if_it_is_refused() -> None:
    request = corpus_pb2.SearchRequest(query="tides", options=retrieve_pb2.RetrieveOptions(collection="sea"))
    assert recorded("Search", request) == []
    assert recorded("Search", request, error=Unavailable("ENGINE_UNAVAILABLE", "down")) == []
    (refusal,) = recorded("Search", request, error=NotFound("collection", "sea"))
    assert (refusal["collection"], refusal["outcome"]) == ("sea", "NOT_FOUND")
    ask = gateway_pb2.AskOnceRequest(ask=gateway_pb2.AskRequest(question="Why?", session_id="s"))
    (refusal,) = recorded("AskOnce", ask, error=NotFound("session", "s"))
    assert refusal["session_id"] == "s"
    assert "Why?" not in str(refusal)


def test_who_is_not_known_is_not_named() -> None:
    (refusal,) = recorded("Search", None, error=Unauthenticated("CREDENTIALS_MISSING", "Credentials are needed."))
    assert refusal == {"principals": [], "outcome": "UNAUTHENTICATED", "reason": "CREDENTIALS_MISSING"}


def test_the_collection_of_a_stream_comes_from_its_error() -> None:
    error = PermissionDenied("ROLE_REQUIRED", "This needs a role.", {"collection": "sea", "role": "write"})
    (refusal,) = recorded("Ingest", iter(()), error=error)
    assert refusal["collection"] == "sea"


class TogetherCorpus:
    """Acknowledges two documents in a response."""

    async def Ingest(self, requests: Any, context: Any) -> AsyncIterator[corpus_pb2.IngestResponse]:
        added = corpus_pb2.INGEST_STATUS_ADDED
        further = corpus_pb2.IngestResponse(document_id="ebb", status=added)
        yield corpus_pb2.IngestResponse(document_id="tide", status=added, further=[further])


async def test_each_document_of_a_stream_is_recorded_though_they_come_together() -> None:
    records: list[Any] = []
    relay = CorpusRelay(TogetherCorpus(), AccessGuard(), CallAudit(records.append))

    async def requests() -> AsyncIterator[corpus_pb2.IngestRequest]:
        yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection="sea"))

    assert len([response async for response in relay.Ingest(requests(), CONTEXT)]) == 1
    assert [(record["document_id"], record["outcome"]) for record in records] == [("tide", "ADDED"), ("ebb", "ADDED")]


def test_a_dropped_collection_is_named_and_long_names_are_cut() -> None:
    (record,) = recorded("DeleteCollection", corpus_pb2.DeleteCollectionRequest(name="sea"), object())
    assert (record["collection"], record["outcome"]) == ("sea", "OK")
    (record,) = recorded("DeleteDocument", corpus_pb2.DeleteDocumentRequest(document_id="x" * 999), object())
    assert len(record["document_id"]) == 300
