"""What is asked over: passages, ingested whole and with their vectors if a collection lacks them, and folders."""

import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError
from cli.ingest.ingest_job import IngestJob
from cli.ingest.running import run
from cli.ingest.tally import Tally
from cli.view.output import tell
from ingest.documents import ParsedDocument
from ingest.readers import read_file
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

PASSAGES: Final = (".passages.jsonl.gz", ".passages.jsonl")
VECTORS: Final = ".minilm.f16.npy"
VECTORS_MODEL: Final = "all-MiniLM-L6-v2"


def ensure_collections(channel: grpc.Channel, domains: Iterable[str], folder: Path) -> None:
    """Ingest each domain's passages into the collection of its name, if that is missing or incomplete.

    Raises:
        CommandError: a collection is missing and the folder has no passages for it, or some could not be ingested.
        grpc.RpcError: the suite failed.
    """
    response = corpus_pb2_grpc.CorpusServiceStub(channel).ListCollections(corpus_pb2.ListCollectionsRequest())
    document_counts = {collection.name: collection.documents for collection in response.collections}
    for domain in domains:
        path = _passages_of(domain, folder)
        if path is None and domain not in document_counts:
            raise CommandError(f"There is neither {domain}{PASSAGES[0]} in {folder} nor a collection {domain}.")
        if path is not None and document_counts.get(domain, 0) < _documents_in(path):
            _ingest(channel, domain, path, folder / f"{domain}{VECTORS}")


def _passages_of(domain: str, folder: Path) -> Path | None:
    return next((path for ending in PASSAGES if (path := folder / f"{domain}{ending}").is_file()), None)


def _documents_in(path: Path) -> int:
    """Count the lines that have a text; a line without one gives no document."""
    return sum(
        isinstance(result, ParsedDocument) and bool(result.text.strip()) for result in read_file(path, path.name)
    )


def _ingest(channel: grpc.Channel, domain: str, path: Path, vectors: Path) -> None:
    tally = Tally()
    vectors_file = vectors if vectors.is_file() else None
    run(channel, IngestJob([path], domain, True, vectors_file, VECTORS_MODEL if vectors_file else ""), tally)
    tell(f"{domain}: {tally.summary()}")
    if tally.failures:
        raise CommandError(next(tally.complaints()))


def ingest_folders(channel: grpc.Channel, folders: Mapping[str, Path]) -> Iterator[str]:
    """Ingest each folder in its current state into the collection of its name; yield lines on what was ingested.

    Raises:
        CommandError: a folder does not exist.
        grpc.RpcError: the suite failed.
    """
    for collection, folder in folders.items():
        if not folder.is_dir():
            raise CommandError(f"There is no folder {folder}.")
        tally, began = Tally(), time.perf_counter()
        run(channel, IngestJob([folder], collection, prune=True), tally)
        yield f"{folder.name}: {tally.summary()} in {time.perf_counter() - began:.1f} s"
        yield from tally.complaints()
