"""Tables of documents in an Elasticsearch that several gateways share: an index a table, created when first written to.

Documents are read and written by id, which sees each acknowledged write at once. What has to be searched is refreshed
before. A document only replaces the copy that was read, by its sequence number and primary term.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gateway.store.elastic.documents import Source, bytes_of, changed, fields_of, mapping_of, query_of, source_of
from gateway.store.tables import AT_ONCE, ENTRIES, Change, Condition, Document, Fields, Order, Table, Tables
from libs.elastic.server import CONNECTIONS, ElasticsearchServer, await_readable, elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.errors import engine_unavailable

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")

FEW: Final = 100
"""Documents of a request that a user waits for, at most; a turn cites some dozen passages (taste)."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A document as it was last read or written here."""

    source: Source
    condition: Mapping[str, int]
    """That nobody has changed it since."""


class ElasticsearchTables(Tables):
    """The Tables, whose calls block, and their Storage, which makes them in its threads. All may raise Unavailable."""

    def __init__(
        self,
        server: ElasticsearchServer,
        settings: ElasticsearchSettings,
        threads: ThreadPoolExecutor,
        tables: Sequence[Table],
    ) -> None:
        self._server = server
        self._settings = settings
        self._threads = threads
        self._kinds = tables
        self._exist = False

    async def read(self, work: Callable[[Tables], T]) -> T:
        """Run work that writes nothing, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, work)

    async def write(self, work: Callable[[Tables], T]) -> T:
        """Run work in a thread; what it wrote is durable when this returns."""
        return await self.read(work)

    async def shrink(self) -> None:
        """Do nothing: the server merges its segments by itself."""

    def get_all(self, table: Table, keys: Collection[str], fields: Sequence[str] | None = None) -> list[Document]:
        """Return those documents of these ids that exist."""
        names = list(table.fields if fields is None else fields)
        return [_document(table, answer, names) for answer in self._read(table, keys, names)]

    def entries(self, table: Table, key: str, after: int = 0) -> Sequence[bytes]:
        """Return a document's entries but the first `after` ones."""
        answers = self._read(table, (key,), [ENTRIES])
        return [bytes_of(text) for answer in answers for text in answer["_source"].get(ENTRIES, ())[after:]]

    def find(
        self,
        table: Table,
        conditions: Sequence[Condition],
        limit: int,
        order: Order | None = None,
        fields: Sequence[str] | None = None,
        *,
        is_fresh: bool = True,
    ) -> list[Document]:
        """Return documents that match all conditions; `is_fresh` shows the latest writes, too."""
        names = list(table.fields if fields is None else fields)
        request: dict[str, Any] = {"query": query_of(conditions), "size": limit, "source": names or False}
        if order is not None:
            direction = "desc" if order.descending else "asc"
            request["sort"] = [{field: direction} for field in order.fields]
            if order.after is not None:
                request["search_after"] = list(order.after)
        if is_fresh:
            self._refresh(table)
        hits = self._search(table, seq_no_primary_term=True, **request)["hits"]["hits"]
        return [_document(table, hit, names) for hit in hits]

    def total(self, table: Table, conditions: Sequence[Condition], field: str = "") -> int:
        """Return the sum of a field over all matching documents; without a field their number."""
        self._refresh(table)
        sums = {"aggregations": {"sum": {"sum": {"field": field}}}} if field else {}
        answer = self._search(table, query=query_of(conditions), size=0, track_total_hits=True, **sums)
        return int(answer["aggregations"]["sum"]["value"] if field else answer["hits"]["total"]["value"])

    def put(self, table: Table, documents: Mapping[str, Fields]) -> None:
        """Write documents by id, in place of others."""
        if self._bulk(table, [{"_id": key, "_source": source_of(table, each)} for key, each in documents.items()]):
            raise engine_unavailable("Elasticsearch stored only some of the documents: see its log.")

    def replace(self, table: Table, key: str, before: Document | None, fields: Fields) -> bool:
        """Write a document in place of the one that was read, or of none; False if another write came first."""
        condition = {"op_type": "create"} if before is None else before.version
        return self._index(table, key, source_of(table, fields), condition) is not None

    def change(
        self, table: Table, key: str, change: Change, known: MutableMapping[str, Any] | None = None
    ) -> Fields | None:
        """Change some fields of a document, again if another write came first; return its fields."""
        own = {} if known is None else known
        while (copy := own.get(key) or self._copy(table, key)) is not None:
            is_known = own.pop(key, None) is not None  # it may have changed since it was seen
            fields = fields_of(table, copy.source, table.small)
            changes = change(fields)
            if changes is None and not is_known:
                return None
            if changes is not None:
                source = changed(table, copy.source, changes)
                if (written := self._index(table, key, source, copy.condition)) is not None:
                    own[key] = written
                    return fields_of(table, source, table.small)
        return None

    def delete(self, table: Table, keys: Collection[str]) -> None:
        """Delete documents by id; those that are gone are passed over."""
        self._bulk(table, [{"_op_type": "delete", "_id": key} for key in keys])

    def delete_read(self, table: Table, document: Document) -> None:
        """Delete a document, unless it has changed since it was read."""
        condition: Any = document.version
        self._bulk(table, [{"_op_type": "delete", "_id": document.key, **condition}])

    def delete_some(self, table: Table, conditions: Sequence[Condition]) -> bool:
        """Delete up to `AT_ONCE` matching documents; return whether there may be more."""
        found = self.find(table, conditions, AT_ONCE, fields=())
        self.delete(table, [document.key for document in found])
        return len(found) == AT_ONCE

    def _read(self, table: Table, keys: Collection[str], names: Sequence[str] | bool) -> Iterator[Any]:
        """Yield the server's answers for those of these ids that exist, with these fields or all."""
        index = self._name(table)
        if ids := list(dict.fromkeys(keys)):
            answer: Any = self._ask(len(ids), lambda client: client.mget(index=index, ids=ids, source=names or False))
            yield from (each for each in answer["docs"] if each.get("found"))

    def _copy(self, table: Table, key: str) -> _Copy | None:
        answers = self._read(table, (key,), True)
        return next((_Copy(answer["_source"], _condition(answer)) for answer in answers), None)

    def _index(self, table: Table, key: str, source: Source, condition: Any) -> _Copy | None:
        """Write a document; None if the condition does not hold."""
        from elasticsearch import ConflictError

        try:
            answer = self._server.ask(
                lambda client: client.index(index=self._name(table), id=key, document=source, **condition)
            )
        except ConflictError:
            return None
        return _Copy(source, _condition(answer))

    def _search(self, table: Table, **request: Any) -> Any:
        return self._server.ask_patiently(lambda client: client.search(index=self._name(table), **request))

    def _refresh(self, table: Table) -> None:
        """Make all acknowledged writes of an index searchable."""
        self._server.ask_patiently(lambda client: client.indices.refresh(index=self._name(table)))

    def _bulk(self, table: Table, actions: Sequence[dict[str, Any]]) -> int:
        """Carry out actions; return how many failed."""
        from elasticsearch.helpers import bulk

        placed = [{"_index": self._name(table), **action} for action in actions]
        answer = self._ask(len(placed), lambda client: bulk(client, placed, stats_only=True, raise_on_error=False))
        return int(answer[1])

    def _ask(self, count: int, request: "Callable[[Elasticsearch], Any]") -> Any:
        """Send a request about so many documents; for many there is the long timeout."""
        return self._server.ask(request) if count <= FEW else self._server.ask_patiently(request)

    def _run(self, work: Callable[[Tables], T]) -> T:
        """Run work, once there are all indices."""
        if not self._exist:
            for table in self._kinds:
                self._server.ask_patiently(lambda client, table=table: self._make(client, table))  # type: ignore[misc]
            self._exist = True
        return work(self)

    def _make(self, client: "Elasticsearch", table: Table) -> None:
        from elasticsearch import BadRequestError

        index = self._name(table)
        settings = {"number_of_shards": self._settings.shards, "auto_expand_replicas": self._settings.replicas}
        if not client.indices.exists(index=index):
            try:
                client.indices.create(index=index, settings=settings, mappings=mapping_of(table))
            except BadRequestError:  # another gateway created it first
                if not client.indices.exists(index=index):
                    raise
        await_readable(client, index)

    def _name(self, table: Table) -> str:
        return f"{self._settings.prefix}-{table.name}"


@asynccontextmanager
async def elasticsearch_storage(
    url: str, settings: ElasticsearchSettings, tables: Sequence[Table]
) -> AsyncIterator[ElasticsearchTables]:
    """Open the tables and close them at the end; no request is sent yet, so the server may be down.

    Raises:
        ValueError: the URL is invalid.
    """
    with (
        elasticsearch_server(url, settings) as server,
        ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="sessions") as threads,
    ):
        yield ElasticsearchTables(server, settings, threads, tables)


def _document(table: Table, answer: Any, names: Sequence[str]) -> Document:
    return Document(answer["_id"], fields_of(table, answer.get("_source", {}), names), _condition(answer))


def _condition(answer: Any) -> Mapping[str, int]:
    return {"if_seq_no": answer["_seq_no"], "if_primary_term": answer["_primary_term"]}
