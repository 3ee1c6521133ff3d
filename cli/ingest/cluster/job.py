"""The job of a Ray cluster: files -> documents with vectors, in the order of the files.

The command line walks the folders, splits files of lines, and sends what comes back; workers read other files, cut and
embed. A worker that dies is replaced, and its task repeated. A task whose workers die again and again is given up: its
files are reported as failed, and the rest goes on.
"""

import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, redirect_stdout
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Final

from cli.connection.gateway_connection import CommandError, as_principals
from cli.corpus import stored_documents
from cli.ingest.cluster.workers import BulkWorker, StoredDocuments, WorkerOptions
from cli.ingest.ingest_job import IngestJob
from cli.ingest.sources import IngestOptions, Item, ReadItem, content_of, ignore, items
from ingest.content import Content
from ingest.detection.kinds import LINES
from ingest.documents import PassedOver, Unreadable
from ingest.isolation import IsolatedReader
from ingest.sources.roots import Roots
from ingest.sources.walking import walk
from parley.retrieve.v1 import corpus_pb2_grpc
from services.retrieve.settings import RetrieveSettings

QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_raylet_start_wait_time_s": "120",
}
"""Ray reports nothing to its makers, leaves GPUs visible, and may start slowly on a busy machine."""
BATCH_BYTES: Final = 1024 * 1024
"""Bytes of documents of a file of lines that one task embeds: about half a minute of work for a core (taste)."""
MAX_WAITING: Final = 4
"""Results for each worker that may wait for an earlier one, as they are delivered in the order of the files (taste)."""
RETRIES: Final = 3
"""How often a task is repeated whose worker died (taste)."""
LOST: Final = "was not read completely, because its workers died again and again; ingest it once more"
"""Why a file failed."""


def check_installed() -> None:
    """Raise a CommandError if Ray is not installed."""
    if find_spec("ray") is None:
        raise CommandError("The option --ray needs Ray: install the extra, such as pip install 'parley[ray]'.")


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


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Connect to the cluster, and leave it at the end.

    Args:
        address: `host:port` of the cluster's head, `auto` for the one of this machine, or `local` to start one.

    Raises:
        CommandError: there is no cluster at the address.
    """
    for variable, value in QUIET.items():
        os.environ.setdefault(variable, value)
    import ray  # needs a second, and only this option uses it

    with redirect_stdout(sys.stderr):  # where Ray says that a worker died
        try:
            ray.init(address, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:  # Ray raises what it likes, also plain exceptions
            raise CommandError(f"There is no Ray cluster at {address}: {error}") from None
        try:
            yield
        finally:
            ray.shutdown()


def run_job(
    contents: Iterable[Content], options: WorkerOptions, stored: StoredDocuments, began: Callable[[str], None]
) -> Iterator[ReadItem]:
    """Yield what the files gave, in their order, documents with vectors; each file's name is passed to `began`.

    Raises:
        CommandError: the cluster's workers cannot do their work.
    """
    import ray

    shared = ray.put(stored)  # not a copy for each worker; kept here for workers that are started again
    idle = _open_workers(options, shared)
    allowed = MAX_WAITING * len(idle)
    busy: dict[Any, Any] = {}
    waiting: deque[tuple[str, Any]] = deque()
    with closing(IsolatedReader()) as reader:
        for where, method, argument in _tasks(contents, reader, options, began):
            if not idle:
                done, _ = ray.wait(list(busy), num_returns=1)
                idle.extend(busy.pop(result) for result in done)
            worker = idle.pop()
            result = getattr(worker, method).remote(argument)
            busy[result] = worker
            waiting.append((where, result))
            while waiting and (waiting[0][1] not in busy or len(waiting) > allowed):
                yield from _results(*waiting.popleft())
    for where, result in waiting:
        yield from _results(where, result)


def _open_workers(options: WorkerOptions, shared: Any) -> list[Any]:
    """Start a worker on each core of the cluster, and return them once all have opened the model."""
    import ray
    from ray.exceptions import RayError

    cores = int(ray.cluster_resources().get("CPU", 1))  # type: ignore[no-untyped-call,unused-ignore]
    worker_class = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=RETRIES)(BulkWorker)
    workers: list[Any] = [worker_class.remote(options, shared) for _ in range(max(1, cores))]
    try:
        faults = ray.get([worker.fault.remote() for worker in workers])
    except RayError as error:
        raise CommandError(
            "The Ray cluster failed: is parley of this version with the extra ray installed on each of its machines? "
            f"({type(error).__name__}: {next(iter(str(error).strip().splitlines()), '')})"
        ) from None
    if fault := next(filter(None, faults), ""):
        raise CommandError(fault)
    return workers


def _tasks(
    contents: Iterable[Content], reader: IsolatedReader, options: WorkerOptions, began: Callable[[str], None]
) -> Iterator[tuple[str, str, Any]]:
    """Yield each file with a method of a worker and its argument; for a file of lines, read here, one for each part."""
    for content in contents:
        began(content.where)
        if content.kind in LINES:
            for batch in _batches(items(content.where, reader.read(content), options.reading)):
                yield content.where, "prepare", batch
        else:
            path = content.file.absolute() if content.file is not None else None
            yield content.where, "read", replace(content, file=path)


def _batches(read_items: Iterable[ReadItem]) -> Iterator[list[ReadItem]]:
    batch: list[ReadItem] = []
    size = 0
    for item in read_items:
        batch.append(item)
        size += item.document.ByteSize() if isinstance(item, Item) else 0
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _results(where: str, result: Any) -> list[ReadItem]:
    """Wait for a task, and return what it gave; that it was lost if its workers died again and again."""
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        read_items: list[ReadItem] = ray.get(result)
    except RayTaskError as error:  # a fault of the code rather than of a document
        raise CommandError(f"A worker of the cluster failed at {where}: {error.cause!r}.") from None
    except RayError:
        return [Unreadable(where, LOST)]
    return read_items
