"""Send documents over one stream, with a bounded number of them not acknowledged yet."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from threading import Condition
from typing import Final

from cli.connection.channels import Metadata
from cli.connection.gateway_connection import CommandError
from cli.ingest.sources import Item
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

MAX_DOCUMENTS: Final = 512
"""Maximum documents sent but not acknowledged; more than the batches of 64 that the retrieve stage holds at once."""
MAX_BYTES: Final = 32 * 1024 * 1024


class SendWindow:
    """Admits one document, and more at a time once it is acknowledged: the first shows whether vectors fit."""

    def __init__(self, documents: int = MAX_DOCUMENTS, size: int = MAX_BYTES) -> None:
        """Limit the documents under way, and their total bytes unless there is only one document."""
        self._documents = documents
        self._size = size
        self._wide = False
        self._under_way: deque[int] = deque()
        self._bytes = 0
        self._closed = False
        self._changed = Condition()

    def enter(self, size: int) -> bool:
        """Wait until a document of this size may be sent; return False when nothing more is to be sent."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._has_room(size))
            if not self._closed:
                self._under_way.append(size)
                self._bytes += size
            return not self._closed

    def leave(self) -> None:
        """Release the oldest document, which is acknowledged."""
        with self._changed:
            self._bytes -= self._under_way.popleft()
            self._wide = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop sending."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _has_room(self, size: int) -> bool:
        if not self._under_way:
            return True
        return self._wide and len(self._under_way) < self._documents and self._bytes + size <= self._size


def send(
    stub: corpus_pb2_grpc.CorpusServiceStub,
    collection: str,
    items: Iterable[Item],
    window: SendWindow,
    owners: Metadata = (),
) -> Generator[tuple[Item, corpus_pb2.IngestResponse], None, None]:
    """Send all documents and yield each with its acknowledgement, in order; long ones report progress before that.

    The documents belong to `owners`. Closing the generator ends the stream. `items` is iterated in another thread; an
    error in it is raised once what came before is acknowledged.

    Raises:
        CommandError: the stream ended before everything was acknowledged.
        grpc.RpcError: the call failed; what was acknowledged before stays written.
    """
    under_way: deque[Item] = deque()
    failures: list[Exception] = []

    def requests() -> Iterator[corpus_pb2.IngestRequest]:
        yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=collection, progress=True))
        for item in _until_failure(items, failures):
            if not window.enter(item.document.ByteSize()):
                return
            under_way.append(item)
            yield corpus_pb2.IngestRequest(document=item.document)

    call = stub.Ingest(requests(), metadata=owners)
    try:
        acknowledged = 0
        for answer in call:
            if answer.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
                yield under_way[answer.index - acknowledged], answer
                continue
            yield under_way.popleft(), answer
            acknowledged += 1
            window.leave()  # only after the caller has seen it: it may end the stream
        if failures:
            raise failures[0]
        if under_way:
            raise CommandError(
                f"The suite ended the stream before it acknowledged {len(under_way)} documents: ingest once more."
            )
    finally:
        window.close()
        call.cancel()


def _until_failure(items: Iterable[Item], failures: list[Exception]) -> Iterator[Item]:
    """Yield the items; an error ends them, and is kept to be raised where the command waits."""
    try:
        yield from items
    except Exception as error:
        failures.append(error)
