"""Ask the suite for the id prefixes of the named folders and files, before any of them is read."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cli.connection.gateway_connection import as_principals, complain
from cli.ingest.ingest_job import IngestJob
from cli.view.output import one_line
from ingest.sources.roots import Roots, location_of, root_name
from ingest.sources.walking import holds_files
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

MAX_ROOTS: Final = 1000
"""Maximum roots in one request (by the contract)."""


def place(stub: corpus_pb2_grpc.CorpusServiceStub, job: IngestJob) -> Roots:
    """Return the roots of a collection, including the named folders and files; nothing is requested for empty ones.

    Raises:
        grpc.RpcError: the suite failed, or cannot give the name.
    """
    paths = [path for path in job.paths if holds_files(path)]
    for path in job.paths if paths else ():  # without any the summary says so
        if path not in paths and path.is_dir():
            complain(one_line(f"{path}: holds no file of a known kind"))
    prefixes = dict[str, str]()
    for first in range(0, len(paths), MAX_ROOTS):
        requested_roots = [_requested_root(path, job.root) for path in paths[first : first + MAX_ROOTS]]
        request = corpus_pb2.PlaceRootsRequest(collection=job.collection, roots=requested_roots)
        answer = stub.PlaceRoots(request, metadata=as_principals(job.owners))
        prefixes.update((root.location, root.prefix) for root in answer.roots)
        for line in _notes(requested_roots, answer.placed):
            complain(one_line(line))
    return Roots(prefixes)


def _requested_root(path: Path, name: str | None) -> corpus_pb2.WantedRoot:
    real = path.resolve()
    own = root_name(real if path.is_dir() else path)
    return corpus_pb2.WantedRoot(location=location_of(real), name=name or own, named=name is not None)


def _notes(
    requested_roots: Sequence[corpus_pb2.WantedRoot], placed_roots: Sequence[corpus_pb2.PlacedRoot]
) -> Iterator[str]:
    """Yield notes on id prefixes that the user should know about."""
    for request, placement in zip(requested_roots, placed_roots, strict=True):
        if placement.adopted:
            yield (
                f"{request.location}: documents whose ids begin with {placement.root.prefix} were ingested before "
                "folders were recorded; they are assigned to this one"
            )
        elif placement.added and placement.root.prefix != request.name:
            yield (
                f"{request.location}: its ids begin with {placement.root.prefix}, because {request.name} belongs "
                f"to another place; if that place moved here, ingest it with --root {request.name}"
            )
