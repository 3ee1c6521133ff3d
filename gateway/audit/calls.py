"""Records calls that write, and calls that are refused.

A record has time, method, principals, peer, names and ids, status and reason code; no texts and no credentials.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import structlog
from google.protobuf.message import Message

from gateway.access.principals import caller_of, sent_from
from gateway.audit.sinks import AuditSink, now
from libs.runtime.errors import NotFound, ParleyError
from libs.runtime.status import code_of
from parley.retrieve.v1 import corpus_pb2

DOCUMENT_WRITES: Final = ("PutDocument", "PlaceRoots", "DeleteDocument", "DeleteCollection")
WRITES: Final = frozenset((*DOCUMENT_WRITES, "RenameSession", "DeleteSession", "ImportSession"))
"""Methods that are recorded whatever their outcome. Of an Ingest, the last acknowledgement of each document is."""
INGEST: Final = "parley.retrieve.v1.CorpusService/Ingest"
REFUSALS: Final = frozenset(("PERMISSION_DENIED", "UNAUTHENTICATED", "NOT_FOUND"))
"""Statuses that are recorded for every method; what a caller may not see is NOT_FOUND."""
NAMES: Final = ("collection", "document_id", "passage_id", "image_id", "session_id", "turn_id", "question_id")
PARTS: Final = ("options", "document", "ask", "answer")
"""Fields whose messages are looked into."""
MAX_CHARACTERS: Final = 300
"""Characters of a name; longer ones are cut, so that a caller's names cannot swell the log (taste)."""


@dataclass(frozen=True, slots=True)
class CallAudit:
    """Observes the calls of the gateway's services."""

    sink: AuditSink
    """Takes a record on the event loop without blocking, and never raises."""

    def ended(self, method: str, context: Any, request: Any, response: Any, error: ParleyError | None) -> None:
        """Record a call that has ended; it is a `CallObserver` of libs.runtime.serving.service."""
        if error is None:
            if _name(method) in WRITES:
                self._write(method, context, dict(_names(request)), _success(response))
            return
        status = code_of(error).name
        if _name(method) in WRITES or status in REFUSALS:
            names = dict(_names(request)) | _collection_of(error)
            self._write(method, context, names, status, error.reason)

    def ingested(self, context: Any, collection: str, response: corpus_pb2.IngestResponse) -> None:
        """Record the acknowledgement of a document of a stream, unless another one will follow."""
        if response.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
            return
        names = {"collection": collection, "document_id": _cut(response.document_id)}
        self._write(INGEST, context, names, _success(response), response.reason)

    def _write(self, method: str, context: Any, names: dict[str, str], outcome: str, reason: str = "") -> None:
        record: dict[str, Any] = {
            "time": now(),
            "method": method.lstrip("/"),
            "principals": [] if outcome == "UNAUTHENTICATED" else list(caller_of(context)),
            "peer": sent_from(context),
            **names,
            "outcome": outcome,
        }
        ids = structlog.contextvars.get_contextvars()
        record |= {"reason": reason} if reason else {}
        record |= {key: ids[key] for key in ("trace_id", "request_id") if key in ids}
        self.sink(record)


def _name(method: str) -> str:
    return method.rpartition("/")[2]


def _names(request: Any) -> Iterator[tuple[str, str]]:
    """What a request names; nothing of a stream."""
    if not isinstance(request, Message):
        return
    if request.DESCRIPTOR.name in ("GetCollectionRequest", "DeleteCollectionRequest"):
        yield "collection", _cut(getattr(request, "name")) or "default"  # noqa: B009 - of some messages
    for field in request.DESCRIPTOR.fields:
        if field.name in NAMES and (value := getattr(request, field.name)):
            yield field.name, _cut(value)
        elif field.name in PARTS and field.message_type is not None and request.HasField(field.name):
            yield from _names(getattr(request, field.name))


def _success(response: Any) -> str:
    """What became of a document, or OK."""
    if not isinstance(response, corpus_pb2.PutDocumentResponse | corpus_pb2.IngestResponse):
        return "OK"
    return corpus_pb2.IngestStatus.Name(response.status).removeprefix("INGEST_STATUS_")


def _collection_of(error: ParleyError) -> dict[str, str]:
    """The collection that an error is about: nothing else tells it where the request was a stream."""
    if isinstance(error, NotFound) and error.resource_type == "collection":
        return {"collection": _cut(error.name)}
    return {"collection": _cut(error.metadata["collection"])} if "collection" in error.metadata else {}


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…"
