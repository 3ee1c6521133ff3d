"""The full-text engine on an Elasticsearch server, as configured."""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass

from libs.elastic.server import ElasticsearchServer, elasticsearch_server
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.elasticsearch.engine import ElasticsearchIndex
from services.retrieve.engines.elasticsearch.index import IndexShape, ServerIndex
from services.retrieve.engines.elasticsearch.sparse import SparseEncoder
from services.retrieve.engines.protocols import LexicalEngine
from services.retrieve.engines.settings import SearchElasticsearchSettings


@dataclass(frozen=True, slots=True)
class ElasticsearchEngines:
    """Opens the index of each collection, and deletes those of deleted collections."""

    server: ElasticsearchServer
    shape: IndexShape
    sparse: SparseEncoder | None = None

    def open(self, view: CollectionView) -> LexicalEngine:
        """A collection's engine.

        Raises:
            Unavailable: the server does not answer.
        """
        sparse = self.sparse if self.sparse is not None and self.sparse.exists_in_cluster() else None
        index = ServerIndex(
            self.server,
            self.shape.name(view.corpus.identity, view.row),
            self.shape,
            sparse.endpoint if sparse else "",
            view.last_change,
        )
        return ElasticsearchIndex(index, self.server, sparse)

    def sweep(self, identity: str, rows: Set[int]) -> None:
        """Delete the indices of a corpus, except those of these collections.

        Raises:
            Unavailable: the server does not answer.
        """
        pattern = self.shape.name(identity, 0).removesuffix("0") + "*"
        present = {self.shape.name(identity, row) for row in rows}
        indices = self.server.ask_patiently(
            lambda client: client.indices.get_alias(index=pattern, allow_no_indices=True)
        )
        obsolete = sorted(set(indices) - present)
        if obsolete:
            self.server.ask_patiently(lambda client: client.indices.delete(index=obsolete, ignore_unavailable=True))


@contextmanager
def elasticsearch_engines(settings: SearchElasticsearchSettings) -> Iterator[ElasticsearchEngines]:
    """The engines of a server. Nothing is called yet, so the server may be down.

    Raises:
        ValueError: the URL is invalid.
    """
    with elasticsearch_server(settings) as server:
        endpoint = settings.sparse_endpoint
        sparse = SparseEncoder(server, endpoint) if endpoint else None
        yield ElasticsearchEngines(server, IndexShape(settings.prefix, settings.shards, settings.replicas), sparse)
