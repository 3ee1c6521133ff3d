"""Calls that the gateway passes on: the CorpusService and AnswerService.Verify, with the caller's principals."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from gateway.access.guard import DEFAULT_COLLECTION, AccessGuard, Role
from gateway.access.principals import caller_of
from gateway.audit.calls import CallAudit
from gateway.calling.stages import Stages
from gateway.session.reference_access import PassageLookups
from libs.contracts.evidence import PassageKey
from libs.contracts.stages.answer import VERIFY, VerifyRequest
from libs.contracts.wire.codec import to_message
from libs.runtime.calling.channel import stream, unary
from libs.servicing.requests import from_request
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

STREAMED: Final = frozenset({"Ingest"})
"""Methods that respond with a stream."""


class Forwarding:
    """Handles the methods of a servicer by calls over the network, which raise the ParleyError of the other side."""

    def __init__(self, stub: object) -> None:
        self._stub = stub

    def __getattr__(self, name: str) -> Callable[[Any, Any], Any]:
        call = partial(stream if name in STREAMED else unary, getattr(self._stub, name))
        return lambda request, context: call(request)


def _relayed(name: str, role: Role) -> Any:
    """Return a method that passes a call on, if its caller has the role in the collection that it names."""

    async def relay(self: "CorpusRelay", request: Any, context: Any) -> Any:
        has_collection = "collection" in request.DESCRIPTOR.fields_by_name
        collection = request.collection if has_collection else request.name
        self._admit(request, collection, context, role)
        return await getattr(self._corpus, name)(request, context)

    return relay


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
        """Search, for a caller with the role READ."""
        request.DiscardUnknownFields()
        self._admit(request.options, request.options.collection, context, Role.READ)
        response: corpus_pb2.SearchResponse = await self._corpus.Search(request, context)
        return response

    PutDocument = _relayed("PutDocument", Role.WRITE)
    PlaceRoots = _relayed("PlaceRoots", Role.WRITE)
    GetDocument = _relayed("GetDocument", Role.READ)
    GetPassage = _relayed("GetPassage", Role.READ)
    GetImage = _relayed("GetImage", Role.READ)
    GetPagePicture = _relayed("GetPagePicture", Role.READ)
    ListDocuments = _relayed("ListDocuments", Role.READ)
    DeleteDocument = _relayed("DeleteDocument", Role.WRITE)
    GetCollection = _relayed("GetCollection", Role.READ)
    DeleteCollection = _relayed("DeleteCollection", Role.WRITE)

    async def Ingest(
        self, request: AsyncIterator[corpus_pb2.IngestRequest], context: Any
    ) -> AsyncIterator[corpus_pb2.IngestResponse]:
        """Store the documents of a stream, for a caller with the role WRITE."""
        first, collection = await anext(aiter(request), None), ""
        if first is not None and first.WhichOneof("part") == "header":
            collection = first.header.collection or DEFAULT_COLLECTION
            self._admit(first.header, collection, context, Role.WRITE)
        async with aclosing(self._corpus.Ingest(_rejoined(first, request), context)) as responses:
            async for response in responses:
                for each in (response, *response.further):
                    self._audit.ingested(context, collection, each)
                yield response

    async def LookUpPassages(
        self, request: corpus_pb2.LookUpPassagesRequest, context: Any
    ) -> corpus_pb2.LookUpPassagesResponse:
        """Look up passages by their keys; nothing is visible of a collection without a role."""
        keys = [PassageKey(key.collection, key.document_id, key.passage_id) for key in request.keys]
        lookups = PassageLookups(self._corpus, self._guard)
        known = await lookups.look_up(keys, caller_of(context), content=request.content)
        return corpus_pb2.LookUpPassagesResponse(lookups=[known[key] for key in keys])

    async def ListCollections(
        self, request: corpus_pb2.ListCollectionsRequest, context: Any
    ) -> corpus_pb2.ListCollectionsResponse:
        """List the collections; an admin of one sees all of it, others what exists for them."""
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

    def _admit(self, request: Any, collection: str, context: Any, role: Role) -> None:
        """Check the caller's role, and write into the request whose it is, without asking anybody.

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
        if "granted" in request.DESCRIPTOR.fields_by_name:
            request.granted = self._guard.is_limited


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

    def __init__(self, stages: Stages) -> None:
        self._stages = stages

    async def Verify(self, request: answer_pb2.VerifyRequest, context: Any) -> answer_pb2.VerifyResponse:
        """Verify sentences against passages."""
        response = await self._stages.unary(VERIFY, from_request(request, VerifyRequest))
        return to_message(response, answer_pb2.VerifyResponse)
