"""The calls beside turns, each with its request and how its response is read. Sends nothing: knows no channel."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from parley.client.documents import Receipt, status_name
from parley.client.reading import outcome_of, passage_of
from parley.client.values import Outcome, Passage
from parley.gateway.v1 import gateway_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A call with one response."""

    service: str
    """Such as `gateway`: a name in `Stubs`."""
    method: str
    request: Any
    read: Callable[[Any], T]


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A stored conversation."""

    session_id: str
    title: str
    """What its owner named it; empty if nobody did."""
    turns: int
    created_at: datetime
    updated_at: datetime
    first_question: str
    """On one line, at most 100 characters (the contract's bound)."""


@dataclass(frozen=True, slots=True)
class TurnInfo:
    """A turn of a stored conversation."""

    turn_id: str
    position: int
    """From 1."""
    question: str
    answer: str
    outcome: Outcome
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A stored document."""

    document_id: str
    title: str
    url: str
    date: str
    passages: int
    images: int


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """A set of documents that are searched together."""

    name: str
    documents: int
    passages: int
    passages_without_vectors: int = 0
    """Those that are found by their words alone, because their vectors are still to be made."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a listing."""

    items: tuple[T, ...]
    next_token: str
    """Empty on the last page."""


def list_sessions(token: str) -> Call[Page[SessionInfo]]:
    """The caller's sessions, the latest first."""
    request = session_pb2.ListSessionsRequest(page_token=token)
    return Call("sessions", "ListSessions", request, _page("sessions", _session_of))


def list_turns(session_id: str, token: str) -> Call[Page[TurnInfo]]:
    """A session's turns, the oldest first."""
    request = session_pb2.ListTurnsRequest(session_id=session_id, page_token=token)
    return Call("sessions", "ListTurns", request, _page("turns", _turn_of))


def rename_session(session_id: str, title: str) -> Call[SessionInfo]:
    """Give a session a title."""
    request = session_pb2.RenameSessionRequest(session_id=session_id, title=title)
    return Call("sessions", "RenameSession", request, lambda response: _session_of(response.session))


def delete_session(session_id: str) -> Call[None]:
    """Delete a session for ever."""
    return Call("sessions", "DeleteSession", session_pb2.DeleteSessionRequest(session_id=session_id), _nothing)


def export_session(session_id: str) -> Call[str]:
    """The encoded conversation."""
    request = session_pb2.ExportSessionRequest(session_id=session_id)
    return Call("sessions", "ExportSession", request, lambda response: str(response.context))


def import_session(context: str, session_id: str) -> Call[SessionInfo]:
    """Create a session from an encoded conversation."""
    request = session_pb2.ImportSessionRequest(context=context, session_id=session_id)
    return Call("sessions", "ImportSession", request, lambda response: _session_of(response.session))


def cancel(turn_id: str) -> Call[str]:
    """Cancel a turn; returns its state, such as `cancelled`."""

    def state(response: Any) -> str:
        return gateway_pb2.TurnState.Name(response.state).removeprefix("TURN_STATE_").lower()

    return Call("gateway", "Cancel", gateway_pb2.CancelRequest(turn_id=turn_id), state)


def search(query: str, collection: str, limit: int) -> Call[tuple[Passage, ...]]:
    """Passages for a query, best first."""
    options = retrieve_pb2.RetrieveOptions(collection=collection)
    if limit:
        options.depth.evidence = limit
    request = corpus_pb2.SearchRequest(query=query, options=options)

    def read(found: Any) -> tuple[Passage, ...]:
        return tuple(replace(passage_of(each.passage), score=each.scores.fused) for each in found.evidence)

    return Call("corpus", "Search", request, read)


def put_document(document: corpus_pb2.Document, collection: str) -> Call[Receipt]:
    """Store one document."""
    request = corpus_pb2.PutDocumentRequest(collection=collection, document=document)

    def read(response: Any) -> Receipt:
        return Receipt(document.document_id, status_name(response.status), response.passages)

    return Call("corpus", "PutDocument", request, read)


def get_passage(passage_id: str, collection: str) -> Call[Passage]:
    """A passage."""
    request = corpus_pb2.GetPassageRequest(passage_id=passage_id, collection=collection)
    return Call("corpus", "GetPassage", request, lambda response: passage_of(response.passage))


def get_document(document_id: str, collection: str) -> Call[corpus_pb2.Document]:
    """A document with its text."""
    request = corpus_pb2.GetDocumentRequest(document_id=document_id, collection=collection)
    return Call("corpus", "GetDocument", request, lambda response: response.document)


def get_image(image_id: str, collection: str) -> Call[bytes]:
    """A picture's bytes; empty if only its URL is known."""
    request = corpus_pb2.GetImageRequest(image_id=image_id, collection=collection)
    return Call("corpus", "GetImage", request, lambda response: bytes(response.data))


def list_documents(collection: str, token: str) -> Call[Page[DocumentInfo]]:
    """The documents of a collection, ordered by id."""
    request = corpus_pb2.ListDocumentsRequest(collection=collection, page_token=token)
    return Call("corpus", "ListDocuments", request, _page("documents", _document_of))


def delete_document(document_id: str, collection: str) -> Call[None]:
    """Delete a document."""
    request = corpus_pb2.DeleteDocumentRequest(document_id=document_id, collection=collection)
    return Call("corpus", "DeleteDocument", request, _nothing)


def list_collections() -> Call[tuple[CollectionInfo, ...]]:
    """All collections."""

    def read(response: Any) -> tuple[CollectionInfo, ...]:
        return tuple(
            CollectionInfo(each.name, each.documents, each.passages, each.passages_without_vectors)
            for each in response.collections
        )

    return Call("corpus", "ListCollections", corpus_pb2.ListCollectionsRequest(), read)


def delete_collection(name: str) -> Call[None]:
    """Delete a collection with all its documents."""
    return Call("corpus", "DeleteCollection", corpus_pb2.DeleteCollectionRequest(name=name), _nothing)


def server_info() -> Call[gateway_pb2.GetServerInfoResponse]:
    """Version, engines and health of the suite."""
    return Call("gateway", "GetServerInfo", gateway_pb2.GetServerInfoRequest(), lambda response: response)


def _page(field: str, read: Callable[[Any], T]) -> Callable[[Any], Page[T]]:
    return lambda response: Page(tuple(map(read, getattr(response, field))), response.next_page_token)


def _session_of(message: Any) -> SessionInfo:
    created, updated = (moment.ToDatetime(UTC) for moment in (message.created_at, message.updated_at))
    return SessionInfo(message.session_id, message.title, message.turns, created, updated, message.first_question)


def _turn_of(message: Any) -> TurnInfo:
    return TurnInfo(
        message.turn_id,
        message.position,
        message.question,
        message.answer,
        outcome_of(message.outcome),
        message.asked_at.ToDatetime(UTC),
    )


def _document_of(message: Any) -> DocumentInfo:
    return DocumentInfo(message.document_id, message.title, message.url, message.date, message.passages, message.images)


def _nothing(response: Any) -> None:
    return None
