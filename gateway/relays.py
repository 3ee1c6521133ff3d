"""Calls that the gateway forwards: the CorpusService and AnswerService.Verify, with the caller's principals."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, TypeVar

import grpc

from gateway.principals import caller_of
from libs.runtime.channel import UnaryCall, stream, unary
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

Response = TypeVar("Response")


class CorpusRelay(corpus_pb2_grpc.CorpusServiceServicer):
    """CorpusService of the retrieve stage. Principals inside a request are replaced by the caller's own."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = corpus_pb2_grpc.CorpusServiceStub(channel)

    async def Search(self, request: corpus_pb2.SearchRequest, context: Any) -> corpus_pb2.SearchResponse:
        """See CorpusService."""
        request.options.principals[:] = caller_of(context)
        return await unary(self._stub.Search, request)

    async def PutDocument(self, request: corpus_pb2.PutDocumentRequest, context: Any) -> corpus_pb2.PutDocumentResponse:
        """See CorpusService."""
        return await unary(self._stub.PutDocument, request)

    async def Ingest(
        self, request: AsyncIterator[corpus_pb2.IngestRequest], context: Any
    ) -> AsyncIterator[corpus_pb2.IngestResponse]:
        """See CorpusService."""
        async with aclosing(stream(self._stub.Ingest, request)) as responses:
            async for response in responses:
                yield response

    async def PlaceRoots(self, request: corpus_pb2.PlaceRootsRequest, context: Any) -> corpus_pb2.PlaceRootsResponse:
        """See CorpusService."""
        return await unary(self._stub.PlaceRoots, request)

    async def GetDocument(self, request: corpus_pb2.GetDocumentRequest, context: Any) -> corpus_pb2.GetDocumentResponse:
        """See CorpusService."""
        return await _asked_by(context, self._stub.GetDocument, request)

    async def GetPassage(self, request: corpus_pb2.GetPassageRequest, context: Any) -> corpus_pb2.GetPassageResponse:
        """See CorpusService."""
        return await _asked_by(context, self._stub.GetPassage, request)

    async def GetImage(self, request: corpus_pb2.GetImageRequest, context: Any) -> corpus_pb2.GetImageResponse:
        """See CorpusService."""
        return await _asked_by(context, self._stub.GetImage, request)

    async def ListDocuments(
        self, request: corpus_pb2.ListDocumentsRequest, context: Any
    ) -> corpus_pb2.ListDocumentsResponse:
        """See CorpusService."""
        return await _asked_by(context, self._stub.ListDocuments, request)

    async def DeleteDocument(
        self, request: corpus_pb2.DeleteDocumentRequest, context: Any
    ) -> corpus_pb2.DeleteDocumentResponse:
        """See CorpusService."""
        return await _asked_by(context, self._stub.DeleteDocument, request)

    async def ListCollections(
        self, request: corpus_pb2.ListCollectionsRequest, context: Any
    ) -> corpus_pb2.ListCollectionsResponse:
        """See CorpusService."""
        return await unary(self._stub.ListCollections, request)

    async def DeleteCollection(
        self, request: corpus_pb2.DeleteCollectionRequest, context: Any
    ) -> corpus_pb2.DeleteCollectionResponse:
        """See CorpusService."""
        return await unary(self._stub.DeleteCollection, request)


class VerifyRelay(answer_pb2_grpc.AnswerServiceServicer):
    """AnswerService at the gateway: only Verify; the other calls belong to turns and are UNIMPLEMENTED here."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = answer_pb2_grpc.AnswerServiceStub(channel)

    async def Verify(self, request: answer_pb2.VerifyRequest, context: Any) -> answer_pb2.VerifyResponse:
        """See AnswerService."""
        return await unary(self._stub.Verify, request)


async def _asked_by(context: Any, method: Callable[..., UnaryCall[Response]], request: Any) -> Response:
    request.principals[:] = caller_of(context)
    return await unary(method, request)
