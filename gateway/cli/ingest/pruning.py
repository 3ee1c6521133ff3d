"""Deleting what is no longer there: documents of a folder whose file is gone, or is not what they came from any more.

Only ids that begin with a named folder's name, or that are a named file's, are touched. What could not be read this
time is kept, and so is everything when a folder turns out to be empty: it may only be out of reach.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from gateway.cli.door import Metadata, complain
from gateway.ingest.walking import walk
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

PAGE = 1000


@dataclass(slots=True)
class Census:
    """What an ingest saw. Filled while documents are read in another thread; asked once that is over."""

    documents: set[str] = field(default_factory=set)
    principals: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    """Where nothing, or not everything, could be read."""

    def take(self, document: corpus_pb2.Document) -> None:
        """A document was read."""
        self.documents.add(document.document_id)
        self.principals.update(document.principals)


def prune(
    stub: corpus_pb2_grpc.CorpusServiceStub, collection: str, paths: Sequence[Path], census: Census, asking: Metadata
) -> int:
    """Delete what is stale in a collection, as far as those who ask may see it; how many documents were deleted."""
    pruned = 0
    for root in paths:
        files = {name: str(path) for path, name in walk([root])}
        if not files:
            complain(f"{root}: holds nothing that can be read, so nothing of it is deleted")
            continue
        beginning = f"{root.resolve().name}/" if root.is_dir() else root.name
        for document_id in list(_stale(_ids(stub, collection, beginning, asking), files, census)):
            request = corpus_pb2.DeleteDocumentRequest(collection=collection, document_id=document_id)
            stub.DeleteDocument(request, metadata=asking)
            pruned += 1
    return pruned


def _ids(stub: corpus_pb2_grpc.CorpusServiceStub, collection: str, beginning: str, asking: Metadata) -> Iterator[str]:
    """The ids in a collection that begin so."""
    request = corpus_pb2.ListDocumentsRequest(collection=collection, page_size=PAGE)
    while True:
        try:
            page = stub.ListDocuments(request, metadata=asking)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.NOT_FOUND:  # nothing was ever put in
                return
            raise
        yield from (found.document_id for found in page.documents if found.document_id.startswith(beginning))
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _stale(ids: Iterator[str], files: dict[str, str], census: Census) -> Iterator[str]:
    for document_id in ids:
        path = _path_of(document_id, files)
        kept = path is not None and any(where == path or where.startswith(f"{path}#") for where in census.unreadable)
        if document_id not in census.documents and not kept:
            yield document_id


def _path_of(document_id: str, files: dict[str, str]) -> str | None:
    """The file that a document came from: its id is the file's, or goes on after it with `#`; None: that is gone."""
    name = document_id
    while name not in files:
        name, mark, _ = name.rpartition("#")
        if not mark:
            return None
    return files[name]
