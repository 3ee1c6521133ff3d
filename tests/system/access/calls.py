"""One function for each method of the gateway: makes the call, and says whether it contains something of the target."""

import secrets
from collections.abc import Callable, Iterable
from typing import Any, Final

import grpc

from parley.answer.v1 import answer_pb2
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import gateway_pb2, replay_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2
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

Call = Callable[[Suite, Target, Metadata], object]


class Refused(grpc.RpcError):
    """A document of an Ingest that was refused, as the status that PutDocument gives."""

    def code(self) -> grpc.StatusCode:
        """Its status."""
        return next(code for code, outcome in STATUSES.items() if outcome is Outcome.DENIED)


def search(suite: Suite, target: Target, caller: Metadata) -> object:
    options = retrieve_pb2.RetrieveOptions(collection=collection_of(target))
    evidence = suite.corpus.Search(corpus_pb2.SearchRequest(query=QUESTION, options=options), metadata=caller).evidence
    return DOCUMENTS[target] in _documents(evidence)


def put(suite: Suite, target: Target, caller: Metadata) -> object:
    document = document_of(target, f"Written anew {secrets.token_hex(4)}.")
    request = corpus_pb2.PutDocumentRequest(collection=collection_of(target), document=document)
    return suite.corpus.PutDocument(request, metadata=caller)


def ingest(suite: Suite, target: Target, caller: Metadata) -> object:
    header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=collection_of(target)))
    document = corpus_pb2.IngestRequest(document=document_of(target, f"Written anew {secrets.token_hex(4)}."))
    (response,) = suite.corpus.Ingest(iter([header, document]), metadata=caller)
    if response.reason == "DOCUMENT_NOT_OWNED":
        raise Refused
    assert not response.reason
    return True


