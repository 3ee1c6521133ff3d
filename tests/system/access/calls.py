"""The request of each method of the gateway, and whether its response contains something of the target."""

import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from parley.answer.v1 import answer_pb2
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import gateway_pb2, replay_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2, inference_pb2, retrieve_pb2
from parley.runtime.v1 import server_info_pb2
from tests.system.access.callers import (
    DOCUMENTS,
    QUESTION,
    STATUSES,
    Metadata,
    Suite,
    collection_of,
    document_of,
    placing,
)
from tests.system.access.cases import Outcome, Target

STREAMS: Final = ("Answer", "Ask", "Resume", "Replay", "Write")
"""Methods that respond with a stream."""


class Refused(grpc.RpcError):
    """A document of an Ingest that was refused, as the status that PutDocument gives."""

    def code(self) -> grpc.StatusCode:
        """Its status."""
        return next(code for code, outcome in STATUSES.items() if outcome is Outcome.DENIED)


def call(suite: Suite, path: str, target: Target, caller: Metadata) -> object:
    """Call a method; the result is False if it contains nothing of the target."""
    method = path.rpartition("/")[2]
    response = suite.method(path)(REQUESTS[path](suite, target), metadata=caller)
    if method in STREAMS:
        response = list(response)
    contains = CONTAINS.get(method)
    return True if contains is None else contains(response, suite, target)


def _document(target: Target) -> corpus_pb2.Document:
    return document_of(target, f"Written anew {secrets.token_hex(4)}.")


def _ingest(_: Suite, target: Target) -> Iterator[corpus_pb2.IngestRequest]:
    yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=collection_of(target)))
    yield corpus_pb2.IngestRequest(document=_document(target))


def _ask(_: Suite, target: Target) -> gateway_pb2.AskRequest:
    options = gateway_pb2.RequestOptions(collection=collection_of(target))
    return gateway_pb2.AskRequest(question=QUESTION, options=options)


def _look_up(_: Suite, target: Target) -> corpus_pb2.LookUpPassagesRequest:
    name = DOCUMENTS[target]
    key = corpus_pb2.PassageKey(collection=collection_of(target), document_id=name, passage_id=f"{name}#0")
    return corpus_pb2.LookUpPassagesRequest(keys=[key], content=True)


def _import(suite: Suite, target: Target) -> session_pb2.ImportSessionRequest:
    session_id = suite.session if target is Target.SESSION else ""
    return session_pb2.ImportSessionRequest(context=suite.context, session_id=session_id)


def _verify(*_: object) -> answer_pb2.VerifyRequest:
    passage = evidence_pb2.Passage(passage_id="p", document_id="d", text="The probe was launched in 1999.")
    return answer_pb2.VerifyRequest(sentences=["The probe was launched in 1999 [1]."], passages=[passage])


Of = Callable[[Suite, Target], Message | Iterator[Message]]

