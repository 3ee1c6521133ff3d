"""Send documents over one stream, with a bounded number of them not acknowledged yet."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from threading import Semaphore
from typing import Final

from cli.connection.gateway_connection import CommandError
from cli.ingest.sources import Item
from parley.client.connection import Metadata
from parley.client.documents import IngestRequests
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

MAX_DOCUMENTS: Final = 512
"""Maximum documents sent but not acknowledged; more than the batches of 64 that the stage holds at once (taste)."""


def send(
    stub: corpus_pb2_grpc.CorpusServiceStub, collection: str, items: Iterable[Item], owners: Metadata = ()
) -> Generator[tuple[Item, corpus_pb2.IngestResponse], None, None]:
    """Send all documents and yield each with its acknowledgement, in order; long ones report progress before that.

    The first document is sent alone: its acknowledgement shows whether vectors fit. The documents belong to `owners`.
    Closing the generator ends the stream. `items` is iterated in another thread; an error in it is raised once what
    came before is acknowledged.

    Raises:
        CommandError: the stream ended before everything was acknowledged.
        grpc.RpcError: the call failed; what was acknowledged before stays written.
    """
    under_way: deque[Item] = deque()
    room = Semaphore(1)

    def documents() -> Iterator[corpus_pb2.Document]:
        for item in items:
            room.acquire()
            under_way.append(item)
            yield item.document

    requests = IngestRequests(documents(), collection)
    call = stub.Ingest(requests, metadata=owners)
    acknowledged = 0
    try:
        for answer in call:
            if answer.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
                yield under_way[answer.index - acknowledged], answer
                continue
            yield under_way.popleft(), answer
            acknowledged += 1
            room.release(1 if acknowledged > 1 else MAX_DOCUMENTS)  # only now: the caller may have ended the stream
        requests.check()
        if under_way:
            raise CommandError(
                f"The suite ended the stream before it acknowledged {len(under_way)} documents: ingest once more."
            )
    finally:
        call.cancel()
        room.release()  # the other thread may wait for it, and finds the call cancelled
