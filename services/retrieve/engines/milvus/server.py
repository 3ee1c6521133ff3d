"""The connection to a Milvus server, shared by all collections.

pymilvus is imported on the first call, because it takes 130 MB and two seconds. Calls block; each failure is raised as
Unavailable. After one the server is called again only after a pause (`libs.runtime.calling.breaker`).
"""

import logging
import threading
from collections.abc import Set
from typing import Any, Final

import structlog

from libs.runtime.calling.breaker import Breaker
from libs.runtime.errors import Unavailable, engine_unavailable
from services.retrieve.engines.milvus.schema import row_of_name
from services.retrieve.engines.settings import MilvusSettings

WRITE_SECONDS: Final = 30.0
"""Timeout of one batch of writes, and of creating or loading a collection (taste)."""
_log = structlog.get_logger("parley.retrieve")


class MilvusRefused(Unavailable):
    """The server answered with an error: for example it lost a collection, or has not loaded it."""


class MilvusServer:
    """A connection to Milvus. Thread-safe."""

    def __init__(self, settings: MilvusSettings) -> None:
        """Nothing is connected yet."""
        self.settings = settings
        self._client: Any = None
        self._connecting = threading.Lock()
        self._breaker = Breaker("Milvus")

    def call(self, method: str, *arguments: Any, seconds: float | None = None, **options: Any) -> Any:
        """Call a method of `pymilvus.MilvusClient`.

        Args:
            method: its name.
            arguments: its positional arguments.
            seconds: timeout; None for the timeout of a search.
            options: its keyword arguments.

        Raises:
            MilvusRefused: the server answered with an error.
            Unavailable: it did not answer.
        """
        self._breaker.admit()
        client = None
        try:
            client = self._connected()
            answer = getattr(client, method)(*arguments, timeout=seconds or self.settings.seconds, **options)
        except _failures() as error:
            if _is_answer(error):
                self._breaker.succeeded()
                _log.warning("Milvus refused a request: retrieve's log says why.", request=method, why=str(error))
                raise MilvusRefused(
                    "ENGINE_UNAVAILABLE", "Milvus refused a request: retrieve's log says why."
                ) from error
            self._breaker.failed(type(error).__name__)
            self._let_go(client)
            raise engine_unavailable("Milvus does not answer: check PARLEY_RETRIEVE_MILVUS_URI.") from error
        except BaseException:
            self._breaker.inconclusive()
            raise
        self._breaker.succeeded()
        return answer

    def sweep(self, corpus: str, rows: Set[int]) -> None:
        """Drop the collections of a corpus, except those with these row numbers; raises Unavailable."""
        for name in self.call("list_collections"):
            row = row_of_name(name, self.settings.prefix, corpus)
            if row is not None and row not in rows:
                self.call("drop_collection", name, seconds=WRITE_SECONDS)

    def close(self) -> None:
        """Close the connection."""
        with self._connecting:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _connected(self) -> Any:
        with self._connecting:
            if self._client is None:
                from pymilvus import MilvusClient

                # pymilvus logs each failure with a traceback; this module reports failures itself.
                for name in ("pymilvus", "grpc._common"):  # the latter for messages that cannot be read
                    logging.getLogger(name).setLevel(logging.CRITICAL)
                self._client = MilvusClient(
                    self.settings.uri,
                    token=self.settings.token.get_secret_value(),
                    db_name=self.settings.database,
                    timeout=self.settings.seconds,
                    dedicated=True,  # a shared one cannot be closed
                )
            return self._client

    def _let_go(self, client: Any) -> None:
        """Drop the client so that the next call reconnects: a channel's own pauses between attempts grow too long."""
        with self._connecting:
            if client is not None and self._client is client:
                self._client = None
                client.close()


def _failures() -> tuple[type[Exception], ...]:
    """What pymilvus raises: its own errors, those of gRPC, and ValueError if another thread closed the connection."""
    import grpc
    from pymilvus.exceptions import MilvusException

    return MilvusException, grpc.RpcError, ValueError


def _is_answer(error: Exception) -> bool:
    """Whether the server itself sent this error: it has a Milvus error code, not a gRPC status."""
    from pymilvus.client.types import Status
    from pymilvus.exceptions import MilvusException

    return isinstance(error, MilvusException) and isinstance(error.code, int) and error.code != Status.CONNECT_FAILED
