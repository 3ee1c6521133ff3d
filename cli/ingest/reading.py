"""What an ingest reads: files, by this process or by a cluster, then pages of the web."""

from collections.abc import Iterator
from typing import Final

import grpc

from cli.ingest.ingest_options import IngestJob
from cli.ingest.sources import IngestOptions, ReadItem, items, read
from ingest.isolation import IsolatedReader
from ingest.sources.roots import Roots
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


def read_all(channel: grpc.Channel, job: IngestJob, roots: Roots, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every document, and everything that gives none; one with `stored_passages` need not be sent.

    Raises:
        CommandError: a cluster cannot be used or fails.
        SettingsError: a setting of the cluster's workers is wrong.
        grpc.RpcError: the suite failed.
    """
    if job.ray is None:
        yield from read(job.paths, roots, options)
    else:
        from cli.ingest.cluster.source import read_by_cluster

        stub, embedder = corpus_pb2_grpc.CorpusServiceStub(channel), embedder_of(channel)
        yield from read_by_cluster(stub, job, embedder, roots, options)
    if job.urls or job.sitemaps:
        yield from _read_pages(job, options)


def _read_pages(job: IngestJob, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every named or listed page, including those that give no document."""
    from ingest.sources.web import read_web  # imports an HTTP client, which only web pages need

    limits = FetchLimits(
        seconds=PAGE_SECONDS,
        max_bytes=MAX_PAGE_BYTES,
        pause_seconds=PAUSE_SECONDS,
        allow_loopback=job.allow_loopback,
    )
    with IsolatedReader() as reader:
        for url, results in read_web(job.urls, job.sitemaps, limits, reader.read):
            yield from items(url, results, options)


def embedder_of(channel: grpc.Channel) -> str:
    """The name of the suite's embedder; empty when it has none."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=INFO_SECONDS)
    tasks = (
        task for stage in info.stages if stage.stage == usage_pb2.STAGE_RETRIEVE for task in stage.info.capabilities
    )
    return next((task.detail for task in tasks if task.task == "embed" and task.engine != "none"), "")
