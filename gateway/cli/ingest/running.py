"""An ingest from start to end: read, send, count, show how far it is."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from gateway.cli.door import CommandError
from gateway.cli.ingest.sending import Window, send
from gateway.cli.ingest.sources import (
    LINES,
    Item,
    Manner,
    count_documents,
    files_of,
    open_vectors,
    read,
    vector_first,
)
from gateway.cli.ingest.tally import Tally
from gateway.cli.output import terminal, to_terminal
from gateway.ingest.documents import Unreadable
from gateway.ingest.kinds import kind_of
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

MISFITS: Final = frozenset({"VECTOR_WIDTH_MISMATCH", "VECTOR_MODEL_MISMATCH"})
INFO_SECONDS: Final = 5.0

Advance = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be ingested, and how."""

    paths: Sequence[Path]
    collection: str = ""
    whole: bool = False
    vectors: Path | None = None
    vectors_model: str = ""


def run(channel: grpc.Channel, order: Order, tally: Tally) -> None:
    """Ingest, counting as it goes.

    Raises:
        CommandError: the vectors do not fit the lines or the collection; then nothing is written.
        grpc.RpcError: the suite failed; what the tally counts is written.
    """
    manner = _manner(channel, order)
    files = files_of(order.paths)
    stub = corpus_pb2_grpc.CorpusServiceStub(channel)
    with _progress(files) as advance:

        def refuse(found: Unreadable) -> None:
            tally.refuse(found)
            advance()

        items = _readable(
            vector_first(read(files, manner)) if manner.vectors is not None else read(files, manner), refuse
        )
        with closing(send(stub, order.collection, items, Window())) as receipts:
            for item, answer in receipts:
                _refuse_misfit(order, answer)
                tally.acknowledge(item, answer)
                advance()


def _manner(channel: grpc.Channel, order: Order) -> Manner:
    if order.vectors is None:
        model = order.vectors_model or (_embedder(channel) if order.whole else "")  # lines may bring their vectors
        return Manner(order.whole, model=model)
    if len(order.paths) != 1 or kind_of(order.paths[0]) != LINES:
        raise CommandError(f"--vectors needs exactly one {LINES} file")
    vectors = open_vectors(order.vectors, order.paths[0])
    model = order.vectors_model or _embedder(channel)
    if not model:
        raise CommandError("no embedder is configured: say with --vectors-model which model made the vectors")
    return Manner(True, vectors, model)


def _embedder(channel: grpc.Channel) -> str:
    """The name of the suite's embedder; empty when it has none."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    told = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=INFO_SECONDS)
    return next(
        (
            task.detail
            for stage in told.stages
            if stage.stage == usage_pb2.STAGE_RETRIEVE
            for task in stage.info.capabilities
            if task.task == "embed" and task.engine != "none"
        ),
        "",
    )


def _refuse_misfit(order: Order, answer: corpus_pb2.IngestResponse) -> None:
    """Vectors that do not fit are refused as a whole, by their first; see `Window` and `vector_first`."""
    if order.vectors is not None and answer.index == 0 and answer.reason in MISFITS:
        raise CommandError(
            f"--vectors {order.vectors.name}: {answer.description} ({answer.reason}); nothing was written"
        )


def _readable(found: Iterable[Item | Unreadable], refuse: Callable[[Unreadable], None]) -> Iterator[Item]:
    for item in found:
        if isinstance(item, Item):
            yield item
        else:
            refuse(item)


@contextmanager
def _progress(files: Sequence[tuple[Path, str]]) -> Iterator[Advance]:
    """A bar on a terminal, nothing into a pipe."""
    if not to_terminal():
        yield lambda: None
        return
    columns = (TextColumn("ingesting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal(), transient=True) as progress:
        task = progress.add_task("ingest", total=count_documents(files))
        yield lambda: progress.advance(task)
