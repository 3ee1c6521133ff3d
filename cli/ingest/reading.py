"""What an ingest reads: files, by this process or by a cluster, then pages of the web."""

from collections.abc import Callable, Iterator
from typing import Final

import grpc

from cli.connection.gateway_connection import CommandError
from cli.ingest.ingest_options import IngestJob
from cli.ingest.sources import IngestOptions, Item, ReadItem, items, read
from ingest.isolation import IsolatedReader
from ingest.sources.roots import Roots
from libs.runtime.settings import SettingsError
from libs.web.limits import FetchLimits
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2_grpc

INFO_SECONDS: Final = 5.0
MAX_PAGE_BYTES: Final = 50 * 1024 * 1024
"""Of a page, PDF or sitemap, unpacked: the limit of the sitemap protocol."""
PAGE_SECONDS: Final = 30.0
"""Timeout of a page, including its redirects (taste)."""
PAUSE_SECONDS: Final = 1.0
"""Pause between two requests to a host, as wget's manual advises; a Crawl-delay extends it."""


class DocumentReading:
    """Reads in the thread that sends. An error ends the documents there; `check` raises it where the command waits."""

    def __init__(self, channel: grpc.Channel, order: IngestJob) -> None:
        """Raise a CommandError if a cluster is wanted but cannot be used."""
        self._channel = channel
        self._order = order
        self._error: Exception | None = None
        if order.ray is not None:
            from cli.ingest.cluster.job import check_installed

            check_installed()
            if order.vectors is not None:
                raise CommandError("The option --ray makes vectors and --vectors brings them: give one of them.")

    def read(self, roots: Roots, options: IngestOptions, keep: Callable[[Item], None]) -> Iterator[ReadItem]:
        """Yield every document, and everything that gives none; pass to `keep` what is stored and need not be sent."""
        try:
            yield from self._files(roots, options, keep)
            if self._order.urls or self._order.sitemaps:
                yield from _read_pages(self._order, options)
        except SettingsError as error:
            self._error = CommandError(str(error))
        except Exception as error:
            self._error = error

    def check(self) -> None:
        """Raise the error that ended reading, if one did."""
        if self._error is not None:
            raise self._error

    def _files(self, roots: Roots, options: IngestOptions, keep: Callable[[Item], None]) -> Iterator[ReadItem]:
        if self._order.ray is None:
            return read(self._order.paths, roots, options)
        from cli.ingest.cluster.source import read_by_cluster, to_be_sent

        stub, embedder = corpus_pb2_grpc.CorpusServiceStub(self._channel), embedder_of(self._channel)
        return to_be_sent(read_by_cluster(stub, self._order, embedder, roots, options), keep)


def _read_pages(order: IngestJob, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every named or listed page, including those that give no document."""
    from ingest.sources.web import read_web  # imports an HTTP client, which only web pages need

    limits = FetchLimits(
        seconds=PAGE_SECONDS,
        max_bytes=MAX_PAGE_BYTES,
        pause_seconds=PAUSE_SECONDS,
        allow_loopback=order.allow_loopback,
    )
    with IsolatedReader() as reader:
        for url, results in read_web(order.urls, order.sitemaps, limits, reader.read):
            yield from items(url, results, options)


def embedder_of(channel: grpc.Channel) -> str:
    """The name of the suite's embedder; empty when it has none."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=INFO_SECONDS)
    tasks = (
        task for stage in info.stages if stage.stage == usage_pb2.STAGE_RETRIEVE for task in stage.info.capabilities
    )
    return next((task.detail for task in tasks if task.task == "embed" and task.engine != "none"), "")
