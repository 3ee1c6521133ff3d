"""An ingest from start to end: read files and pages, send, count, show progress, prune."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError, as_principals
from cli.ingest.ingest_job import IngestJob
from cli.ingest.progress import ProgressDisplay, ingest_progress
from cli.ingest.pruning import Census, prune
from cli.ingest.root_placement import place
from cli.ingest.sending import send
from cli.ingest.sources import (
    IngestOptions,
    Item,
    ReadItem,
    count_documents,
    ignore,
    items,
    open_vectors,
    read,
    vector_first,
)
from cli.ingest.tally import Tally
from cli.view.output import to_terminal
from ingest.detection.kinds import LINES, kind_of
from ingest.isolation import IsolatedReader
from ingest.sources.roots import Roots
from libs.web.limits import FetchLimits
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

INFO_SECONDS: Final = 5.0
"""Timeout for the suite's report on its engines (taste)."""
MAX_PAGE_BYTES: Final = 50 * 1024 * 1024
"""Of a page, PDF or sitemap, unpacked: the limit of the sitemap protocol."""
PAGE_SECONDS: Final = 30.0
"""Timeout of a page, including its redirects (taste)."""
PAUSE_SECONDS: Final = 1.0
"""Pause between two requests to a host, as wget's manual advises; a Crawl-delay extends it."""
MISFITS: Final = frozenset({"VECTOR_WIDTH_MISMATCH", "VECTOR_MODEL_MISMATCH"})


def run(channel: grpc.Channel, job: IngestJob, tally: Tally) -> None:
    """Ingest everything and count the results in `tally`.

    Raises:
        CommandError: the vectors do not fit the lines or the collection, and nothing is written; or a cluster cannot be
            used or fails, and what the tally counts is written.
        grpc.RpcError: the suite failed; what the tally counts is written.
    """
    if job.ray is not None:
        from cli.ingest.cluster.job import check_installed  # imports the retrieve stage, which only a cluster needs

        check_installed()
    options = _ingest_options(channel, job)
    stub, owners = corpus_pb2_grpc.CorpusServiceStub(channel), as_principals(job.owners)
    roots = place(stub, job)
    census, ended = Census(), Event()
    with ingest_progress(tally, _count(job), job.progress) as progress, ExitStack() as stack:
        stack.callback(ended.set)
        contents = _read_all(channel, job, roots, replace(options, began=partial(_begin, progress, ended)))
        contents = vector_first(contents) if job.vectors is not None else contents
        documents = _to_send(contents, tally, census.see if job.prune else ignore)
        header = corpus_pb2.IngestHeader(
            collection=job.collection, progress=True, together=True, vectors_later=job.vectors_later
        )
        with closing(send(stub, header, documents, owners)) as receipts:
            for item, answer in receipts:
                if answer.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
                    progress.under_way(item.where, answer.passages)
                    continue
                _refuse_misfit(job, answer)
                tally.acknowledge(item, answer)
                progress.refresh()
    if job.prune:
        asking = as_principals(sorted({*job.owners, *job.principals, *census.principals}))
        tally.counts["pruned"] += prune(stub, job.collection, job.paths, roots, census, asking)
    if job.vectors_later:
        there = stub.ListCollections(corpus_pb2.ListCollectionsRequest(), metadata=owners).collections
        name = job.collection or "default"
        tally.without_vectors = sum(each.passages_without_vectors for each in there if each.name == name)


def _read_all(channel: grpc.Channel, job: IngestJob, roots: Roots, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every document, and everything that gives none; one with `stored_passages` need not be sent.

    Raises:
        CommandError: a cluster cannot be used or fails.
        SettingsError: a setting of the cluster's workers is wrong.
        grpc.RpcError: the suite failed.
    """
    if job.ray is None:
        yield from read(job.paths, roots, options)
    else:
        from cli.ingest.cluster.job import read_by_cluster

        stub, embedder = corpus_pb2_grpc.CorpusServiceStub(channel), _embedder_of(channel)
        yield from read_by_cluster(stub, job, embedder, roots, options)
    if job.urls or job.sitemaps:
        yield from _read_pages(job, options)


def _begin(progress: ProgressDisplay, ended: Event, where: str) -> None:
    """Show that a file is read; the thread that reads goes no further once the ingest has ended."""
    if ended.is_set():
        raise CommandError("The ingest has ended.")
    progress.reads(where)


def _read_pages(job: IngestJob, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every named or listed page, including those that give no document."""
    from ingest.sources.web import read_web  # imports an HTTP client, which only web pages need

    limits = FetchLimits(PAGE_SECONDS, MAX_PAGE_BYTES, pause_seconds=PAUSE_SECONDS, allow_loopback=job.allow_loopback)
    with closing(IsolatedReader()) as reader:
        for url, results in read_web(job.urls, job.sitemaps, limits, reader.read):
            yield from items(url, results, options)


def _to_send(read_items: Iterable[ReadItem], tally: Tally, see: Callable[[ReadItem], None]) -> Iterator[Item]:
    """Yield what has to be sent, and count the rest; `see` gets all."""
    for item in read_items:
        see(item)
        if not isinstance(item, Item):
            tally.refuse(item)
        elif item.stored_passages:
            tally.keep(item)
        else:
            yield item


def _ingest_options(channel: grpc.Channel, job: IngestJob) -> IngestOptions:
    if job.vectors is None:
        model = job.vectors_model or (_embedder_of(channel) if job.whole else "")  # lines may bring their own vectors
        return IngestOptions(job.whole, model=model, principals=job.principals)
    if len(job.paths) != 1 or kind_of(job.paths[0]) not in LINES:
        raise CommandError("The option --vectors needs one .jsonl file and nothing else: name that file alone.")
    vectors = open_vectors(job.vectors, job.paths[0])
    model = job.vectors_model or _embedder_of(channel)
    if not model:
        raise CommandError("The suite has no embedder: name the model of the vectors with --vectors-model.")
    return IngestOptions(True, vectors, model, job.principals)


def _refuse_misfit(job: IngestJob, answer: corpus_pb2.IngestResponse) -> None:
    """Refuse vectors that do not fit, judged by the first one sent; see `send` and `vector_first`."""
    if job.vectors is not None and answer.index == 0 and answer.reason in MISFITS:
        raise CommandError(
            f"The vectors of {job.vectors.name} do not fit: {answer.description} ({answer.reason}). "
            "Nothing was written."
        )


def _count(job: IngestJob) -> int | None:
    """The approximate number of documents; None if a sitemap determines it, or no bar is shown."""
    return None if job.sitemaps or not to_terminal() else count_documents(job.paths) + len(job.urls)


def _embedder_of(channel: grpc.Channel) -> str:
    """The name of the suite's embedder; empty when it has none."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=INFO_SECONDS)
    tasks = (
        task for stage in info.stages if stage.stage == usage_pb2.STAGE_RETRIEVE for task in stage.info.capabilities
    )
    return next((task.detail for task in tasks if task.task == "embed" and task.engine != "none"), "")
