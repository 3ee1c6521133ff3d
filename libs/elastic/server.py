"""A connection to an Elasticsearch server with uniform errors.

A server that cannot be reached, answers too late, or refuses (5xx, 429, 401, 403) raises `Unavailable`, and is called
again only after a pause (`libs.runtime.calling.breaker`). Statuses that the caller handles, 404 and 409, stay the
client library's own exceptions. All calls block; the connection is thread-safe. Numbers that name no source are chosen
by hand.
"""

import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.calling.breaker import Breaker
from libs.runtime.errors import Unavailable, engine_unavailable

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")

_log = structlog.get_logger("parley.elasticsearch")

CONNECTIONS: Final = 16
"""Connections kept open to each node: more than the threads of a process that ask at once (taste)."""
PATIENT_SECONDS = 60.0
"""Timeout of a request that no user waits for, such as a bulk of many passages."""

_OTHER_VERSION: Final = re.compile(r"must be either version (\d+)")
"""What a server of another version says of the headers of each request."""


class ElasticsearchServer:
    """A connection to one server; created by `elasticsearch_server`."""

    def __init__(self, client: "Elasticsearch", name: str, seconds: float) -> None:
        self._client = client
        self._seconds = seconds
        self._quick = client.options(request_timeout=seconds)
        self._patient = client.options(request_timeout=max(PATIENT_SECONDS, seconds))
        self._breaker = Breaker(name)

    def apart(self, name: str) -> "ElasticsearchServer":
        """The same server with its own breaker, for requests that may fail independently."""
        return ElasticsearchServer(self._client, name, self._seconds)

    @property
    def outages(self) -> int:
        """Number of times the server stopped answering; cached server state is stale once this has grown."""
        return self._breaker.outages

    def ask(self, request: "Callable[[Elasticsearch], T]") -> T:
        """Send a request with the short timeout, for work that a user waits for.

        Raises:
            Unavailable: the server gave no usable answer in time.
            elasticsearch.NotFoundError, elasticsearch.ConflictError: the server answered 404 or 409.
        """
        return self._call(self._quick, request)

    def ask_patiently(self, request: "Callable[[Elasticsearch], T]") -> T:
        """Send a request with the long timeout; otherwise the same as `ask`."""
        return self._call(self._patient, request)

    def _call(self, client: "Elasticsearch", request: "Callable[[Elasticsearch], T]") -> T:
        from elasticsearch import ApiError, ConflictError, NotFoundError, TransportError

        self._breaker.admit()
        try:
            answer = request(client)
        except (NotFoundError, ConflictError):
            self._breaker.succeeded()
            raise
        except ApiError as error:
            raise self._unavailable(error.meta.status, error) from error
        except TransportError as error:
            self._breaker.failed(type(error).__name__)
            raise engine_unavailable(
                "Elasticsearch does not answer: check that it runs, and its URL in the settings."
            ) from error
        except BaseException:
            self._breaker.inconclusive()
            raise
        if client is self._quick:
            self._breaker.succeeded()
        else:  # success within the long timeout doesn't show that the server is fast enough
            self._breaker.inconclusive()
        return answer

    def _unavailable(self, status: int, error: Exception) -> Unavailable:
        if status >= 500 or status in (401, 403, 429):
            self._breaker.failed(f"status {status}")
        else:
            self._breaker.succeeded()
            _log.error("Elasticsearch rejects a request", status=status, exc_info=error)
        if other := _OTHER_VERSION.search(str(getattr(error, "body", ""))):
            return engine_unavailable(f"Elasticsearch is of version {other[1]}: version 9 is needed.")
        return engine_unavailable(f"Elasticsearch answers with status {status}: its log says why.")


@contextmanager
def elasticsearch_server(url: str, settings: ElasticsearchSettings) -> Iterator[ElasticsearchServer]:
    """A connection to the server at `url`, `http(s)://host:port`, or several nodes of a cluster separated by commas.

    It sends no request yet, so the server may be down.

    Raises:
        ValueError: the URL is invalid.
    """
    from elasticsearch import Elasticsearch  # takes 2 s and some 90 MB: only if configured

    for name in ("elastic_transport", "urllib3.connection"):  # the breaker logs failures once
        logging.getLogger(name).setLevel(logging.ERROR)
    nodes = [url.strip() for url in url.split(",")]
    client = Elasticsearch(
        nodes,
        connections_per_node=CONNECTIONS,
        max_retries=len(nodes) - 1,  # another node may answer; the caller retries the same one
        retry_on_timeout=False,
        **_credentials(settings),
    )
    try:
        yield ElasticsearchServer(client, "Elasticsearch", settings.seconds)
    finally:
        client.close()


def _credentials(settings: ElasticsearchSettings) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    if settings.api_key is not None:
        arguments["api_key"] = settings.api_key.get_secret_value()
    elif settings.password is not None:
        arguments["basic_auth"] = (settings.username, settings.password.get_secret_value())
    if settings.ca_certs is not None:
        arguments["ca_certs"] = str(settings.ca_certs)
    return arguments


SECONDS: Final = 10.0  # the longest wait for the shards (taste)
PAUSE_SECONDS: Final = 0.1  # between two attempts (taste)
NO_SHARD: Final = 503
"""The status of reading an index none of whose shards has started."""


def await_readable(client: "Elasticsearch", index: str) -> None:
    """Return once the index can be read: one that exists may still lack its shards.

    Raises:
        elasticsearch.ApiError: it cannot be read within `SECONDS`, or is refused.
    """
    from elasticsearch import ApiError

    end = time.monotonic() + SECONDS
    while True:
        try:
            client.count(index=index)
            return
        except ApiError as error:
            if error.meta.status != NO_SHARD or time.monotonic() > end:
                raise
        time.sleep(PAUSE_SECONDS)
