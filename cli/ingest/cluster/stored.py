"""Which documents need not be sent, because the collection holds the same ones: an interrupted ingest goes on there."""

from collections.abc import Callable, Iterable, Iterator

import grpc

from cli.connection.gateway_connection import Metadata
from cli.ingest.sources import Item, ReadItem
from cli.view.documents import listed_documents
from parley.retrieve.v1 import corpus_pb2_grpc


def stored_documents(
    stub: corpus_pb2_grpc.CorpusServiceStub, collection: str, asking: Metadata
) -> dict[str, tuple[bytes, int]]:
    """Fingerprint and passages of every document that the principals may see and that has passages.

    Raises:
        grpc.RpcError: the suite failed.
    """
    stored: dict[str, tuple[bytes, int]] = {}
    try:
        for document in listed_documents(stub, collection, asking):
            if document.passages:
                stored[document.document_id] = (document.fingerprint, document.passages)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:  # the collection does not exist yet
            raise
    return stored


def to_be_sent(items: Iterable[ReadItem], keep: Callable[[Item], None]) -> Iterator[ReadItem]:
    """Yield the items without the documents that are stored already, which are passed to `keep`.

    A document that another one of the same id preceded is sent in any case, since the later one counts.
    """
    ids: set[str] = set()
    for item in items:
        if isinstance(item, Item):
            document_id = item.document.document_id
            if item.stored_passages and document_id not in ids:
                keep(item)
                continue
            ids.add(document_id)
        yield item