CORPUS: Final[dict[str, Of]] = {
    "Search": lambda _, target: corpus_pb2.SearchRequest(
        query=QUESTION, options=retrieve_pb2.RetrieveOptions(collection=collection_of(target))
    ),
    "PutDocument": lambda _, target: corpus_pb2.PutDocumentRequest(
        collection=collection_of(target), document=_document(target)
    ),
    "Ingest": _ingest,
    "PlaceRoots": lambda _, target: placing(target, f"/home/{secrets.token_hex(4)}"),
    "GetDocument": lambda _, target: corpus_pb2.GetDocumentRequest(
        collection=collection_of(target), document_id=DOCUMENTS[target]
    ),
    "GetPassage": lambda _, target: corpus_pb2.GetPassageRequest(
        collection=collection_of(target), passage_id=f"{DOCUMENTS[target]}#0"
    ),
    "LookUpPassages": _look_up,
    "GetImage": lambda _, target: corpus_pb2.GetImageRequest(
        collection=collection_of(target), image_id=f"{DOCUMENTS[target]}/1"
    ),
    "GetPagePicture": lambda _, target: corpus_pb2.GetPagePictureRequest(
        collection=collection_of(target), document_id=DOCUMENTS[target]
    ),
    "ListDocuments": lambda _, target: corpus_pb2.ListDocumentsRequest(collection=collection_of(target)),
    "DeleteDocument": lambda _, target: corpus_pb2.DeleteDocumentRequest(
        collection=collection_of(target), document_id=DOCUMENTS[target]
    ),
    "ListCollections": lambda *_: corpus_pb2.ListCollectionsRequest(),
    "GetCollection": lambda _, target: corpus_pb2.GetCollectionRequest(name=collection_of(target)),
    "DeleteCollection": lambda _, target: corpus_pb2.DeleteCollectionRequest(name=collection_of(target)),
}
GATEWAY: Final[dict[str, Of]] = {
    "SupplyQuestion": lambda _, target: gateway_pb2.SupplyQuestionRequest(
        question=QUESTION, options=gateway_pb2.RequestOptions(collection=collection_of(target))
    ),
    "Answer": lambda suite, _: gateway_pb2.AnswerRequest(question_id=suite.question),
    "Ask": _ask,
    "Resume": lambda suite, _: gateway_pb2.ResumeRequest(turn_id=suite.turn),
    "Cancel": lambda suite, _: gateway_pb2.CancelRequest(turn_id=suite.turn),
    "AnswerOnce": lambda suite, _: gateway_pb2.AnswerOnceRequest(
        answer=gateway_pb2.AnswerRequest(question_id=suite.question)
    ),
    "AskOnce": lambda suite, target: gateway_pb2.AskOnceRequest(ask=_ask(suite, target)),
    "GetReferences": lambda suite, _: gateway_pb2.GetReferencesRequest(session_id=suite.session),
    "EmbedTexts": lambda *_: gateway_pb2.EmbedTextsRequest(texts=[QUESTION], kind=inference_pb2.TEXT_KIND_QUERY),
    "GetServerInfo": lambda *_: gateway_pb2.GetServerInfoRequest(),
}
SESSIONS: Final[dict[str, Of]] = {
    "GetSession": lambda suite, _: session_pb2.GetSessionRequest(session_id=suite.session),
    "ListSessions": lambda *_: session_pb2.ListSessionsRequest(),
    "ListTurns": lambda suite, _: session_pb2.ListTurnsRequest(session_id=suite.session),
    "GetTurn": lambda suite, _: session_pb2.GetTurnRequest(turn_id=suite.turn),
    "RenameSession": lambda suite, _: session_pb2.RenameSessionRequest(session_id=suite.session, title="Lynx"),
    "DeleteSession": lambda suite, _: session_pb2.DeleteSessionRequest(session_id=suite.session),
    "ExportSession": lambda suite, _: session_pb2.ExportSessionRequest(session_id=suite.session),
    "ImportSession": _import,
}
REPLAYS: Final[dict[str, Of]] = {
    "GetRecording": lambda suite, _: replay_pb2.GetRecordingRequest(turn_id=suite.turn),
    "Replay": lambda suite, _: replay_pb2.ReplayRequest(turn_id=suite.turn),
}
ANSWER: Final[dict[str, Of]] = {
    "Write": lambda *_: answer_pb2.WriteRequest(question=QUESTION),
    "WriteOnce": lambda *_: answer_pb2.WriteOnceRequest(write=answer_pb2.WriteRequest(question=QUESTION)),
    "Extract": lambda *_: answer_pb2.ExtractRequest(question=QUESTION),
    "Verify": _verify,
    "Recommend": lambda *_: answer_pb2.RecommendRequest(question=QUESTION),
}
SERVICES: Final[dict[str, dict[str, Of]]] = {
    "retrieve.v1.CorpusService": CORPUS,
    "gateway.v1.GatewayService": GATEWAY,
    "gateway.v1.SessionService": SESSIONS,
    "gateway.v1.ReplayService": REPLAYS,
    "answer.v1.AnswerService": ANSWER,
    "runtime.v1.ServerInfoService": {"GetServerInfo": lambda *_: server_info_pb2.GetServerInfoRequest()},
}
REQUESTS: Final = {
    f"{service}/{method}": request for service, methods in SERVICES.items() for method, request in methods.items()
}
"""What is sent, by method relative to the package `parley`."""


def _cites(evidence: Iterable[Any], target: Target) -> bool:
    """Whether evidence has the target's document, near duplicates included."""
    passages = (
        passage for item in evidence for passage in (item.passage, *(each.passage for each in item.near_duplicates))
    )
    return DOCUMENTS[target] in {passage.document_id for passage in passages}


def _is_taken(responses: Iterable[corpus_pb2.IngestResponse], *_: object) -> bool:
    (response,) = responses
    if response.reason == "DOCUMENT_NOT_OWNED":
        raise Refused
    assert not response.reason
    return True


def _is_shown(response: corpus_pb2.LookUpPassagesResponse, *_: object) -> bool:
    (lookup,) = response.lookups
    assert lookup.visible == lookup.HasField("passage")
    return lookup.visible


def _is_answered_from(responses: Iterable[gateway_pb2.AskResponse], _: Suite, target: Target) -> bool:
    events = [response.event.references for response in responses if response.event.HasField("references")]
    return _cites((reference.evidence for event in events for reference in event.references), target)


CONTAINS: Final[dict[str, Callable[[Any, Suite, Target], bool]]] = {
    "Search": lambda response, _, target: _cites(response.evidence, target),
    "Ingest": _is_taken,
    "LookUpPassages": _is_shown,
    "ListDocuments": lambda response, _, target: (
        DOCUMENTS[target] in {document.document_id for document in response.documents}
    ),
    "ListCollections": lambda response, _, target: (
        collection_of(target) in {collection.name for collection in response.collections}
    ),
    "Ask": _is_answered_from,
    "AskOnce": lambda response, _, target: _cites((each.evidence for each in response.turn.references), target),
    "ListSessions": lambda response, suite, _: suite.session in {each.session_id for each in response.sessions},
}
"""Whether a response contains something of the target, by method; the others do if they succeed."""
