"""Calls that the gateway passes on: the CorpusService and AnswerService.Verify, with the caller's principals."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from gateway.principals import caller_of
from libs.runtime.channel import stream, unary
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
    """CorpusService of the retrieve stage. Principals inside a request are replaced by the caller's own."""

    def __init__(self, corpus: Any) -> None:
        """`corpus` is the stage's servicer, or a `Forwarding` to it."""
        self._corpus = corpus

    async def Search(self, request: corpus_pb2.SearchRequest, context: Any) -> corpus_pb2.SearchResponse:
        """See CorpusService."""
        request.options.principals[:] = caller_of(context)
        response: corpus_pb2.SearchResponse = await self._corpus.Search(request, context)
        return response

    async def PutDocument(self, request: corpus_pb2.PutDocumentRequest, context: Any) -> corpus_pb2.PutDocumentResponse:
        """See CorpusService."""
        self._sign(request, context)
        response: corpus_pb2.PutDocumentResponse = await self._corpus.PutDocument(request, context)
        return response

    async def Ingest(
        self, request: AsyncIterator[corpus_pb2.IngestRequest], context: Any
    ) -> AsyncIterator[corpus_pb2.IngestResponse]:
        """See CorpusService."""
        async with aclosing(self._corpus.Ingest(self._signed(request, context), context)) as responses:
            async for response in responses:
                yield response

    async def PlaceRoots(self, request: corpus_pb2.PlaceRootsRequest, context: Any) -> corpus_pb2.PlaceRootsResponse:
        """See CorpusService."""
        self._sign(request, context)
        response: corpus_pb2.PlaceRootsResponse = await self._corpus.PlaceRoots(request, context)
        return response

    async def GetDocument(self, request: corpus_pb2.GetDocumentRequest, context: Any) -> corpus_pb2.GetDocumentResponse:
        """See CorpusService."""
        request.principals[:] = caller_of(context)
        response: corpus_pb2.GetDocumentResponse = await self._corpus.GetDocument(request, context)
        return response

    async def GetPassage(self, request: corpus_pb2.GetPassageRequest, context: Any) -> corpus_pb2.GetPassageResponse:
        """See CorpusService."""
        request.principals[:] = caller_of(context)
        response: corpus_pb2.GetPassageResponse = await self._corpus.GetPassage(request, context)
        return response

    async def LookUpPassages(
        self, request: corpus_pb2.LookUpPassagesRequest, context: Any
    ) -> corpus_pb2.LookUpPassagesResponse:
        """See CorpusService."""
        request.principals[:] = caller_of(context)
        response: corpus_pb2.LookUpPassagesResponse = await self._corpus.LookUpPassages(request, context)
        return response

    async def GetImage(self, request: corpus_pb2.GetImageRequest, context: Any) -> corpus_pb2.GetImageResponse:
        """See CorpusService."""
        request.principals[:] = caller_of(context)
        response: corpus_pb2.GetImageResponse = await self._corpus.GetImage(request, context)
        return response

    async def ListDocuments(
        self, request: corpus_pb2.ListDocumentsRequest, context: Any
    ) -> corpus_pb2.ListDocumentsResponse:
        """See CorpusService."""
        request.principals[:] = caller_of(context)
        response: corpus_pb2.ListDocumentsResponse = await self._corpus.ListDocuments(request, context)
        return response

    async def DeleteDocument(
        self, request: corpus_pb2.DeleteDocumentRequest, context: Any
    ) -> corpus_pb2.DeleteDocumentResponse:
        """See CorpusService."""
        self._sign(request, context)
        response: corpus_pb2.DeleteDocumentResponse = await self._corpus.DeleteDocument(request, context)
        return response

    async def ListCollections(
        self, request: corpus_pb2.ListCollectionsRequest, context: Any
    ) -> corpus_pb2.ListCollectionsResponse:
        """See CorpusService."""
        self._sign(request, context)
        response: corpus_pb2.ListCollectionsResponse = await self._corpus.ListCollections(request, context)
        return response

    async def GetCollection(
        self, request: corpus_pb2.GetCollectionRequest, context: Any
    ) -> corpus_pb2.GetCollectionResponse:
        """See CorpusService."""
        self._sign(request, context)
        response: corpus_pb2.GetCollectionResponse = await self._corpus.GetCollection(request, context)
        return response

    async def DeleteCollection(
        self, request: corpus_pb2.DeleteCollectionRequest, context: Any
    ) -> corpus_pb2.DeleteCollectionResponse:
        """See CorpusService."""
        self._sign(request, context)
        response: corpus_pb2.DeleteCollectionResponse = await self._corpus.DeleteCollection(request, context)
        return response

    async def _signed(
        self, requests: AsyncIterator[corpus_pb2.IngestRequest], context: Any
    ) -> AsyncIterator[corpus_pb2.IngestRequest]:
        """The same stream, with the caller's principals in its header."""
        async for request in requests:
            if request.WhichOneof("part") == "header":
                self._sign(request.header, context)
            yield request

    def _sign(self, request: Any, context: Any) -> None:
        """Say whose request it is, whatever it says itself."""
        request.principals[:] = caller_of(context)
        request.admin = False


class VerifyRelay(answer_pb2_grpc.AnswerServiceServicer):
    """AnswerService at the gateway: only Verify; the other calls belong to turns and are UNIMPLEMENTED here."""

    def __init__(self, answer: Any) -> None:
        """`answer` is the stage's servicer, or a `Forwarding` to it."""
        self._answer = answer

    async def Verify(self, request: answer_pb2.VerifyRequest, context: Any) -> answer_pb2.VerifyResponse:
        """See AnswerService."""
        response: answer_pb2.VerifyResponse = await self._answer.Verify(request, context)
        return response
