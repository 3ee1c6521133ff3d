"""Send documents over one stream, with a bounded number of them not acknowledged yet.

A thread reads the documents. A message holds those that are ready, as many as the suite says that it takes, so that it
waits for none, and a thousand small ones cost no more than some dozens of messages.
"""

import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Semaphore, Thread
from typing import Final

from cli.connection.gateway_connection import CommandError
from cli.ingest.sources import Item
from parley.client.connection import Metadata
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

MAX_DOCUMENTS: Final = 512
"""Maximum documents sent but not acknowledged; more than the batches of 64 that the stage holds at once (taste)."""
MAX_BYTES: Final = 128 * 1024
"""Size from which a message takes no further document (taste)."""
GATHERING_SECONDS: Final = 0.005
"""How long a document waits for others: reading a line of a file takes a fiftieth of it (taste)."""


def send(
    stub: corpus_pb2_grpc.CorpusServiceStub,
    header: corpus_pb2.IngestHeader,
    items: Iterable[Item],
    owners: Metadata = (),
) -> Generator[tuple[Item, corpus_pb2.IngestResponse], None, None]:
    """Send all documents and yield each with its acknowledgement, in order, as the header asks for.

    The first document is sent alone: its acknowledgement shows whether vectors fit. The documents belong to `owners`.
    Closing the generator ends the stream. `items` is iterated in another thread; an error in it is raised once what
    came before is acknowledged.

    Raises:
        CommandError: the stream ended before everything was acknowledged.
        grpc.RpcError: the call failed; what was acknowledged before stays written.
    """
    sending = _Sending(items, header)
    call = stub.Ingest(sending.messages(), metadata=owners)
    try:
        for response in call:
            for answer in (response, *response.further):
                if answer.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
                    yield sending.under_way[answer.index - sending.acknowledged], answer
                else:
                    yield sending.under_way.popleft(), answer
                    sending.acknowledge(answer)  # only now: the caller may have ended the stream
        sending.check()
    finally:
        call.cancel()
        sending.end()


class _Sending:
    """Documents on their way from the thread that reads them to their acknowledgements."""

    def __init__(self, items: Iterable[Item], header: corpus_pb2.IngestHeader) -> None:
        self.under_way: deque[Item] = deque()
        """Sent or waiting to be sent, and not acknowledged."""
        self.acknowledged = 0
        self._header = header
        self._together = 1
        self._room = Semaphore(1)
        self._ready: SimpleQueue[corpus_pb2.Document | None] = SimpleQueue()
        self._over = Event()
        self._failure: Exception | None = None
        Thread(target=self._read, args=(items,), name="reading", daemon=True).start()

    def messages(self) -> Iterator[corpus_pb2.IngestRequest]:
        """The header, then messages of the documents that are ready."""
        yield corpus_pb2.IngestRequest(header=self._header)
        document = self._ready.get()
        while document is not None:
            time.sleep(GATHERING_SECONDS)
            request, size = corpus_pb2.IngestRequest(document=document), document.ByteSize()
            while (document := self._next()) is not None and len(request.further) + 1 < self._together:
                size += document.ByteSize()
                if size > MAX_BYTES:
                    break
                request.further.append(document)
            yield request
            document = self._ready.get() if document is None else document

    def acknowledge(self, answer: corpus_pb2.IngestResponse) -> None:
        """Let another document be read; after the first one, as many as may be under way."""
        self._together = answer.max_documents or self._together
        self.acknowledged += 1
        self._room.release(1 if self.acknowledged > 1 else MAX_DOCUMENTS)

    def check(self) -> None:
        """Raise what could not be read, or CommandError if not everything is acknowledged."""
        if self._failure is not None:
            raise self._failure
        if self.under_way:
            count = len(self.under_way)
            raise CommandError(
                f"The suite ended the stream before it acknowledged {count} documents: ingest once more."
            )

    def end(self) -> None:
        """Let both threads end: nothing is sent any more."""
        self._over.set()
        self._room.release()
        self._ready.put(None)

    def _next(self) -> corpus_pb2.Document | None:
        """The next document if it is ready."""
        with suppress(Empty):
            document = self._ready.get_nowait()
            if document is not None:
                return document
            self._ready.put(None)
        return None

    def _read(self, items: Iterable[Item]) -> None:
        try:
            for item in items:
                self._room.acquire()
                if self._over.is_set():
                    return
                self.under_way.append(item)
                self._ready.put(item.document)
        except Exception as error:
            self._failure = error
        self._ready.put(None)
