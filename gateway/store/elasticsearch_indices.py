"""The gateway's indices in an Elasticsearch that several gateways share: created when first written to.

Documents are read and written by id, which sees each acknowledged write at once. What has to be searched is refreshed
before. Content is opaque here and is not indexed.
"""

import asyncio
import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from libs.elastic.server import ElasticsearchServer, await_readable
from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.errors import Unavailable

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")

_UNSEARCHED: Final = {"index": False, "doc_values": False}
_OLDER: Final = {
    "version": {"type": "long", **_UNSEARCHED},
    "content": {"type": "binary"},
    "events": {"type": "binary"},
    "question": {"type": "keyword", **_UNSEARCHED},
    "retry_key": {"type": "keyword", **_UNSEARCHED},
    "fingerprint": {"type": "keyword", **_UNSEARCHED},
    "created": {"type": "date", "format": "epoch_millis"},
}
"""The fields of the indices of the oldest version; an index of that version gets the others added."""
_TURN: Final = {
    "session_id": {"type": "keyword"},
    "key": {"type": "keyword"},
    "turn_id": {"type": "keyword"},
    "position": {"type": "integer", **_UNSEARCHED},
    "turn_created": {"type": "date", "format": "epoch_millis", **_UNSEARCHED},
    "digests": {"type": "keyword"},
    "turn_content": {"type": "binary"},
}
_SESSION: Final = {
    "principals": {"type": "keyword"},
    "principal_count": {"type": "integer"},
    "title": {"type": "keyword", **_UNSEARCHED},
    "updated": {"type": "date", "format": "epoch_millis"},
    "hidden": {"type": "boolean"},
    "view": {"type": "binary"},
    "given_title": {"type": "keyword", **_UNSEARCHED},
}
FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "sessions": {**_OLDER, **_TURN, **_SESSION},
    "turns": _TURN,
    "texts": {"content": {"type": "binary"}},
    "questions": {**_OLDER, "session_id": {"type": "keyword"}},
    "recordings": {
        "session_id": {"type": "keyword"},
        "bytes": {"type": "long"},
        "started": {"type": "date", "format": "epoch_millis"},
        "content": {"type": "binary"},
    },
}
UNUSED: Final = "answers"
"""An index of older versions, whose content the event log has now."""
AT_ONCE: Final = 500
"""Documents of one bulk request, at most."""


