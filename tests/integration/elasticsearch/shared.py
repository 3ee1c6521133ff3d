"""The stores of gateways that share a server."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from gateway.store.elastic.stores import elasticsearch_stores
from gateway.store.event_log import EVENT_LOG_BYTES
from gateway.store.stores import RecordingBounds, Stores
from libs.elastic.settings import ElasticsearchSettings


@dataclass(frozen=True, slots=True)
class SharedServer:
    """A server, and the prefix of the indices on it that are a test's own."""

    url: str
    prefix: str

    def stores(
        self, keep_seconds: float = 60.0, bounds: RecordingBounds | None = None, event_log_bytes: int = EVENT_LOG_BYTES
    ) -> AbstractAsyncContextManager[Stores]:
        """Open the stores of one gateway."""
        settings = ElasticsearchSettings(prefix=self.prefix, seconds=30.0)
        return elasticsearch_stores(self.url, settings, keep_seconds, bounds, event_log_bytes)
