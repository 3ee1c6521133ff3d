"""The documents of an ingest, read by a cluster instead of this process."""

from collections.abc import Iterator
from dataclasses import replace

import grpc

from cli.connection.gateway_connection import as_principals
from cli.ingest.cluster.connection import LOCAL
from cli.ingest.cluster.job import ClusterJob, run_job
from cli.ingest.cluster.stored import stored_documents
from cli.ingest.cluster.workers import EmbeddingOptions, ReadingOptions
from cli.ingest.ingest_options import IngestJob
from cli.ingest.sources import IngestOptions, ReadItem, content_of
from ingest.content import Content
from ingest.documents import PassedOver
from ingest.sources.roots import Roots
from ingest.sources.walking import walk
from parley.retrieve.v1 import corpus_pb2_grpc
from services.retrieve.settings import RetrieveSettings


def read_by_cluster(
    channel: grpc.Channel, order: IngestJob, embedder: str, roots: Roots, options: IngestOptions
) -> Iterator[ReadItem]:
    """Yield what is skipped, then the documents of all files and what gave none, as `sources.read` does.

    Args:
        channel: to the gateway.
        order: what to ingest.
        embedder: the suite's embedding model; empty if it has none.
        roots: of the collection.
        options: how documents are read.

    Raises:
        CommandError: the cluster or its workers cannot be used.
        SettingsError: a setting is invalid.
        grpc.RpcError: the suite failed.
    """
    contents: list[Content] = []
    for file in walk(order.paths, roots):
        if isinstance(file, PassedOver):
            yield file
        else:
            contents.append(_on_any_machine(content_of(file)))
    stub = corpus_pb2_grpc.CorpusServiceStub(channel)
    job = ClusterJob(
        order.ray or LOCAL,
        contents,
        ReadingOptions(options.whole, options.model, options.principals),
        EmbeddingOptions(_worker_settings(), embedder),
        stored_documents(stub, order.collection, as_principals(sorted({*order.owners, *order.principals}))),
    )
    yield from run_job(job, options.began)


def _on_any_machine(content: Content) -> Content:
    """The content with paths that do not depend on a working directory."""
    return replace(content, file=content.file.absolute()) if content.file is not None else content


def _worker_settings() -> RetrieveSettings:
    """The suite's settings of cutting and embedding; a worker has one core, and models lie where they do here."""
    settings = RetrieveSettings.load()
    changes = {"embedder_threads": settings.embedder_threads or 1, "data": settings.data.absolute()}
    return settings.model_copy(update=changes)
