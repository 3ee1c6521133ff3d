"""The gRPC servicer of the corpus: `Ingester` writes, `CorpusAccess` reads, `Retriever` searches; all are awaited.

What these raise becomes a status once, in the server.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import grpc

from libs.contracts.evidence import PassageKey
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from libs.contracts.spans import Span
from libs.contracts.wire.codec import message_with, to_message
from libs.runtime.errors import FieldViolation, InvalidInput
from libs.runtime.serving.method import QUICK_BYTES
from libs.runtime.serving.validation import Validation
from libs.runtime.threads import in_thread_unless
from libs.servicing.requests import from_request
from parley.context.v1 import evidence_pb2, usage_pb2
from parley.retrieve.v1 import corpus_pb2 as pb
from parley.retrieve.v1 import corpus_pb2_grpc
from services.retrieve.corpus.documents import Document, DocumentProgress, IngestStatus, Receipt
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.roots import RootRequest, place_roots
from services.retrieve.corpus_access import CorpusAccess
from services.retrieve.indexing.incoming import MAX_DOCUMENTS, Incoming
from services.retrieve.indexing.ingesting import Ingester
from services.retrieve.pages.pages import PagePictures
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import DEFAULT_COLLECTION, Retriever

Context = grpc.aio.ServicerContext[Any, Any]
DEFAULT_PAGE = 100  # documents, if a request names no size (taste)


@dataclass(frozen=True)
class CorpusServicer(corpus_pb2_grpc.CorpusServiceServicer):
    """Serves one corpus."""

    ingester: Ingester
    access: CorpusAccess
    retriever: Retriever
    pages: PagePictures
    validation: Validation
    """Checks the documents of a stream one by one."""

    async def Search(self, request: pb.SearchRequest, context: Context) -> pb.SearchResponse:
        """Passages that match a plain query."""
        options = from_request(request.options, RetrieveOptions, "options")
        result, degraded = await search(self.retriever, WeightedQuery(request.query), options)
        evidence = [to_message(each, evidence_pb2.Evidence) for each in result.evidence]
        return pb.SearchResponse(
            evidence=evidence, degraded=[to_message(failure, usage_pb2.Degraded) for failure in degraded]
        )

    async def PutDocument(self, request: pb.PutDocumentRequest, context: Context) -> pb.PutDocumentResponse:
        """Ingest one document."""
        is_short = request.document.ByteSize() <= QUICK_BYTES
        document = await in_thread_unless(is_short, from_request, request.document, Document, "document")
        receipt = await self.ingester.put(_collection(request.collection), document, _caller(request))
        return pb.PutDocumentResponse(status=_status(receipt.status), passages=receipt.passages)

    async def Ingest(
        self,
        request_iterator: AsyncIterator[pb.IngestRequest],
        context: Context,
    ) -> AsyncIterator[pb.IngestResponse]:
        """Ingest a stream, acknowledged by document, in order. Raises InvalidInput: no header, or it comes later."""
        first = await anext(aiter(request_iterator), None)
        if first is None or first.WhichOneof("part") != "header":
            raise InvalidInput("header", "The first message must be the header.")
        header, index = first.header, 0
        documents, later = self._documents(request_iterator), header.vectors_later
        outcomes = self.ingester.put_all(
            _collection(header.collection), documents, _caller(header), vectors_later=later
        )
        async with aclosing(outcomes):
            async for outcome in outcomes:
                if isinstance(outcome, DocumentProgress):
                    if header.progress:
                        yield _response(index + outcome.place, outcome)
                    continue
                response, *further = [_response(index + place, receipt) for place, receipt in enumerate(outcome)]
                if header.together:
                    response.max_documents = MAX_DOCUMENTS
                    response.further.extend(further)
                yield response
                for response in () if header.together else further:
                    yield response
                index += len(outcome)

    async def PlaceRoots(self, request: pb.PlaceRootsRequest, context: Context) -> pb.PlaceRootsResponse:
        """The id prefixes of folders and files."""
        root_requests = [from_request(root, RootRequest, f"roots[{place}]") for place, root in enumerate(request.roots)]
        writing = self.access.corpus.write(
            place_roots, _collection(request.collection), root_requests, _caller(request)
        )
        placement = await asyncio.wrap_future(writing)
        return to_message(placement, pb.PlaceRootsResponse)

    async def GetDocument(self, request: pb.GetDocumentRequest, context: Context) -> pb.GetDocumentResponse:
        """A document with its text."""
        name = _collection(request.collection)
        document = await self.access.document(name, request.document_id, request.principals)
        return message_with(pb.GetDocumentResponse, "document", document)

    async def GetPassage(self, request: pb.GetPassageRequest, context: Context) -> pb.GetPassageResponse:
        """A passage."""
        name = _collection(request.collection)
        passage = await self.access.passage(name, request.passage_id, request.principals)
        return message_with(pb.GetPassageResponse, "passage", passage)

    async def LookUpPassages(self, request: pb.LookUpPassagesRequest, context: Context) -> pb.LookUpPassagesResponse:
        """Many passages at once."""
        keys = [PassageKey(_collection(key.collection), key.document_id, key.passage_id) for key in request.keys]
        lookups = await self.access.look_up(keys, request.principals, content=request.content)
        messages = [to_message(lookup, pb.PassageLookup) for lookup in lookups]
        return pb.LookUpPassagesResponse(lookups=messages)

    async def GetImage(self, request: pb.GetImageRequest, context: Context) -> pb.GetImageResponse:
        """A picture."""
        name = _collection(request.collection)
        image = await self.access.image(name, request.image_id, request.principals)
        return pb.GetImageResponse(
            image=to_message(image.reference, evidence_pb2.ImageReference), media_type=image.media_type, data=image.data
        )

    async def GetPagePicture(self, request: pb.GetPagePictureRequest, context: Context) -> pb.GetPagePictureResponse:
        """A page of a document's file, with boxes around words."""
        name = _collection(request.collection)
        original = await self.access.original(name, request.document_id, request.principals)
        picture = await self.pages.picture(original, from_request(request.span, Span), request.page)
        return to_message(picture, pb.GetPagePictureResponse)

    async def ListDocuments(self, request: pb.ListDocumentsRequest, context: Context) -> pb.ListDocumentsResponse:
        """A page of documents."""
        name, size = _collection(request.collection), request.page_size or DEFAULT_PAGE
        page = await self.access.page(name, size, request.page_token, request.principals)
        return to_message(page, pb.ListDocumentsResponse)

    async def DeleteDocument(self, request: pb.DeleteDocumentRequest, context: Context) -> pb.DeleteDocumentResponse:
        """Delete a document from every engine at once."""
        name = _collection(request.collection)
        await self.access.delete_document(name, request.document_id, _caller(request))
        return pb.DeleteDocumentResponse()

    async def ListCollections(self, request: pb.ListCollectionsRequest, context: Context) -> pb.ListCollectionsResponse:
        """All collections."""
        collections = await asyncio.to_thread(self.access.corpus.collections, _caller(request))
        messages = [to_message(collection, pb.Collection) for collection in collections]
        return pb.ListCollectionsResponse(collections=messages)

    async def GetCollection(self, request: pb.GetCollectionRequest, context: Context) -> pb.GetCollectionResponse:
        """A collection."""
        name = _collection(request.name)
        collection = await asyncio.to_thread(self.access.corpus.collection_for, name, _caller(request))
        return message_with(pb.GetCollectionResponse, "collection", collection)

    async def DeleteCollection(
        self, request: pb.DeleteCollectionRequest, context: Context
    ) -> pb.DeleteCollectionResponse:
        """Delete a collection with everything in it."""
        await self.access.delete_collection(request.name, _caller(request))
        return pb.DeleteCollectionResponse()

    async def _documents(self, requests: AsyncIterator[pb.IngestRequest]) -> AsyncIterator[Incoming]:
        """The documents of a stream; an invalid one becomes a receipt with the error."""
        async for request in requests:
            if request.WhichOneof("part") != "document":
                raise InvalidInput("document", "Every message after the first must hold a document.")
            for message in (request.document, *request.further):
                try:
                    is_short = message.ByteSize() <= QUICK_BYTES
                    yield await in_thread_unless(is_short, self._checked, message)
                except InvalidInput as error:
                    yield Receipt(message.document_id, IngestStatus.FAILED, error=_within_document(error))

    def _checked(self, message: pb.Document) -> Document:
        self.validation.check(message)
        return from_request(message, Document)


def _within_document(error: InvalidInput) -> InvalidInput:
    """The same error, with field paths relative to the request."""
    violations = [FieldViolation(f"document.{v.field}", v.description, v.rule) for v in error.violations]
    return InvalidInput(violations=tuple(violations), reason=error.reason)


def _response(index: int, outcome: Receipt | DocumentProgress) -> pb.IngestResponse:
    response = pb.IngestResponse(index=index, document_id=outcome.document_id, passages=outcome.passages)
    if isinstance(outcome, DocumentProgress):
        response.status = pb.INGEST_STATUS_UNDER_WAY
        return response
    response.status, response.vectors_ignored = _status(outcome.status), outcome.vectors_ignored
    if outcome.error is not None:
        response.reason, response.description = outcome.error.reason, outcome.error.message
    return response


def _status(status: IngestStatus) -> pb.IngestStatus.ValueType:
    return pb.IngestStatus.Value(f"INGEST_STATUS_{status.value}")


def _caller(request: Any) -> Caller:
    """Who sends a request that has principals."""
    return Caller(tuple(request.principals), request.admin, getattr(request, "granted", False))


def _collection(name: str) -> str:
    return name or DEFAULT_COLLECTION
