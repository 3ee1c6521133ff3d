"""The gateway's indices in an Elasticsearch that several gateways share: created when first written to.

Documents are read and written by id, which sees each acknowledged write at once. What has to be searched is refreshed
before. Content is opaque here and is not indexed.
"""

import asyncio
import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from gateway.store.elastic.turn_documents import FIELDS as EVENT_FIELDS
from libs.elastic.server import ElasticsearchServer, await_readable
from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.errors import engine_unavailable

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")

_UNSEARCHED: Final = {"index": False, "doc_values": False}
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
    "version": {"type": "long", **_UNSEARCHED},
    "created": {"type": "date", "format": "epoch_millis"},
    "principals": {"type": "keyword"},
    "principal_count": {"type": "integer"},
    "title": {"type": "keyword", **_UNSEARCHED},
    "first_question": {"type": "keyword", **_UNSEARCHED},
    "updated": {"type": "date", "format": "epoch_millis"},
    "hidden": {"type": "boolean"},
    "view": {"type": "binary"},
}
FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "sessions": {**_TURN, **_SESSION},
    "turns": _TURN,
    "texts": {"content": {"type": "binary"}},
    "questions": {
        "session_id": {"type": "keyword"},
        "question": {"type": "keyword", **_UNSEARCHED},
        "retry_key": {"type": "keyword", **_UNSEARCHED},
        "fingerprint": {"type": "keyword", **_UNSEARCHED},
        "created": {"type": "date", "format": "epoch_millis"},
        "content": {"type": "binary"},
    },
    "recordings": {
        "session_id": {"type": "keyword"},
        "bytes": {"type": "long"},
        "started": {"type": "date", "format": "epoch_millis"},
        "content": {"type": "binary"},
    },
    "events": EVENT_FIELDS,
}
CREATE: Final[Mapping[str, str]] = {"op_type": "create"}
"""The condition that there is no document of this id."""
AT_ONCE: Final = 500
"""Documents of one bulk request, at most."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was read or written."""

    key: str
    source: Mapping[str, Any]
    """Empty if its fields were not asked for."""
    seq_no: int
    primary_term: int

    @classmethod
    def of(cls, answer: Mapping[str, Any], source: Mapping[str, Any] | None = None) -> Self:
        """Return the document of the server's answer; `source` is what was written."""
        content = answer.get("_source", {}) if source is None else source
        return cls(answer["_id"], content, answer["_seq_no"], answer["_primary_term"])

    @property
    def as_read(self) -> dict[str, int]:
        """The condition that nobody has changed it since."""
        return {"if_seq_no": self.seq_no, "if_primary_term": self.primary_term}


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

    def get(self, kind: str, key: str, fields: Sequence[str] | None = None) -> Document | None:
        """Return a document with all or some of its fields, or None."""
        from elasticsearch import NotFoundError

        self.make()
        includes = None if fields is None else list(fields)
        try:
            answer: Any = self._server.ask(
                lambda client: client.get(index=self._name(kind), id=key, source_includes=includes)
            )
        except NotFoundError:
            return None
        return Document.of(answer)

    def get_all(self, kind: str, keys: Sequence[str], fields: Sequence[str] | bool = True) -> list[Document]:
        """Return the documents that exist of these ids, in their order, with these fields."""
        self.make()
        documents: list[Document] = []
        for some in _parts(keys):
            answer: Any = self._server.ask(
                lambda client, some=some: client.mget(  # type: ignore[misc]
                    index=self._name(kind), ids=some, source=fields
                )
            )
            documents += [Document.of(each) for each in answer["docs"] if each.get("found")]
        return documents

    def put(self, kind: str, key: str, source: Mapping[str, Any], **condition: Any) -> Document | None:
        """Write a document; None if the condition does not hold (`CREATE`, or `as_read` of the replaced one)."""
        from elasticsearch import ConflictError

        self.make()
        try:
            answer: Any = self._server.ask(
                lambda client: client.index(index=self._name(kind), id=key, document=source, **condition)
            )
        except ConflictError:
            return None
        return Document.of(answer, source)

    def change(
        self, kind: str, key: str, change: Callable[[dict[str, Any]], bool], known: Document | None = None
    ) -> Document | None:
        """Change a document, again if another write came first.

        Args:
            kind: of the document.
            key: its id.
            change: changes a shallow copy of the source; returns False to leave the document as it is.
            known: the document as last seen, to be changed without reading it.

        Returns:
            the changed document; None if there is none, or `change` returned False.
        """
        while (document := known or self.get(kind, key)) is not None:
            source = {**document.source}
            if not change(source):
                if known is None:
                    return None
            elif (written := self.put(kind, key, source, **document.as_read)) is not None:
                return written
            known = None  # it may have changed since it was seen
        return None

    def put_all(self, kind: str, documents: Mapping[str, Mapping[str, Any]], *, patiently: bool = False) -> None:
        """Write documents by id; with the long timeout if there may be many."""
        operations = [({"index": {"_id": key}}, document) for key, document in documents.items()]
        for response in self._bulk(kind, operations, patiently):
            if response["errors"]:
                raise engine_unavailable("Elasticsearch stored only some of the documents; its log says why.")

    def delete(self, kind: str, keys: Iterable[str]) -> None:
        """Delete documents by id; those that are gone are left alone."""
        self._delete(kind, [{"_id": key} for key in keys])

    def delete_as_read(self, kind: str, documents: Iterable[Document]) -> None:
        """Delete documents; those that were changed since they were read are left alone."""
        self._delete(kind, [{"_id": document.key, **document.as_read} for document in documents])

    def _delete(self, kind: str, conditions: Iterable[Mapping[str, Any]]) -> None:
        operations = [({"delete": condition},) for condition in conditions]
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
            self.delete(kind, [hit["_id"] for hit in hits])
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
        """Create the indices that are missing."""
        if not self._exist:
            for kind, fields in FIELDS.items():
                self._server.ask_patiently(
                    lambda client, kind=kind, fields=fields: self._make(client, self._name(kind), fields)  # type: ignore[misc]
                )
            self._exist = True

    def _make(self, client: "Elasticsearch", index: str, fields: Mapping[str, Any]) -> None:
        from elasticsearch import BadRequestError

        if client.indices.exists(index=index):
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
