"""The stores of gateways that share a server."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from gateway.store.elastic.tables import elasticsearch_storage
from gateway.store.stores import Stores, elasticsearch_stores
from gateway.store.tables import Storage
from libs.elastic.settings import ElasticsearchSettings
from tests.conformance.storage_behaviours import TABLES


@dataclass(frozen=True, slots=True)
class SharedServer:
    """A server, and the prefix of the indices on it that are a test's own."""

    url: str
    prefix: str

    def storage(self) -> AbstractAsyncContextManager[Storage]:
        """Open the storage of one gateway."""
        return elasticsearch_storage(self.url, self._settings, TABLES)

    def stores(self, url: str = "") -> AbstractAsyncContextManager[Stores]:
        """Open the stores of one gateway, at another address of the server if one is given."""
        return elasticsearch_stores(url or self.url, self._settings)

    @property
    def _settings(self) -> ElasticsearchSettings:
        return ElasticsearchSettings(prefix=self.prefix, seconds=30.0)
