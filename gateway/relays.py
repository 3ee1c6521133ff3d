"""Calls that the gateway passes on: the CorpusService and AnswerService.Verify, with the caller's principals."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from gateway.access.guard import DEFAULT_COLLECTION, AccessGuard
from gateway.access.principals import caller_of
from gateway.access.roles import Role
from gateway.audit.calls import CallAudit
from libs.runtime.calling.channel import stream, unary
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

STREAMED: Final = frozenset({"Ingest"})
"""Methods that respond with a stream."""


class Forwarding:
    """Handles the methods of a servicer by calls over the network."""

    def __init__(self, stub: object) -> None:
        self._stub = stub

    def __getattr__(self, name: str) -> Callable[[Any, Any], Any]:
        call = partial(stream if name in STREAMED else unary, getattr(self._stub, name))
        return lambda request, context: call(request)


class CorpusRelay(corpus_pb2_grpc.CorpusServiceServicer):
    """CorpusService of the retrieve stage, for callers with a role in the collection.

    What a request says of its caller is replaced by what the gateway knows.
    """

    def __init__(self, corpus: Any, guard: AccessGuard, audit: CallAudit) -> None:
        """`corpus` is the stage's servicer, or a `Forwarding` to it; `audit` records the documents of an Ingest."""
        self._corpus = corpus
        self._guard = guard
        self._audit = audit

    async def Search(self, request: corpus_pb2.SearchRequest, context: Any) -> corpus_pb2.SearchResponse:
        """See CorpusService."""
        request.DiscardUnknownFields()
        self._admit(request.options, request.options.collection, context, Role.READ)
        response: corpus_pb2.SearchResponse = await self._corpus.Search(request, context)
        return response

    async def PutDocument(self, request: corpus_pb2.PutDocumentRequest, context: Any) -> corpus_pb2.PutDocumentResponse:
        """See CorpusService."""
        self._admit(request, request.collection, context, Role.WRITE)
        response: corpus_pb2.PutDocumentResponse = await self._corpus.PutDocument(request, context)
        return response

    async def Ingest(
        self, request: AsyncIterator[corpus_pb2.IngestRequest], context: Any
    ) -> AsyncIterator[corpus_pb2.IngestResponse]:
        """See CorpusService."""
        first, collection = await anext(aiter(request), None), ""
        if first is not None and first.WhichOneof("part") == "header":
            collection = first.header.collection or DEFAULT_COLLECTION
            self._admit(first.header, collection, context, Role.WRITE)
        async with aclosing(self._corpus.Ingest(_rejoined(first, request), context)) as responses:
            async for response in responses:
                self._audit.ingested(context, collection, response)
                yield response

    async def PlaceRoots(self, request: corpus_pb2.PlaceRootsRequest, context: Any) -> corpus_pb2.PlaceRootsResponse:
        """See CorpusService."""
        self._admit(request, request.collection, context, Role.WRITE)
        response: corpus_pb2.PlaceRootsResponse = await self._corpus.PlaceRoots(request, context)
        return response

    async def GetDocument(self, request: corpus_pb2.GetDocumentRequest, context: Any) -> corpus_pb2.GetDocumentResponse:
        """See CorpusService."""
        self._admit(request, request.collection, context, Role.READ)
        response: corpus_pb2.GetDocumentResponse = await self._corpus.GetDocument(request, context)
        return response

    async def GetPassage(self, request: corpus_pb2.GetPassageRequest, context: Any) -> corpus_pb2.GetPassageResponse:
        """See CorpusService."""
        self._admit(request, request.collection, context, Role.READ)
        response: corpus_pb2.GetPassageResponse = await self._corpus.GetPassage(request, context)
        return response

    async def LookUpPassages(
        self, request: corpus_pb2.LookUpPassagesRequest, context: Any
    ) -> corpus_pb2.LookUpPassagesResponse:
        """See CorpusService. Nothing is visible of a collection without a role."""
        principals = caller_of(context)
        granted = [self._guard.reads(principals, key.collection) for key in request.keys]
        own = corpus_pb2.LookUpPassagesRequest(content=request.content, principals=principals)
        own.keys.extend(key for key, is_granted in zip(request.keys, granted, strict=True) if is_granted)
        known = iter((await self._corpus.LookUpPassages(own, context)).lookups)
        lookups = [next(known) if is_granted else corpus_pb2.PassageLookup() for is_granted in granted]
        return corpus_pb2.LookUpPassagesResponse(lookups=lookups)

    async def GetImage(self, request: corpus_pb2.GetImageRequest, context: Any) -> corpus_pb2.GetImageResponse:
        """See CorpusService."""
        self._admit(request, request.collection, context, Role.READ)
        response: corpus_pb2.GetImageResponse = await self._corpus.GetImage(request, context)
        return response

    async def ListDocuments(
        self, request: corpus_pb2.ListDocumentsRequest, context: Any
    ) -> corpus_pb2.ListDocumentsResponse:
        """See CorpusService."""
        self._admit(request, request.collection, context, Role.READ)
        response: corpus_pb2.ListDocumentsResponse = await self._corpus.ListDocuments(request, context)
        return response

    async def DeleteDocument(
        self, request: corpus_pb2.DeleteDocumentRequest, context: Any
    ) -> corpus_pb2.DeleteDocumentResponse:
        """See CorpusService."""
        self._admit(request, request.collection, context, Role.WRITE)
        response: corpus_pb2.DeleteDocumentResponse = await self._corpus.DeleteDocument(request, context)
        return response

    async def ListCollections(
        self, request: corpus_pb2.ListCollectionsRequest, context: Any
    ) -> corpus_pb2.ListCollectionsResponse:
        """See CorpusService. An admin of a collection sees all of it, others what exists for them."""
        principals = caller_of(context)
        everything = await self._collections(principals, context, admin=True) if self._guard.is_limited else ()
        administered = [each for each in everything if self._guard.administers(principals, each.name)]
        names = {each.name for each in administered}
        own = [
            each
            for each in await self._collections(principals, context, admin=False)
            if each.name not in names and self._guard.reads(principals, each.name)
        ]
        collections = sorted((*administered, *own), key=lambda each: each.name)
        return corpus_pb2.ListCollectionsResponse(collections=collections)

    async def _collections(
        self, principals: Sequence[str], context: Any, *, admin: bool
    ) -> Sequence[corpus_pb2.Collection]:
        request = corpus_pb2.ListCollectionsRequest(principals=principals, admin=admin)
        response: corpus_pb2.ListCollectionsResponse = await self._corpus.ListCollections(request, context)
        return response.collections

    async def GetCollection(
        self, request: corpus_pb2.GetCollectionRequest, context: Any
    ) -> corpus_pb2.GetCollectionResponse:
        """See CorpusService."""
        self._admit(request, request.name, context, Role.READ)
        response: corpus_pb2.GetCollectionResponse = await self._corpus.GetCollection(request, context)
        return response

    async def DeleteCollection(
        self, request: corpus_pb2.DeleteCollectionRequest, context: Any
    ) -> corpus_pb2.DeleteCollectionResponse:
        """See CorpusService."""
        self._admit(request, request.name, context, Role.WRITE)
        response: corpus_pb2.DeleteCollectionResponse = await self._corpus.DeleteCollection(request, context)
        return response

    def _admit(self, request: Any, collection: str, context: Any, role: Role) -> None:
        """Check the caller's role, and write into the request whose it is.

        Fields that this gateway does not know are dropped: a later stage may read in them who calls.

        Raises:
            NotFound, PermissionDenied: see `AccessGuard.require`.
        """
        principals = caller_of(context)
        self._guard.require(principals, collection, role)
        request.DiscardUnknownFields()
        request.principals[:] = principals
        if "admin" in request.DESCRIPTOR.fields_by_name:
            request.admin = self._guard.administers(principals, collection)


async def _rejoined(
    first: corpus_pb2.IngestRequest | None, others: AsyncIterator[corpus_pb2.IngestRequest]
) -> AsyncIterator[corpus_pb2.IngestRequest]:
    """A stream with its first message, which was taken from it."""
    if first is not None:
        yield first
        async for request in others:
            yield request


class VerifyRelay(answer_pb2_grpc.AnswerServiceServicer):
    """AnswerService at the gateway: only Verify; the other calls belong to turns and are UNIMPLEMENTED here."""

    def __init__(self, answer: Any) -> None:
        """`answer` is the stage's servicer, or a `Forwarding` to it."""
        self._answer = answer

    async def Verify(self, request: answer_pb2.VerifyRequest, context: Any) -> answer_pb2.VerifyResponse:
        """See AnswerService."""
        response: answer_pb2.VerifyResponse = await self._answer.Verify(request, context)
        return response
