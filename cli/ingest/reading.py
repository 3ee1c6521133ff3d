"""What an ingest reads: files, by this process or by a cluster, then pages of the web."""

from collections.abc import Iterator
from typing import Final

import grpc
from pydantic import Field

from cli.ingest.ingest_options import IngestJob
from cli.ingest.sources import IngestOptions, ReadItem, items, read
from ingest.isolation import IsolatedReader
from ingest.sources.roots import Roots
from libs.runtime.settings import AreaSettings
from libs.web.limits import FetchLimits
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2_grpc

INFO_SECONDS: Final = 5.0
MAX_PAGE_BYTES: Final = 50 * 1024 * 1024
"""Of a page, PDF or sitemap, unpacked: the limit of the sitemap protocol."""


class IngestSettings(AreaSettings, area="ingest"):
    """How pages are fetched for `parley ingest`."""

    web_seconds: float = Field(default=30.0, gt=0, le=600)
    """Per page, including its redirects."""
    web_pause_seconds: float = Field(default=1.0, ge=0, le=60)
    """Between two requests to a host; its Crawl-delay extends the pause, up to ten seconds."""


def read_all(channel: grpc.Channel, job: IngestJob, roots: Roots, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every document, and everything that gives none; one with `stored_passages` need not be sent.

    Raises:
        CommandError: a cluster cannot be used or fails.
        SettingsError: a setting is wrong.
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

    settings = IngestSettings.load()
    limits = FetchLimits(
        seconds=settings.web_seconds,
        max_bytes=MAX_PAGE_BYTES,
        pause_seconds=settings.web_pause_seconds,
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
