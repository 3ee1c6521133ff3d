"""The connection to a Milvus server, shared by all collections.

pymilvus is imported when the server is first asked: it takes 130 MB and two seconds. Whatever goes wrong comes out as
Unavailable. A server that did not answer is asked again only after a pause (`libs.runtime.breaker`).
"""

import logging
import threading
from collections.abc import Set
from typing import Any

import structlog

from libs.runtime.breaker import Breaker
from libs.runtime.errors import Unavailable
from services.retrieve.engines.milvus.schema import row_of_name
from services.retrieve.engines.milvus.settings import MilvusSettings

_log = structlog.get_logger("parley.retrieve")


class MilvusRefused(Unavailable):
    """The server answered, but did not do what it was asked: it lost a collection, or has not loaded it."""


class MilvusServer:
    """Safe for any number of threads."""

    def __init__(self, settings: MilvusSettings) -> None:
        """Nothing is connected yet."""
        self.settings = settings
        self._client: Any = None
        self._connecting = threading.Lock()
        self._breaker = Breaker("Milvus")

    def call(self, method: str, *arguments: Any, seconds: float | None = None, **named: Any) -> Any:
        """Call a method of `pymilvus.MilvusClient`.

        Args:
            method: its name.
            arguments: as it takes them.
            seconds: greatest time; None: that of a search.
            named: as it takes them.

        Raises:
            MilvusRefused: the server answered with an error.
            Unavailable: it did not answer.
        """
        self._breaker.admit()
        client = None
        try:
            client = self._connected()
            answer = getattr(client, method)(*arguments, timeout=seconds or self.settings.seconds, **named)
        except _failures() as error:
            if _answered(error):
                self._breaker.succeeded()
                _log.warning("Milvus refused a request", request=method, why=str(error))
                raise MilvusRefused("ENGINE_UNAVAILABLE", "Milvus refused a request") from error
            self._breaker.failed(type(error).__name__)
            self._let_go(client)
            raise Unavailable("ENGINE_UNAVAILABLE", "Milvus does not answer.") from error
        except BaseException:
            self._breaker.inconclusive()
            raise
        self._breaker.succeeded()
        return answer

    def sweep(self, corpus: str, rows: Set[int]) -> None:
        """Drop what was derived from a corpus for any other collections than these.

        Raises:
            Unavailable: the server does not answer, or refuses.
        """
        for name in self.call("list_collections"):
            row = row_of_name(name, self.settings.prefix, corpus)
            if row is not None and row not in rows:
                self.call("drop_collection", name, seconds=self.settings.write_seconds)

    def close(self) -> None:
        """Let the connection go."""
        with self._connecting:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _connected(self) -> Any:
        with self._connecting:
            if self._client is None:
                self._client = self._connect()
            return self._client

    def _connect(self) -> Any:
        from pymilvus import MilvusClient

        # Its logger writes each failure with a trace; they are ours to tell.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        return MilvusClient(
            self.settings.uri,
            token=self.settings.token.get_secret_value(),
            db_name=self.settings.database,
            timeout=self.settings.seconds,
            dedicated=True,  # a shared one cannot be closed
        )

    def _let_go(self, client: Any) -> None:
        """The next call connects anew: a channel's own waits between attempts grow too long."""
        with self._connecting:
            if client is not None and self._client is client:
                self._client = None
                client.close()


def _failures() -> tuple[type[Exception], ...]:
    """What pymilvus raises: its own, those of gRPC, and ValueError for a connection that another thread has closed."""
    import grpc
    from pymilvus.exceptions import MilvusException

    return MilvusException, grpc.RpcError, ValueError


def _answered(error: Exception) -> bool:
    """Whether the server sent this error itself: with a number of Milvus, not with a status of gRPC."""
    from pymilvus.client.types import Status
    from pymilvus.exceptions import MilvusException

    return isinstance(error, MilvusException) and isinstance(error.code, int) and error.code != Status.CONNECT_FAILED
