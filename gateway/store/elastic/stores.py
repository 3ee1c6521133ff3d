"""The gateway's stores in an Elasticsearch that several gateways share."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from gateway.store.elastic.events import ElasticsearchEventLog
from gateway.store.elastic.indices import Indices
from gateway.store.elastic.recordings import ElasticsearchRecordings
from gateway.store.elastic.retries import ElasticsearchRetries
from gateway.store.elastic.sessions import ElasticsearchSessions
from gateway.store.event_log import EVENT_LOG_BYTES
from gateway.store.stores import KEEP_SECONDS, RecordingBounds, Stores
from libs.elastic.server import CONNECTIONS, elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings


@asynccontextmanager
async def elasticsearch_stores(
    url: str,
    settings: ElasticsearchSettings,
    keep_seconds: float = KEEP_SECONDS,
    bounds: RecordingBounds | None = None,
    event_log_bytes: int = EVENT_LOG_BYTES,
) -> AsyncIterator[Stores]:
    """Open the stores and close them at the end; no request is sent yet, so the server may be down.

    Args:
        url: of the server, or of several nodes separated by commas.
        settings: how it is called.
        keep_seconds: how long questions are kept.
        bounds: of the recordings; None for the defaults.
        event_log_bytes: how large the logged events of a turn may be.

    Raises:
        ValueError: the URL is invalid.
    """
    with (
        elasticsearch_server(url, settings) as server,
        ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="sessions") as threads,
    ):
        indices = Indices(server, settings, threads)
        yield Stores(
            ElasticsearchSessions(indices),
            ElasticsearchRetries(indices, keep_seconds),
            ElasticsearchRecordings(indices, bounds or RecordingBounds()),
            ElasticsearchEventLog(indices, event_log_bytes),
        )
