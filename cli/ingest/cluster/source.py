"""The documents of an ingest, read by a cluster instead of this process."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cli.connection.gateway_connection import as_principals
from cli.corpus import stored_documents
from cli.ingest.cluster.job import connected, run_job
from cli.ingest.cluster.workers import WorkerOptions
from cli.ingest.ingest_options import IngestJob
from cli.ingest.sources import IngestOptions, Item, ReadItem, content_of, ignore
from ingest.content import Content
from ingest.documents import PassedOver
from ingest.sources.roots import Roots
from ingest.sources.walking import walk
from parley.retrieve.v1 import corpus_pb2_grpc
from services.retrieve.settings import RetrieveSettings


def read_by_cluster(
    stub: corpus_pb2_grpc.CorpusServiceStub, job: IngestJob, embedder: str, roots: Roots, options: IngestOptions
) -> Iterator[ReadItem]:
    """Yield what is skipped, then the documents of all files and what gave none, as `sources.read` does.

    Args:
        stub: of the gateway.
        job: what to ingest.
        embedder: the suite's embedding model; empty if it has none.
        roots: of the collection.
        options: how documents are read.

    Raises:
        CommandError: the cluster or its workers cannot be used.
        SettingsError: a setting is invalid.
        grpc.RpcError: the suite failed.
    """
    contents: list[Content] = []
    for file in walk(job.paths, roots):
        if isinstance(file, PassedOver):
            yield file
        else:
            contents.append(content_of(file))
    if not contents:
        return
    worker_options = WorkerOptions(_worker_settings(), embedder, replace(options, began=ignore))
    asking = as_principals(sorted({*job.owners, *job.principals}))
    stored = {
        document.document_id: (document.fingerprint, document.passages)
        for document in stored_documents(stub, job.collection, asking)
        if document.passages
    }
    with connected(job.ray or "local"):
        yield from with_later_ones_sent(run_job(contents, worker_options, stored, options.began))


def _worker_settings() -> RetrieveSettings:
    """The suite's settings of cutting and embedding; a worker has one core, and models lie where they do here."""
    settings = RetrieveSettings.load()
    changes = {"embedder_threads": settings.embedder_threads or 1, "data": settings.data.absolute()}
    return settings.model_copy(update=changes)


def with_later_ones_sent(items: Iterable[ReadItem]) -> Iterator[ReadItem]:
    """Yield the items; a stored document counts as new if one of its id was sent before, since the later one counts."""
    sent: set[str] = set()
    for item in items:
        if isinstance(item, Item):
            document_id = item.document.document_id
            if document_id in sent:
                item = replace(item, stored_passages=0)
            elif not item.stored_passages:
                sent.add(document_id)
        yield item
