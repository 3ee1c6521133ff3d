"""A gateway that plays a script, on a real port, and the command line that is run against it."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn, TypeVar

import pytest
from typer.testing import CliRunner, Result

from cli.app import command_line
from libs.runtime.errors import NotFound, ParleyError
from libs.runtime.status import code_of, status_of, trailers_of
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc, replay_pb2, replay_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, inference_pb2, inference_pb2_grpc
from tests.fakes.scripted_server import serving

M = TypeVar("M")
Script = list[event_pb2.Event | ParleyError]
Run = Callable[..., Result]


@dataclass
class ScriptedGateway(
    gateway_pb2_grpc.GatewayServiceServicer,
    corpus_pb2_grpc.CorpusServiceServicer,
    replay_pb2_grpc.ReplayServiceServicer,
    inference_pb2_grpc.InferenceServiceServicer,
):
    """Answers with what a test laid into it, and keeps what it was asked."""

    turns: list[Script] = field(default_factory=list)
    """One script a question, in their order; an error in it ends the stream."""
    info: gateway_pb2.GetServerInfoResponse = field(default_factory=gateway_pb2.GetServerInfoResponse)
    collections: corpus_pb2.ListCollectionsResponse = field(default_factory=corpus_pb2.ListCollectionsResponse)
    found: corpus_pb2.SearchResponse | ParleyError = field(default_factory=corpus_pb2.SearchResponse)
    acknowledge: Callable[[corpus_pb2.Document], corpus_pb2.IngestResponse | ParleyError] = lambda document: (
        corpus_pb2.IngestResponse(document_id=document.document_id, status=corpus_pb2.INGEST_STATUS_ADDED, passages=1)
    )
    asked: list[gateway_pb2.AskRequest] = field(default_factory=list)
    searched: list[corpus_pb2.SearchRequest] = field(default_factory=list)
    header: corpus_pb2.IngestHeader = field(default_factory=corpus_pb2.IngestHeader)
    ingested: list[corpus_pb2.Document] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    """The documents of each message of an ingest."""
    max_documents: int = 0
    """How many documents of an ingest it takes in a message; 0: it knows nothing of that, and takes one."""
    principals: list[list[str]] = field(default_factory=list)
    credentials: list[str] = field(default_factory=list)
    """Of each call, or nothing."""
    steps: int = 0
    """How often each document says how far it is, 20 ms apart."""
    placed: list[corpus_pb2.WantedRoot] = field(default_factory=list)
    roots: dict[str, str] = field(default_factory=dict)
    """What the ids of a location begin with; a folder that comes anew gets its name."""
    passages: dict[str, evidence_pb2.Passage] = field(default_factory=dict)
    documents: dict[str, corpus_pb2.Document] = field(default_factory=dict)
    boxes: dict[str, list[corpus_pb2.WordBox]] = field(default_factory=dict)
    references: gateway_pb2.GetReferencesResponse = field(default_factory=gateway_pb2.GetReferencesResponse)
    pages: list[list[corpus_pb2.DocumentSummary]] = field(default_factory=lambda: [[]])
    """Of a listing of documents."""
    deleted_collections: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """The ids that cannot be deleted, for they are not there."""
    deleted: list[str] = field(default_factory=list)
    replay_responses: list[replay_pb2.ReplayResponse | ParleyError] = field(default_factory=list)
    """The calls of a replay; an error ends the stream."""
    replays: list[replay_pb2.ReplayRequest] = field(default_factory=list)
    embedded: list[str] = field(default_factory=list)
    embedding: inference_pb2.EmbedResponse | ParleyError = field(default_factory=inference_pb2.EmbedResponse)
    port: int = 0

    def Embed(self, request: inference_pb2.EmbedRequest, context: Any) -> inference_pb2.EmbedResponse:
        self.embedded.extend(request.texts)
        if isinstance(self.embedding, ParleyError):
            _abort(self.embedding, context)
        return self.embedding

    def Replay(self, request: replay_pb2.ReplayRequest, context: Any) -> Iterator[replay_pb2.ReplayResponse]:
        self._note(context)
        self.replays.append(request)
        yield from _played(self.replay_responses, context)

    def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> Iterator[gateway_pb2.AskResponse]:
        self._note(context)
        self.asked.append(request)
        for event in _played(self.turns[len(self.asked) - 1], context):
            yield gateway_pb2.AskResponse(event=event)

    def GetServerInfo(self, request: Any, context: Any) -> gateway_pb2.GetServerInfoResponse:
        return self.info

    def ListCollections(self, request: Any, context: Any) -> corpus_pb2.ListCollectionsResponse:
        return self.collections

    def Search(self, request: corpus_pb2.SearchRequest, context: Any) -> corpus_pb2.SearchResponse:
        self._note(context)
        self.searched.append(request)
        if isinstance(self.found, ParleyError):
            _abort(self.found, context)
        return self.found

    def Ingest(self, requests: Iterator[corpus_pb2.IngestRequest], context: Any) -> Iterator[corpus_pb2.IngestResponse]:
        self._note_credentials(context)
        self.header = next(requests).header
        index = 0
        for request in requests:
            self.together.append(1 + len(request.further))
            answers = []
            for document in (request.document, *request.further):
                self.ingested.append(document)
                for step in range(self.steps):
                    time.sleep(0.02)
                    under_way = corpus_pb2.INGEST_STATUS_UNDER_WAY
                    yield corpus_pb2.IngestResponse(index=index, status=under_way, passages=step)
                answer = self.acknowledge(document)
                if isinstance(answer, ParleyError):
                    _abort(answer, context)
                else:
                    answer.index, answer.max_documents = index, self.max_documents
                    answers.append(answer)
                    index += 1
            answers[0].further.extend(answers[1:])
            yield answers[0]

    def PlaceRoots(self, request: corpus_pb2.PlaceRootsRequest, context: Any) -> corpus_pb2.PlaceRootsResponse:
        self.placed.extend(request.roots)
        for root in request.roots:
            self.roots.setdefault(root.location, root.name)
        roots = [corpus_pb2.Root(location=location, prefix=prefix) for location, prefix in self.roots.items()]
        placed = [corpus_pb2.PlacedRoot(root=next(r for r in roots if r.location == w.location)) for w in request.roots]
        return corpus_pb2.PlaceRootsResponse(placed=placed, roots=roots)

    def ListDocuments(self, request: corpus_pb2.ListDocumentsRequest, context: Any) -> corpus_pb2.ListDocumentsResponse:
        self._note(context)
        place = int(request.page_token or 0)
        more = str(place + 1) if place + 1 < len(self.pages) else ""
        return corpus_pb2.ListDocumentsResponse(documents=self.pages[place], next_page_token=more)

    def GetPassage(self, request: corpus_pb2.GetPassageRequest, context: Any) -> corpus_pb2.GetPassageResponse:
        self._note(context)
        if request.passage_id not in self.passages:
            _abort(NotFound("passage", request.passage_id), context)
        return corpus_pb2.GetPassageResponse(passage=self.passages[request.passage_id])

    def GetPagePicture(
        self, request: corpus_pb2.GetPagePictureRequest, context: Any
    ) -> corpus_pb2.GetPagePictureResponse:
        return corpus_pb2.GetPagePictureResponse(page=4, boxes=self.boxes.get(request.document_id, []))

    def GetDocument(self, request: corpus_pb2.GetDocumentRequest, context: Any) -> corpus_pb2.GetDocumentResponse:
        self._note(context)
        if request.document_id not in self.documents:
            _abort(NotFound("document", request.document_id), context)
        return corpus_pb2.GetDocumentResponse(document=self.documents[request.document_id])

    def GetReferences(self, request: Any, context: Any) -> gateway_pb2.GetReferencesResponse:
        return self.references

    def DeleteCollection(
        self, request: corpus_pb2.DeleteCollectionRequest, context: Any
    ) -> corpus_pb2.DeleteCollectionResponse:
        self.deleted_collections.append(request.name)
        return corpus_pb2.DeleteCollectionResponse()

    def DeleteDocument(
        self, request: corpus_pb2.DeleteDocumentRequest, context: Any
    ) -> corpus_pb2.DeleteDocumentResponse:
        self._note(context)
        if self.missing and request.document_id in self.missing:
            _abort(NotFound("document", request.document_id), context)
        self.deleted.append(request.document_id)
        return corpus_pb2.DeleteDocumentResponse()

    def _note(self, context: Any) -> None:
        metadata = context.invocation_metadata()
        self.principals.append([value for key, value in metadata if key == "x-parley-principal"])
        self._note_credentials(context)

    def _note_credentials(self, context: Any) -> None:
        metadata = context.invocation_metadata()
        self.credentials.append(", ".join(str(value) for key, value in metadata if key == "authorization"))


def _played(script: Sequence[M | ParleyError], context: Any) -> Iterator[M]:
    for step in script:
        if isinstance(step, ParleyError):
            _abort(step, context)
        else:
            yield step


def _abort(error: ParleyError, context: Any) -> NoReturn:
    status = status_of(error)
    context.set_trailing_metadata(trailers_of(error, status))
    context.abort(code_of(error), error.message)
    raise AssertionError("abort raises")


@pytest.fixture
def gateway() -> Iterator[ScriptedGateway]:
    scripted_gateway = ScriptedGateway()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
    with serving(
        partial(gateway_pb2_grpc.add_GatewayServiceServicer_to_server, scripted_gateway),
        partial(corpus_pb2_grpc.add_CorpusServiceServicer_to_server, scripted_gateway),
        partial(replay_pb2_grpc.add_ReplayServiceServicer_to_server, scripted_gateway),
        partial(inference_pb2_grpc.add_InferenceServiceServicer_to_server, scripted_gateway),
    ) as scripted_gateway.port:
        yield scripted_gateway


@pytest.fixture
def parley(gateway: ScriptedGateway) -> Run:
    """Runs a command against the scripted gateway; its output goes into a pipe."""

    def run(*arguments: str, port: int | None = None) -> Result:
        result = CliRunner().invoke(command_line(), [*arguments, "--port", str(port or gateway.port)])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run
