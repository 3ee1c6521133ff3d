"""Delete documents whose source is gone: the file was removed, or no longer contains them.

Only ids of the named folders and files are affected: those of the root that each belongs to, as far as they lie in it,
and those of roots inside it. What could not be read this time is kept. So is everything of a folder that turns out to
be empty: it may only be unreachable.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cli.connection.gateway_connection import complain
from cli.corpus import stored_documents
from cli.ingest.sources import Item, ReadItem
from ingest.documents import Unreadable
from ingest.sources.roots import Roots
from ingest.sources.walking import NamedFile, walk
from parley.client.connection import Metadata
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc


@dataclass(slots=True)
class Census:
    """What an ingest saw. Filled in another thread while documents are read; queried only after that."""

    documents: set[str] = field(default_factory=set)
    principals: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    """Places where nothing, or not everything, could be read."""

    def see(self, item: ReadItem) -> None:
        """Record a document that was read, or that something could not be."""
        if isinstance(item, Item):
            self.documents.add(item.document.document_id)
            self.principals.update(item.document.principals)
        elif isinstance(item, Unreadable):
            self.unreadable.add(item.where)


@dataclass(frozen=True, slots=True)
class Scope:
    """The ids that belong to a named folder or file."""

    roots: Roots
    places: dict[str, Path]
    """The folder or file itself and the roots inside it, by id."""
    files: dict[str, str]
    """Path of each file, by id."""

    def holds(self, document_id: str) -> bool:
        """Whether a document came from this folder or file."""
        owner = self.roots.owner(document_id)
        return any(
            owner == base.partition("/")[0] and _belongs_to(document_id, base, place)
            for base, place in self.places.items()
        )

    def is_stale(self, document_id: str, census: Census) -> bool:
        """Whether a document's file is gone, or no longer contains it."""
        path = self._path_of(document_id)
        is_unreadable = path is not None and any(
            where == path or where.startswith(f"{path}#") for where in census.unreadable
        )
        return document_id not in census.documents and not is_unreadable

    def _path_of(self, document_id: str) -> str | None:
        """Path of the file with this id, or whose id it extends with `#`; None if the file is gone."""
        name = document_id
        while name not in self.files:
            name, mark, _ = name.rpartition("#")
            if not mark:
                return None
        return self.files[name]


def prune(
    stub: corpus_pb2_grpc.CorpusServiceStub,
    collection: str,
    paths: Sequence[Path],
    roots: Roots,
    census: Census,
    asking: Metadata,
) -> int:
    """Delete the stale documents of a collection that the principals may see; return how many were deleted."""
    scopes = list(_scopes(paths, roots))
    if not scopes:
        return 0
    ids = [document.document_id for document in stored_documents(stub, collection, asking)]
    stale = [document_id for document_id in ids if _is_stale_everywhere(document_id, scopes, census)]
    for document_id in stale:
        request = corpus_pb2.DeleteDocumentRequest(collection=collection, document_id=document_id)
        stub.DeleteDocument(request, metadata=asking)
    return len(stale)


def _is_stale_everywhere(document_id: str, scopes: Sequence[Scope], census: Census) -> bool:
    holders = [scope for scope in scopes if scope.holds(document_id)]
    return bool(holders) and all(scope.is_stale(document_id, census) for scope in holders)


def _scopes(paths: Sequence[Path], roots: Roots) -> Iterator[Scope]:
    for path in paths:
        files = {file.document_id: str(file.path) for file in walk([path], roots) if isinstance(file, NamedFile)}
        base = roots.id_of(path.resolve())
        if not files:
            complain(f"{path}: contains nothing readable, so none of its documents is deleted")
        elif base is not None:  # a missing file has no root
            yield Scope(roots, {**roots.inside(path.resolve()), base: path}, files)


def _belongs_to(document_id: str, base: str, place: Path) -> bool:
    """Whether an id belongs to a file, or to the content of a folder or file; what is gone may have been either."""
    below = not place.is_file() and document_id.startswith(f"{base}/")
    return below or (not place.is_dir() and (document_id == base or document_id.startswith(f"{base}#")))
