"""The vector engine on a Milvus server, as configured."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.milvus.engine import MilvusVectors
from services.retrieve.engines.milvus.server import MilvusServer
from services.retrieve.engines.milvus.settings import MilvusSettings
from services.retrieve.engines.protocols import VectorEngine


@dataclass(frozen=True, slots=True)
class MilvusEngines:
    """Opens the vectors of each collection; `server.sweep` drops those of deleted collections."""

    server: MilvusServer

    def open(self, view: CollectionView, width: int) -> VectorEngine:
        """A collection's engine; the server is first called when it has changes to apply."""
        return MilvusVectors(self.server, view, width)


@contextmanager
def milvus_engines(settings: MilvusSettings) -> Iterator[MilvusEngines]:
    """The engines of a server. Nothing is called yet, so the server may be down."""
    server = MilvusServer(settings)
    try:
        yield MilvusEngines(server)
    finally:
        server.close()
