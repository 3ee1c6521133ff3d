"""The vector engine of a server, as the settings name it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from services.retrieve.engines.home import EngineHome
from services.retrieve.engines.milvus.engine import MilvusVectors
from services.retrieve.engines.milvus.server import MilvusServer
from services.retrieve.engines.milvus.settings import MilvusSettings
from services.retrieve.engines.protocols import VectorEngine


@dataclass(frozen=True, slots=True)
class MilvusEngines:
    """Opens the vectors of each collection; `server.sweep` takes away those whose collection is gone."""

    server: MilvusServer

    def open(self, home: EngineHome, width: int) -> VectorEngine:
        """A collection's engine; the server is asked when it is first to follow."""
        return MilvusVectors(self.server, home, width)


@contextmanager
def milvus_engines(settings: MilvusSettings) -> Iterator[MilvusEngines]:
    """Nothing is asked yet, so the server may be down."""
    server = MilvusServer(settings)
    try:
        yield MilvusEngines(server)
    finally:
        server.close()
