"""The client for code with an event loop: the methods of `blocking.Parley`, to be awaited; threads read files."""

from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import grpc

from parley.client import calls
from parley.client.answers import Answer
from parley.client.asking import ask_async
from parley.client.connected import Connected
from parley.client.documents import (
    Document,
    IngestRequests,
    Reader,
    Receipt,
    document_from_bytes,
    documents_of,
    read_text,
    receipt_of,
)
from parley.client.errors import error_of
from parley.client.gateways import open_async_channel
from parley.client.questions import Message, Options, question_request
from parley.client.turns import AsyncTurn
from parley.client.values import Passage, Timeline
from parley.gateway.v1 import gateway_pb2

T = TypeVar("T")


class AsyncParley(Connected[grpc.aio.Channel]):
    """A running suite. Its methods raise ParleyError.

    async with AsyncParley("localhost:50051") as parley:
        print(await parley.ask("When did Phoenix land on Mars?"))
    """

    _open = staticmethod(open_async_channel)

    def ask(
        self,
        question: str,
        *,
        options: Options | None = None,
        collection: str = "",
        session_id: str = "",
        context: str = "",
        history: Iterable[Message] = (),
        request_id: str = "",
        completed: Callable[[Answer], None] = lambda answer: None,
    ) -> AsyncTurn:
        """Ask a question: iterate over the turn for its events, or await it for its answer.

        See `question_request` for the arguments; `completed` is called with the finished answer.
        """
        request = question_request(
            question,
            options=options,
            collection=collection,
            session_id=session_id,
            context=context,
            history=history,
            request_id=request_id,
        )
        responses = ask_async(self.stubs.gateway, request, seconds=self._timeout, metadata=self._metadata)
        return AsyncTurn(question, responses, completed)

    def conversation(self, session_id: str = "", *, collection: str = "") -> "AsyncConversation":
        """A conversation that the suite stores: a new one, or the session of this id."""
        return AsyncConversation(self, session_id, collection)

    async def timeline(self, question: str, *, collection: str = "") -> Timeline | None:
        """The timeline of a question; None if there are no dated events."""
        options = Options(pro=True, collection=collection)
        return (await self.ask(question, options=options)).timeline

    async def cancel(self, turn_id: str) -> str:
        """Cancel a turn, by whomever it is read; returns its state, such as `cancelled`."""
        return await self._run(calls.cancel(turn_id))

    async def ingest(
        self,
        sources: Iterable[Path | str | Document],
        *,
        collection: str = "",
        principals: Iterable[str] = (),
        reader: Reader = read_text,
    ) -> AsyncIterator[Receipt]:
        """Store the documents of files and folders; yields acknowledgements in order, and progress of long documents.

        See `documents_of` for the arguments. Iterate to the end: closing the iterator ends the ingest.

        Raises:
            UnreadableFileError, OSError: a file cannot be read; those before it are acknowledged first.
        """
        requests = IngestRequests(documents_of(sources, reader, principals), collection)
        call = self.stubs.corpus.Ingest(requests.off_the_loop(), metadata=self._metadata)
        try:
            async for response in call:
                yield receipt_of(response)
            requests.check()
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            call.cancel()

    async def put(self, document: Document, *, collection: str = "") -> Receipt:
        """Store one document."""
        return await self._run(calls.put_document(document, collection))

    async def put_bytes(self, document_id: str, content: bytes, *, collection: str = "", title: str = "") -> Receipt:
        """Store a text or Markdown document from its bytes (UTF-8).

        Raises:
            UnreadableFileError: they are not UTF-8.
        """
        return await self.put(document_from_bytes(document_id, content, title), collection=collection)

    async def search(self, query: str, *, collection: str = "", limit: int = 0) -> tuple[Passage, ...]:
        """Passages for a query, best first; `limit` 0 means the suite's setting."""
        return await self._run(calls.search(query, collection, limit))

    async def passage(self, passage_id: str, *, collection: str = "") -> Passage:
        """A passage as it is now."""
        return await self._run(calls.get_passage(passage_id, collection))

    async def document(self, document_id: str, *, collection: str = "") -> Document:
        """A document with its text."""
        return await self._run(calls.get_document(document_id, collection))

    async def image(self, image_id: str, *, collection: str = "") -> bytes:
        """A picture's bytes; empty if only its URL is known."""
        return await self._run(calls.get_image(image_id, collection))

    def documents(self, *, collection: str = "") -> AsyncIterator[calls.DocumentInfo]:
        """All documents of a collection, ordered by id; read page by page."""
        return self._all(lambda token: calls.list_documents(collection, token))

    async def delete_document(self, document_id: str, *, collection: str = "") -> None:
        """Delete a document."""
        await self._run(calls.delete_document(document_id, collection))

    async def collections(self) -> tuple[calls.CollectionInfo, ...]:
        """All collections."""
        return await self._run(calls.list_collections())

    async def delete_collection(self, name: str) -> None:
        """Delete a collection with all its documents."""
        await self._run(calls.delete_collection(name))

    def sessions(self) -> AsyncIterator[calls.SessionInfo]:
        """The caller's sessions, the latest first."""
        return self._all(calls.list_sessions)

    def turns(self, session_id: str) -> AsyncIterator[calls.TurnInfo]:
        """A session's turns, the oldest first."""
        return self._all(lambda token: calls.list_turns(session_id, token))

    async def rename_session(self, session_id: str, title: str) -> calls.SessionInfo:
        """Give a session a title: at most 200 characters (the contract's bound), put on one line; empty: none.

        Raises:
            NotFoundError: the caller has no such session.
            InvalidArgumentError: the title is too long.
        """
        return await self._run(calls.rename_session(session_id, title))

    async def delete_session(self, session_id: str) -> None:
        """Delete a session for ever."""
        await self._run(calls.delete_session(session_id))

    async def export_session(self, session_id: str) -> str:
        """The encoded conversation, to be kept elsewhere."""
        return await self._run(calls.export_session(session_id))

    async def import_session(self, context: str, session_id: str = "") -> calls.SessionInfo:
        """Create a session from an encoded conversation."""
        return await self._run(calls.import_session(context, session_id))

    async def server_info(self) -> gateway_pb2.GetServerInfoResponse:
        """Version, engines and health of the suite."""
        return await self._run(calls.server_info())

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, call: calls.Call[T]) -> T:
        method = getattr(getattr(self.stubs, call.service), call.method)
        try:
            return call.read(await method(call.request, timeout=self._timeout, metadata=self._metadata))
        except grpc.RpcError as error:
            raise error_of(error) from None

    async def _all(self, page_call: Callable[[str], calls.Call[calls.Page[T]]]) -> AsyncIterator[T]:
        page = await self._run(page_call(""))
        for item in page.items:
            yield item
        while page.next_token:
            page = await self._run(page_call(page.next_token))
            for item in page.items:
                yield item


class AsyncConversation:
    """A conversation that the suite stores. Its `session_id` is known once the first answer is finished."""

    def __init__(self, parley: AsyncParley, session_id: str, collection: str) -> None:
        self._parley = parley
        self._collection = collection
        self.session_id = session_id

    def ask(self, question: str, *, options: Options | None = None) -> AsyncTurn:
        """Ask the next question of the conversation; see `Parley.ask`."""
        return self._parley.ask(
            question,
            options=options,
            collection=self._collection,
            session_id=self.session_id,
            completed=self._keep,
        )

    async def turns(self) -> AsyncIterator[calls.TurnInfo]:
        """Its turns, the oldest first."""
        if self.session_id:
            async for turn in self._parley.turns(self.session_id):
                yield turn

    def _keep(self, answer: Answer) -> None:
        self.session_id = answer.session_id