class Indices:
    """Documents by kind and id. Every call may raise Unavailable; all but `run` block."""

    def __init__(
        self, server: ElasticsearchServer, settings: ElasticsearchSettings, threads: ThreadPoolExecutor
    ) -> None:
        self._server = server
        self._settings = settings
        self._threads = threads
        self._exist = False

    async def run(self, work: Callable[[], T]) -> T:
        """Run blocking work in a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def get(self, kind: str, key: str) -> Mapping[str, Any] | None:
        """Return a document with its `_source`, `_seq_no` and `_primary_term`, or None."""
        from elasticsearch import NotFoundError

        self.make()
        try:
            document: Any = self._server.ask(lambda client: client.get(index=self._name(kind), id=key))
        except NotFoundError:
            return None
        return dict(document)

    def get_all(self, kind: str, keys: Sequence[str], fields: Sequence[str] | bool = True) -> list[Mapping[str, Any]]:
        """Return the documents that exist of these ids, in their order, with these fields."""
        self.make()
        documents: list[Mapping[str, Any]] = []
        for some in _parts(keys):
            response: Any = self._server.ask(
                lambda client, some=some: client.mget(  # type: ignore[misc]
                    index=self._name(kind), ids=some, source=fields
                )
            )
            documents += [document for document in response["docs"] if document.get("found")]
        return documents

    def put(self, kind: str, key: str, document: Mapping[str, Any], **condition: Any) -> bool:
        """Write a document; return False if the condition does not hold (`op_type`, `if_seq_no`)."""
        from elasticsearch import ConflictError

        self.make()
        try:
            self._server.ask(
                lambda client: client.index(index=self._name(kind), id=key, document=document, **condition)
            )
        except ConflictError:
            return False
        return True

    def put_all(self, kind: str, documents: Mapping[str, Mapping[str, Any]], *, patiently: bool = False) -> None:
        """Write documents by id; with the long timeout if there may be many."""
        operations = [({"index": {"_id": key}}, document) for key, document in documents.items()]
        for response in self._bulk(kind, operations, patiently):
            if response["errors"]:
                raise Unavailable("ENGINE_UNAVAILABLE", "Elasticsearch did not store all documents.")

    def delete(self, kind: str, key: str) -> None:
        """Delete a document, if it exists."""
        self.delete_all(kind, [{"_id": key}])

    def delete_all(self, kind: str, conditions: Iterable[Mapping[str, Any]]) -> None:
        """Delete documents by id; those that are gone or that a condition excludes are left alone."""
        operations = [({"delete": dict(condition)},) for condition in conditions]
        for _ in self._bulk(kind, operations, patiently=True):
            pass

    def search(self, kind: str, **request: Any) -> Mapping[str, Any]:
        """Search an index."""
        self.make()
        response: Any = self._server.ask_patiently(
            lambda client: client.search(index=self._name(kind), ignore_unavailable=True, **request)
        )
        return dict(response)

    def refresh(self, kind: str) -> None:
        """Make all acknowledged writes of an index searchable."""
        self._server.ask_patiently(
            lambda client: client.indices.refresh(index=self._name(kind), ignore_unavailable=True)
        )

    def delete_matching(self, kind: str, query: Mapping[str, Any]) -> None:
        """Delete all documents that match a query, refreshed before."""
        self.refresh(kind)
        while hits := self.search(kind, query=query, size=AT_ONCE, source=False)["hits"]["hits"]:
            self.delete_all(kind, [{"_id": hit["_id"]} for hit in hits])
            self.refresh(kind)

    def _bulk(
        self, kind: str, operations: Sequence[tuple[Mapping[str, Any], ...]], patiently: bool
    ) -> Iterator[Mapping[str, Any]]:
        self.make()
        ask = self._server.ask_patiently if patiently else self._server.ask
        for some in _parts(operations):
            lines = [line for operation in some for line in operation]
            response: Any = ask(
                lambda client, lines=lines: client.bulk(index=self._name(kind), operations=lines)  # type: ignore[misc]
            )
            yield dict(response)

    def make(self) -> None:
        """Create the indices that are missing, and add fields that those of an older version lack."""
        if not self._exist:
            for kind, fields in FIELDS.items():
                self._server.ask_patiently(
                    lambda client, kind=kind, fields=fields: self._make(client, self._name(kind), fields)  # type: ignore[misc]
                )
            self._server.ask_patiently(
                lambda client: client.indices.delete(index=self._name(UNUSED), ignore_unavailable=True)
            )
            self._exist = True

    def _make(self, client: "Elasticsearch", index: str, fields: Mapping[str, Any]) -> None:
        from elasticsearch import BadRequestError

        if client.indices.exists(index=index):
            client.indices.put_mapping(index=index, properties=fields)
            await_readable(client, index)
            return
        settings = {"number_of_shards": self._settings.shards, "auto_expand_replicas": self._settings.replicas}
        mappings = {"dynamic": "strict", "properties": fields}
        try:
            client.indices.create(index=index, settings=settings, mappings=mappings)
        except BadRequestError:  # another gateway created it first
            if not client.indices.exists(index=index):
                raise
        await_readable(client, index)

    def _name(self, kind: str) -> str:
        return f"{self._settings.prefix}-{kind}"


def milliseconds(moment: datetime) -> int:
    """A moment as stored."""
    return round(moment.timestamp() * 1000)


def moment(stored: int) -> datetime:
    """The inverse of `milliseconds`."""
    return datetime.fromtimestamp(stored / 1000, UTC)


def text_of(content: bytes) -> str:
    """Bytes as stored."""
    return base64.b64encode(content).decode()


def bytes_of(text: str) -> bytes:
    """The inverse of `text_of`."""
    return base64.b64decode(text)


def _parts(items: Sequence[T]) -> Iterator[list[T]]:
    for start in range(0, len(items), AT_ONCE):
        yield list(items[start : start + AT_ONCE])
