"""The gRPC servicer of the corpus: `Ingester` writes, `CorpusAccess` reads, `Retriever` searches."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Protocol

import grpc

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from libs.contracts.wire.codec import fill, to_message
from libs.runtime.errors import FieldViolation, InvalidInput
from libs.runtime.serving.validation import Validation
from libs.servicing.requests import from_request
from parley.context.v1 import evidence_pb2
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from services.retrieve.corpus.documents import Document, IngestStatus
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.roots import RootRequest
from services.retrieve.corpus_access import CorpusAccess, PassageKey, PassageLookups
from services.retrieve.indexing.ingesting import Incoming, Ingester
from services.retrieve.indexing.receipts import DocumentProgress, Receipt
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import DEFAULT_COLLECTION, Retriever

DEFAULT_PAGE = 100


class CorpusServicer(corpus_pb2_grpc.CorpusServiceServicer):
    """Serves one corpus."""

    def __init__(
        self,
        ingester: Ingester,
        access: CorpusAccess,
        lookups: PassageLookups,
        retriever: Retriever,
        validation: Validation,
    ) -> None:
        """`validation` checks the documents of a stream one by one."""
        self._ingester = ingester
        self._access = access
        self._lookups = lookups
        self._retriever = retriever
        self._validation = validation

    async def Search(
        self,
        request: corpus_pb2.SearchRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.SearchRequest, corpus_pb2.SearchResponse],
    ) -> corpus_pb2.SearchResponse:
        """Passages that match a plain query."""
        options = from_request(request.options, RetrieveOptions, "options")
        result, degraded = await search(self._retriever, WeightedQuery(request.query), options)
        response = corpus_pb2.SearchResponse()
        for evidence in result.evidence:
            fill(evidence, response.evidence.add())
        for failure in degraded:
            fill(failure, response.degraded.add())
        return response

    async def PutDocument(
        self,
        request: corpus_pb2.PutDocumentRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.PutDocumentRequest, corpus_pb2.PutDocumentResponse],
    ) -> corpus_pb2.PutDocumentResponse:
        """Ingest one document."""
        receipt = await self._ingester.put(
            _collection(request.collection), from_request(request.document, Document, "document"), _caller(request)
        )
        return corpus_pb2.PutDocumentResponse(status=_status(receipt.status), passages=receipt.passages)

    async def Ingest(
        self,
        request_iterator: AsyncIterator[corpus_pb2.IngestRequest],
        context: grpc.aio.ServicerContext[corpus_pb2.IngestRequest, corpus_pb2.IngestResponse],
    ) -> AsyncIterator[corpus_pb2.IngestResponse]:
        """Ingest a stream; one acknowledgement per document, in order."""
        first = await anext(aiter(request_iterator), None)
        if first is None or first.WhichOneof("part") != "header":
            raise InvalidInput("header", "The first message must be the header.")
        receipts = self._ingester.put_all(
            _collection(first.header.collection), self._documents(request_iterator), _caller(first.header)
        )
        index = 0
        async with aclosing(receipts):
            async for receipt in receipts:
                if isinstance(receipt, Receipt):
                    yield _acknowledgement(index, receipt)
                    index += 1
                elif first.header.progress:
                    yield _under_way(index, receipt)

    async def PlaceRoots(
        self,
        request: corpus_pb2.PlaceRootsRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.PlaceRootsRequest, corpus_pb2.PlaceRootsResponse],
    ) -> corpus_pb2.PlaceRootsResponse:
        """The id prefixes of folders and files."""
        root_requests = [from_request(root, RootRequest, f"roots[{place}]") for place, root in enumerate(request.roots)]
        placement = await self._access.place_roots(_collection(request.collection), root_requests, _caller(request))
        return to_message(placement, corpus_pb2.PlaceRootsResponse)

    async def GetDocument(
        self,
        request: corpus_pb2.GetDocumentRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.GetDocumentRequest, corpus_pb2.GetDocumentResponse],
    ) -> corpus_pb2.GetDocumentResponse:
        """A document with its text."""
        name = _collection(request.collection)
        document = await self._access.document(name, request.document_id, request.principals)
        return corpus_pb2.GetDocumentResponse(document=to_message(document, corpus_pb2.Document))

    async def GetPassage(
        self,
        request: corpus_pb2.GetPassageRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.GetPassageRequest, corpus_pb2.GetPassageResponse],
    ) -> corpus_pb2.GetPassageResponse:
        """A passage."""
        name = _collection(request.collection)
        passage = await self._access.passage(name, request.passage_id, request.principals)
        return corpus_pb2.GetPassageResponse(passage=to_message(passage, evidence_pb2.Passage))

    async def LookUpPassages(
        self,
        request: corpus_pb2.LookUpPassagesRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.LookUpPassagesRequest, corpus_pb2.LookUpPassagesResponse],
    ) -> corpus_pb2.LookUpPassagesResponse:
        """Many passages at once."""
        keys = [PassageKey(_collection(key.collection), key.document_id, key.passage_id) for key in request.keys]
        lookups = await self._lookups.look_up(keys, request.principals, content=request.content)
        messages = [to_message(lookup, corpus_pb2.PassageLookup) for lookup in lookups]
        return corpus_pb2.LookUpPassagesResponse(lookups=messages)

    async def GetImage(
        self,
        request: corpus_pb2.GetImageRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.GetImageRequest, corpus_pb2.GetImageResponse],
    ) -> corpus_pb2.GetImageResponse:
        """A picture."""
        name = _collection(request.collection)
        image = await self._access.image(name, request.image_id, request.principals)
        return corpus_pb2.GetImageResponse(
            image=to_message(image.reference, evidence_pb2.ImageReference), media_type=image.media_type, data=image.data
        )

    async def ListDocuments(
        self,
        request: corpus_pb2.ListDocumentsRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.ListDocumentsRequest, corpus_pb2.ListDocumentsResponse],
    ) -> corpus_pb2.ListDocumentsResponse:
        """A page of documents."""
        name, size = _collection(request.collection), request.page_size or DEFAULT_PAGE
        page = await self._access.page(name, size, request.page_token, request.principals)
        return to_message(page, corpus_pb2.ListDocumentsResponse)

    async def DeleteDocument(
        self,
        request: corpus_pb2.DeleteDocumentRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.DeleteDocumentRequest, corpus_pb2.DeleteDocumentResponse],
    ) -> corpus_pb2.DeleteDocumentResponse:
        """Delete a document from every engine at once."""
        name = _collection(request.collection)
        await self._access.delete_document(name, request.document_id, _caller(request))
        return corpus_pb2.DeleteDocumentResponse()

    async def ListCollections(
        self,
        request: corpus_pb2.ListCollectionsRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.ListCollectionsRequest, corpus_pb2.ListCollectionsResponse],
    ) -> corpus_pb2.ListCollectionsResponse:
        """All collections."""
        collections = await self._access.collections(_caller(request))
        messages = [to_message(collection, corpus_pb2.Collection) for collection in collections]
        return corpus_pb2.ListCollectionsResponse(collections=messages)

    async def GetCollection(
        self,
        request: corpus_pb2.GetCollectionRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.GetCollectionRequest, corpus_pb2.GetCollectionResponse],
    ) -> corpus_pb2.GetCollectionResponse:
        """A collection."""
        collection = await self._access.collection(_collection(request.name), _caller(request))
        return corpus_pb2.GetCollectionResponse(collection=to_message(collection, corpus_pb2.Collection))

    async def DeleteCollection(
        self,
        request: corpus_pb2.DeleteCollectionRequest,
        context: grpc.aio.ServicerContext[corpus_pb2.DeleteCollectionRequest, corpus_pb2.DeleteCollectionResponse],
    ) -> corpus_pb2.DeleteCollectionResponse:
        """Delete a collection with everything in it."""
        await self._access.delete_collection(request.name, _caller(request))
        return corpus_pb2.DeleteCollectionResponse()

    async def _documents(self, requests: AsyncIterator[corpus_pb2.IngestRequest]) -> AsyncIterator[Incoming]:
        """The documents of a stream; an invalid one becomes a receipt with the error."""
        async for request in requests:
            if request.WhichOneof("part") != "document":
                raise InvalidInput("document", "Every message after the first must hold a document.")
            try:
                self._validation.check(request.document)
                document = from_request(request.document, Document)
            except InvalidInput as error:
                yield Receipt(request.document.document_id, IngestStatus.FAILED, error=_within_document(error))
            else:
                yield document


def _within_document(error: InvalidInput) -> InvalidInput:
    """The same error, with field paths relative to the request."""
    violations = [FieldViolation(f"document.{v.field}", v.description, v.rule) for v in error.violations]
    return InvalidInput.of(tuple(violations), error.reason)


def _under_way(index: int, progress: DocumentProgress) -> corpus_pb2.IngestResponse:
    """`index` is that of the first document without an acknowledgement."""
    return corpus_pb2.IngestResponse(
        index=index + progress.place,
        document_id=progress.document_id,
        status=corpus_pb2.INGEST_STATUS_UNDER_WAY,
        passages=progress.passages,
    )


def _acknowledgement(index: int, receipt: Receipt) -> corpus_pb2.IngestResponse:
    return corpus_pb2.IngestResponse(
        index=index,
        document_id=receipt.document_id,
        status=_status(receipt.status),
        passages=receipt.passages,
        reason=receipt.error.reason if receipt.error else "",
        description=receipt.error.message if receipt.error else "",
        vectors_ignored=receipt.vectors_ignored,
    )


def _status(status: IngestStatus) -> corpus_pb2.IngestStatus.ValueType:
    return corpus_pb2.IngestStatus.Value(f"INGEST_STATUS_{status.value}")


class _ByCaller(Protocol):
    """A request that says whose it is."""

    @property
    def principals(self) -> Sequence[str]: ...

    @property
    def admin(self) -> bool: ...


def _caller(request: _ByCaller) -> Caller:
    return Caller(tuple(request.principals), request.admin)


def _collection(name: str) -> str:
    return name or DEFAULT_COLLECTION