def place_roots(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.corpus.PlaceRoots(placing(target, f"/home/{secrets.token_hex(4)}"), metadata=caller)


def get_document(suite: Suite, target: Target, caller: Metadata) -> object:
    request = corpus_pb2.GetDocumentRequest(collection=collection_of(target), document_id=DOCUMENTS[target])
    return suite.corpus.GetDocument(request, metadata=caller)


def get_passage(suite: Suite, target: Target, caller: Metadata) -> object:
    request = corpus_pb2.GetPassageRequest(collection=collection_of(target), passage_id=f"{DOCUMENTS[target]}#0")
    return suite.corpus.GetPassage(request, metadata=caller)


def look_up(suite: Suite, target: Target, caller: Metadata) -> object:
    name = DOCUMENTS[target]
    key = corpus_pb2.PassageKey(collection=collection_of(target), document_id=name, passage_id=f"{name}#0")
    request = corpus_pb2.LookUpPassagesRequest(keys=[key], content=True)
    (lookup,) = suite.corpus.LookUpPassages(request, metadata=caller).lookups
    assert lookup.visible == lookup.HasField("passage")
    return lookup.visible


def get_image(suite: Suite, target: Target, caller: Metadata) -> object:
    request = corpus_pb2.GetImageRequest(collection=collection_of(target), image_id=f"{DOCUMENTS[target]}/1")
    return suite.corpus.GetImage(request, metadata=caller)


def list_documents(suite: Suite, target: Target, caller: Metadata) -> object:
    request = corpus_pb2.ListDocumentsRequest(collection=collection_of(target))
    documents = suite.corpus.ListDocuments(request, metadata=caller).documents
    return DOCUMENTS[target] in {document.document_id for document in documents}


def delete_document(suite: Suite, target: Target, caller: Metadata) -> object:
    request = corpus_pb2.DeleteDocumentRequest(collection=collection_of(target), document_id=DOCUMENTS[target])
    return suite.corpus.DeleteDocument(request, metadata=caller)


def list_collections(suite: Suite, target: Target, caller: Metadata) -> object:
    collections = suite.corpus.ListCollections(corpus_pb2.ListCollectionsRequest(), metadata=caller).collections
    return collection_of(target) in {collection.name for collection in collections}


def get_collection(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.corpus.GetCollection(corpus_pb2.GetCollectionRequest(name=collection_of(target)), metadata=caller)


def delete_collection(suite: Suite, target: Target, caller: Metadata) -> object:
    request = corpus_pb2.DeleteCollectionRequest(name=collection_of(target))
    return suite.corpus.DeleteCollection(request, metadata=caller)


def supply_question(suite: Suite, target: Target, caller: Metadata) -> object:
    request = gateway_pb2.SupplyQuestionRequest(question=QUESTION)
    request.options.collection = collection_of(target)
    return suite.gateway.SupplyQuestion(request, metadata=caller)


def answer(suite: Suite, target: Target, caller: Metadata) -> object:
    return list(suite.gateway.Answer(gateway_pb2.AnswerRequest(question_id=suite.question), metadata=caller))


def answer_once(suite: Suite, target: Target, caller: Metadata) -> object:
    request = gateway_pb2.AnswerOnceRequest()
    request.answer.question_id = suite.question
    return suite.gateway.AnswerOnce(request, metadata=caller)


def ask(suite: Suite, target: Target, caller: Metadata) -> object:
    events = [response.event for response in suite.gateway.Ask(_asking(target), metadata=caller)]
    references = [event.references.references for event in events if event.WhichOneof("event") == "references"]
    return DOCUMENTS[target] in _documents(reference.evidence for each in references for reference in each)


def ask_once(suite: Suite, target: Target, caller: Metadata) -> object:
    turn = suite.gateway.AskOnce(gateway_pb2.AskOnceRequest(ask=_asking(target)), metadata=caller).turn
    return DOCUMENTS[target] in _documents(reference.evidence for reference in turn.references)


def resume(suite: Suite, target: Target, caller: Metadata) -> object:
    return list(suite.gateway.Resume(gateway_pb2.ResumeRequest(turn_id=suite.turn), metadata=caller))


def cancel(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.gateway.Cancel(gateway_pb2.CancelRequest(turn_id=suite.turn), metadata=caller)


def get_references(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.gateway.GetReferences(gateway_pb2.GetReferencesRequest(session_id=suite.session), metadata=caller)


def get_server_info(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.gateway.GetServerInfo(gateway_pb2.GetServerInfoRequest(), metadata=caller)


def get_session(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.sessions.GetSession(session_pb2.GetSessionRequest(session_id=suite.session), metadata=caller)


def list_sessions(suite: Suite, target: Target, caller: Metadata) -> object:
    sessions = suite.sessions.ListSessions(session_pb2.ListSessionsRequest(), metadata=caller).sessions
    return suite.session in {session.session_id for session in sessions}


def list_turns(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.sessions.ListTurns(session_pb2.ListTurnsRequest(session_id=suite.session), metadata=caller)


def get_turn(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.sessions.GetTurn(session_pb2.GetTurnRequest(turn_id=suite.turn), metadata=caller)


def rename_session(suite: Suite, target: Target, caller: Metadata) -> object:
    request = session_pb2.RenameSessionRequest(session_id=suite.session, title="The probe Lynx")
    return suite.sessions.RenameSession(request, metadata=caller)


def delete_session(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.sessions.DeleteSession(session_pb2.DeleteSessionRequest(session_id=suite.session), metadata=caller)


def export_session(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.sessions.ExportSession(session_pb2.ExportSessionRequest(session_id=suite.session), metadata=caller)


def import_session(suite: Suite, target: Target, caller: Metadata) -> object:
    session_id = suite.session if target is Target.SESSION else ""
    request = session_pb2.ImportSessionRequest(context=suite.context, session_id=session_id)
    return suite.sessions.ImportSession(request, metadata=caller)


def get_recording(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.replays.GetRecording(replay_pb2.GetRecordingRequest(turn_id=suite.turn), metadata=caller)


def replay(suite: Suite, target: Target, caller: Metadata) -> object:
    return list(suite.replays.Replay(replay_pb2.ReplayRequest(turn_id=suite.turn), metadata=caller))


def verify(suite: Suite, target: Target, caller: Metadata) -> object:
    passage = evidence_pb2.Passage(passage_id="p", document_id="d", text="The probe was launched in 1999.")
    request = answer_pb2.VerifyRequest(sentences=["The probe was launched in 1999 [1]."], passages=[passage])
    return suite.answer.Verify(request, metadata=caller)


def write(suite: Suite, target: Target, caller: Metadata) -> object:
    return list(suite.answer.Write(answer_pb2.WriteRequest(question=QUESTION), metadata=caller))


def write_once(suite: Suite, target: Target, caller: Metadata) -> object:
    request = answer_pb2.WriteOnceRequest(write=answer_pb2.WriteRequest(question=QUESTION))
    return suite.answer.WriteOnce(request, metadata=caller)


def extract(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.answer.Extract(answer_pb2.ExtractRequest(question=QUESTION), metadata=caller)


def recommend(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.answer.Recommend(answer_pb2.RecommendRequest(question=QUESTION), metadata=caller)


def process_info(suite: Suite, target: Target, caller: Metadata) -> object:
    return suite.info.GetServerInfo(server_info_pb2.GetServerInfoRequest(), metadata=caller)


CALLS: Final[dict[str, Call]] = {
    "retrieve.v1.CorpusService/Search": search,
    "retrieve.v1.CorpusService/PutDocument": put,
    "retrieve.v1.CorpusService/Ingest": ingest,
    "retrieve.v1.CorpusService/PlaceRoots": place_roots,
    "retrieve.v1.CorpusService/GetDocument": get_document,
    "retrieve.v1.CorpusService/GetPassage": get_passage,
    "retrieve.v1.CorpusService/LookUpPassages": look_up,
    "retrieve.v1.CorpusService/GetImage": get_image,
    "retrieve.v1.CorpusService/ListDocuments": list_documents,
    "retrieve.v1.CorpusService/DeleteDocument": delete_document,
    "retrieve.v1.CorpusService/ListCollections": list_collections,
    "retrieve.v1.CorpusService/GetCollection": get_collection,
    "retrieve.v1.CorpusService/DeleteCollection": delete_collection,
    "gateway.v1.GatewayService/SupplyQuestion": supply_question,
    "gateway.v1.GatewayService/Answer": answer,
    "gateway.v1.GatewayService/Ask": ask,
    "gateway.v1.GatewayService/Resume": resume,
    "gateway.v1.GatewayService/Cancel": cancel,
    "gateway.v1.GatewayService/AnswerOnce": answer_once,
    "gateway.v1.GatewayService/AskOnce": ask_once,
    "gateway.v1.GatewayService/GetReferences": get_references,
    "gateway.v1.GatewayService/GetServerInfo": get_server_info,
    "gateway.v1.SessionService/GetSession": get_session,
    "gateway.v1.SessionService/ListSessions": list_sessions,
    "gateway.v1.SessionService/ListTurns": list_turns,
    "gateway.v1.SessionService/GetTurn": get_turn,
    "gateway.v1.SessionService/RenameSession": rename_session,
    "gateway.v1.SessionService/DeleteSession": delete_session,
    "gateway.v1.SessionService/ExportSession": export_session,
    "gateway.v1.SessionService/ImportSession": import_session,
    "gateway.v1.ReplayService/GetRecording": get_recording,
    "gateway.v1.ReplayService/Replay": replay,
    "answer.v1.AnswerService/Write": write,
    "answer.v1.AnswerService/WriteOnce": write_once,
    "answer.v1.AnswerService/Extract": extract,
    "answer.v1.AnswerService/Verify": verify,
    "answer.v1.AnswerService/Recommend": recommend,
    "runtime.v1.ServerInfoService/GetServerInfo": process_info,
}


def _asking(target: Target) -> gateway_pb2.AskRequest:
    request = gateway_pb2.AskRequest(question=QUESTION)
    request.options.collection = collection_of(target)
    return request


def _documents(evidence: Iterable[Any]) -> set[str]:
    """The documents of evidence, near duplicates included."""
    return {
        passage.document_id
        for item in evidence
        for passage in (item.passage, *(duplicate.passage for duplicate in item.near_duplicates))
    }
