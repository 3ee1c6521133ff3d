"""The client for code without an event loop: each method blocks until its response has come, or raises."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import grpc

from parley.client import calls
from parley.client.answers import Answer
from parley.client.asking import ask
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
from parley.client.gateways import open_channel
from parley.client.questions import Message, Options, question_request
from parley.client.turns import Turn
from parley.client.values import Passage, Timeline
from parley.gateway.v1 import gateway_pb2

T = TypeVar("T")


class Parley(Connected[grpc.Channel]):
    """A running suite. Its methods raise ParleyError.

    with Parley("localhost:50051") as parley:
        print(parley.ask("When did Phoenix land on Mars?").answer())
    """

    _open = staticmethod(open_channel)

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
    ) -> Turn:
        """Ask a question: iterate over the turn for its events, or call its `answer`.

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
        responses = ask(self.stubs.gateway, request, seconds=self._timeout, metadata=self._metadata)
        return Turn(question, responses, completed)

    def conversation(self, session_id: str = "", *, collection: str = "") -> "Conversation":
        """A conversation that the suite stores: a new one, or the session of this id."""
        return Conversation(self, session_id, collection)

    def timeline(self, question: str, *, collection: str = "") -> Timeline | None:
        """The timeline of a question; None if there are no dated events."""
        options = Options(pro=True, collection=collection)
        return self.ask(question, options=options).answer().timeline

    def cancel(self, turn_id: str) -> str:
        """Cancel a turn, by whomever it is read; returns its state, such as `cancelled`."""
        return self._run(calls.cancel(turn_id))

    def ingest(
        self,
        sources: Iterable[Path | str | Document],
        *,
        collection: str = "",
        principals: Iterable[str] = (),
        reader: Reader = read_text,
    ) -> Iterator[Receipt]:
        """Store the documents of files and folders; yields acknowledgements in order, and progress of long documents.

        See `documents_of` for the arguments. Iterate to the end: closing the iterator ends the ingest.

        Raises:
            UnreadableFileError, OSError: a file cannot be read; those before it are acknowledged first.
        """
        requests = IngestRequests(documents_of(sources, reader, principals), collection)
        call = self.stubs.corpus.Ingest(requests, metadata=self._metadata)
        try:
            for response in call:
                yield receipt_of(response)
            requests.check()
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            call.cancel()

    def put(self, document: Document, *, collection: str = "") -> Receipt:
        """Store one document."""
        return self._run(calls.put_document(document, collection))

    def put_bytes(self, document_id: str, content: bytes, *, collection: str = "", title: str = "") -> Receipt:
        """Store a text or Markdown document from its bytes (UTF-8).

        Raises:
            UnreadableFileError: they are not UTF-8.
        """
        return self.put(document_from_bytes(document_id, content, title), collection=collection)

    def search(self, query: str, *, collection: str = "", limit: int = 0) -> tuple[Passage, ...]:
        """Passages for a query, best first; `limit` 0 means the suite's setting."""
        return self._run(calls.search(query, collection, limit))

    def passage(self, passage_id: str, *, collection: str = "") -> Passage:
        """A passage as it is now."""
        return self._run(calls.get_passage(passage_id, collection))

    def document(self, document_id: str, *, collection: str = "") -> Document:
        """A document with its text."""
        return self._run(calls.get_document(document_id, collection))

    def image(self, image_id: str, *, collection: str = "") -> bytes:
        """A picture's bytes; empty if only its URL is known."""
        return self._run(calls.get_image(image_id, collection))

    def documents(self, *, collection: str = "") -> Iterator[calls.DocumentInfo]:
        """All documents of a collection, ordered by id; read page by page."""
        return self._all(lambda token: calls.list_documents(collection, token))

    def delete_document(self, document_id: str, *, collection: str = "") -> None:
        """Delete a document."""
        self._run(calls.delete_document(document_id, collection))

    def collections(self) -> tuple[calls.CollectionInfo, ...]:
        """All collections."""
        return self._run(calls.list_collections())

    def delete_collection(self, name: str) -> None:
        """Delete a collection with all its documents."""
        self._run(calls.delete_collection(name))

    def sessions(self) -> Iterator[calls.SessionInfo]:
        """The caller's sessions, the latest first."""
        return self._all(calls.list_sessions)

    def turns(self, session_id: str) -> Iterator[calls.TurnInfo]:
        """A session's turns, the oldest first."""
        return self._all(lambda token: calls.list_turns(session_id, token))

    def rename_session(self, session_id: str, title: str) -> calls.SessionInfo:
        """Give a session a title: at most 200 characters (the contract's bound), put on one line; empty: none.

        Raises:
            NotFoundError: the caller has no such session.
            InvalidArgumentError: the title is too long.
        """
        return self._run(calls.rename_session(session_id, title))

    def delete_session(self, session_id: str) -> None:
        """Delete a session for ever."""
        self._run(calls.delete_session(session_id))

    def export_session(self, session_id: str) -> str:
        """The encoded conversation, to be kept elsewhere."""
        return self._run(calls.export_session(session_id))

    def import_session(self, context: str, session_id: str = "") -> calls.SessionInfo:
        """Create a session from an encoded conversation."""
        return self._run(calls.import_session(context, session_id))

    def server_info(self) -> gateway_pb2.GetServerInfoResponse:
        """Version, engines and health of the suite."""
        return self._run(calls.server_info())

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _run(self, call: calls.Call[T]) -> T:
        method = getattr(getattr(self.stubs, call.service), call.method)
        try:
            return call.read(method(call.request, timeout=self._timeout, metadata=self._metadata))
        except grpc.RpcError as error:
            raise error_of(error) from None

    def _all(self, page_call: Callable[[str], calls.Call[calls.Page[T]]]) -> Iterator[T]:
        page = self._run(page_call(""))
        yield from page.items
        while page.next_token:
            page = self._run(page_call(page.next_token))
            yield from page.items


class Conversation:
    """A conversation that the suite stores. Its `session_id` is known once the first answer is finished."""

    def __init__(self, parley: Parley, session_id: str, collection: str) -> None:
        self._parley = parley
        self._collection = collection
        self.session_id = session_id

    def ask(self, question: str, *, options: Options | None = None) -> Turn:
        """Ask the next question of the conversation; see `Parley.ask`."""
        return self._parley.ask(
            question,
            options=options,
            collection=self._collection,
            session_id=self.session_id,
            completed=self._keep,
        )

    def turns(self) -> Iterator[calls.TurnInfo]:
        """Its turns, the oldest first."""
        return self._parley.turns(self.session_id) if self.session_id else iter(())

    def _keep(self, answer: Answer) -> None:
        self.session_id = answer.session_id
