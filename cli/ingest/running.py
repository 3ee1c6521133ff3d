"""An ingest from start to end: read, send, count, show progress, prune."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError, as_principals
from cli.ingest.ingest_options import IngestJob
from cli.ingest.progress import ingest_progress
from cli.ingest.pruning import Census, prune
from cli.ingest.reading import DocumentReading, embedder_of
from cli.ingest.root_placement import place
from cli.ingest.sending import SendWindow, send
from cli.ingest.sources import IngestOptions, Item, ReadItem, count_documents, open_vectors, vector_first
from cli.ingest.tally import Tally
from cli.view.output import to_terminal
from ingest.detection.kinds import LINES, kind_of
from ingest.documents import PassedOver, Unreadable
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

MISFITS: Final = frozenset({"VECTOR_WIDTH_MISMATCH", "VECTOR_MODEL_MISMATCH"})


def run(channel: grpc.Channel, order: IngestJob, tally: Tally) -> None:
    """Ingest everything and count the results in `tally`.

    Raises:
        CommandError: the vectors do not fit the lines or the collection, and nothing is written; or a cluster cannot be
            used or fails, and what the tally counts is written.
        grpc.RpcError: the suite failed; what the tally counts is written.
    """
    options = _ingest_options(channel, order)
    reading = DocumentReading(channel, order)
    stub = corpus_pb2_grpc.CorpusServiceStub(channel)
    roots = place(stub, order)
    census = Census()
    with ingest_progress(_count(order), order.progress) as progress:

        def refuse(failure: Unreadable | PassedOver) -> None:
            tally.refuse(failure)
            if isinstance(failure, Unreadable):
                census.unreadable.add(failure.where)
                progress.done()

        def keep(item: Item) -> None:
            tally.keep(item)
            progress.done(item.stored_passages)
            if order.prune:
                census.take(item.document)

        contents = reading.read(roots, replace(options, began=progress.reads), keep)
        items = _readable(vector_first(contents) if options.vectors is not None else contents, refuse)
        documents, owners = _record_census(items, order, census), as_principals(order.owners)
        with closing(send(stub, order.collection, documents, SendWindow(), owners)) as receipts:
            for item, answer in receipts:
                if answer.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
                    progress.under_way(item.where, answer)
                    continue
                _refuse_misfit(order, answer)
                tally.acknowledge(item, answer)
                progress.done(answer.passages)
        reading.check()
    if order.prune:
        asking = as_principals(sorted({*order.owners, *order.principals, *census.principals}))
        tally.counts["pruned"] += prune(stub, order.collection, order.paths, roots, census, asking)


def _record_census(items: Iterable[Item], order: IngestJob, census: Census) -> Iterator[Item]:
    for item in items:
        if order.prune:
            census.take(item.document)
        yield item


def _ingest_options(channel: grpc.Channel, order: IngestJob) -> IngestOptions:
    if order.vectors is None:
        model = order.vectors_model or (
            embedder_of(channel) if order.whole else ""
        )  # lines may bring their own vectors
        return IngestOptions(order.whole, model=model, principals=order.principals)
    if len(order.paths) != 1 or kind_of(order.paths[0]) not in LINES:
        raise CommandError("The option --vectors needs one .jsonl file and nothing else: name that file alone.")
    vectors = open_vectors(order.vectors, order.paths[0])
    model = order.vectors_model or embedder_of(channel)
    if not model:
        raise CommandError("The suite has no embedder: name the model of the vectors with --vectors-model.")
    return IngestOptions(True, vectors, model, order.principals)


def _refuse_misfit(order: IngestJob, answer: corpus_pb2.IngestResponse) -> None:
    """Refuse vectors that do not fit, judged by the first one sent; see `SendWindow` and `vector_first`."""
    if order.vectors is not None and answer.index == 0 and answer.reason in MISFITS:
        raise CommandError(
            f"The vectors of {order.vectors.name} do not fit: {answer.description} ({answer.reason}). "
            "Nothing was written."
        )


def _readable(items: Iterable[ReadItem], refuse: Callable[[Unreadable | PassedOver], None]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Item):
            yield item
        else:
            refuse(item)


def _count(order: IngestJob) -> int | None:
    """The approximate number of documents; None if a sitemap determines it, or no bar is shown."""
    return None if order.sitemaps or not to_terminal() else count_documents(order.paths) + len(order.urls)
