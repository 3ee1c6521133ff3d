"""Ingest the corpora that questions are asked over: each folder into its own collection, as a user would."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import grpc

from cli.connection.gateway_connection import CommandError
from cli.ingest.ingest_options import IngestJob
from cli.ingest.running import run
from cli.ingest.tally import Tally
from evaluation.documents.asking import AskingOrder
from evaluation.documents.questions import CORPORA


def ingest_corpora(channel: grpc.Channel, folder: Path, corpora: Iterable[str], order: AskingOrder) -> Iterator[str]:
    """Ingest each corpus in its current state; yield lines on what was ingested, how long it took, and what failed.

    Raises:
        CommandError: the folder of a corpus does not exist.
        grpc.RpcError: the suite failed.
    """
    for corpus in corpora:
        root = folder / CORPORA / corpus
        if not root.is_dir():
            raise CommandError(f"There is no folder {root}.")
        tally = Tally()
        began = time.perf_counter()
        run(channel, IngestJob([root], order.collection_of(corpus), prune=True), tally)
        yield f"{corpus}: {tally.summary()} in {time.perf_counter() - began:.1f} s"
        yield from tally.complaints()
