"""Documents of an Elasticsearch index of which each write replaces exactly the copy that was read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from libs.elastic.server import ElasticsearchServer, await_readable
from libs.elastic.settings import ElasticsearchSettings

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

Source = dict[str, Any]
DELETED_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was read or written."""

    source: Source
    seq_no: int
    primary_term: int


class VersionedDocuments:
    """The documents of one index, which is created by the first write. All calls block, and may raise Unavailable."""

    def __init__(
        self,
        server: ElasticsearchServer,
        settings: ElasticsearchSettings,
        index: str,
        mappings: Mapping[str, Any],
    ) -> None:
        self._server = server
        self._settings = settings
        self._index = index
        self._mappings = mappings
        self._index_exists = False

    def get(self, key: str, fields: Sequence[str] | None = None) -> Document | None:
        """Return a document, or only some of its fields; None if there is none."""
        from elasticsearch import NotFoundError

        self._make_index()
        includes = None if fields is None else list(fields)
        try:
            response: Any = self._server.ask(
                lambda client: client.get(index=self._index, id=key, source_includes=includes)
            )
        except NotFoundError:
            return None
        return Document(response["_source"], response["_seq_no"], response["_primary_term"])

    def sources(self, keys: Sequence[str], fields: Sequence[str]) -> Mapping[str, Source]:
        """Return some fields of those documents that exist, by key."""
        self._make_index()
        response: Any = self._server.ask(
            lambda client: client.mget(index=self._index, ids=list(keys), source_includes=list(fields))
        )
        return {each["_id"]: each["_source"] for each in response["docs"] if each.get("found")}

    def put(self, key: str, source: Source, replaced: Document | None) -> Document | None:
        """Write a document in place of the copy that was read, or of none; None if another write came first."""
        from elasticsearch import ConflictError

        self._make_index()
        condition: dict[str, Any] = {"op_type": "create"}
        if replaced is not None:
            condition = {"if_seq_no": replaced.seq_no, "if_primary_term": replaced.primary_term}
        try:
            response: Any = self._server.ask(
                lambda client: client.index(index=self._index, id=key, document=source, **condition)
            )
        except ConflictError:
            return None
        return Document(source, response["_seq_no"], response["_primary_term"])

    def change(self, key: str, change: Callable[[Source], bool], known: Document | None = None) -> Document | None:
        """Change a document, again if another write came first.

        Args:
            key: the document.
            change: changes a shallow copy of the source; returns False to leave the document as it is.
            known: the document as last seen, to be changed without reading it.

        Returns:
            the changed document; None if there is none, or `change` returned False.
        """
        document = known
        while True:
            document = document or self.get(key)
            if document is None:
                return None
            source = {**document.source}
            if not change(source):
                if document is known:  # it may have changed since
                    document, known = None, None
                    continue
                return None
            if (written := self.put(key, source, document)) is not None:
                return written
            document = None

    def delete(self, keys: Sequence[str]) -> None:
        """Delete documents; unknown keys are ignored."""
        deletions = [{"delete": {"_id": key}} for key in keys]
        if deletions:
            self._make_index()
            self._server.ask_patiently(lambda client: client.bulk(index=self._index, operations=deletions))

    def delete_matching(self, query: Mapping[str, Any]) -> None:
        """Delete all documents that a query finds, including those that were written just now."""
        self._make_index()
        while keys := self._matching(query):
            self.delete(keys)

    def _matching(self, query: Mapping[str, Any]) -> Sequence[str]:
        self._server.ask_patiently(lambda client: client.indices.refresh(index=self._index))
        response: Any = self._server.ask_patiently(
            lambda client: client.search(index=self._index, query=query, size=DELETED_AT_ONCE, source=False)
        )
        return [hit["_id"] for hit in response["hits"]["hits"]]

    def _make_index(self) -> None:
        if not self._index_exists:
            self._server.ask_patiently(self._make)
            self._index_exists = True

    def _make(self, client: "Elasticsearch") -> None:
        from elasticsearch import BadRequestError

        if client.indices.exists(index=self._index):
            await_readable(client, self._index)
            return
        settings = {"number_of_shards": self._settings.shards, "auto_expand_replicas": self._settings.replicas}
        try:
            client.indices.create(index=self._index, settings=settings, mappings=self._mappings)
        except BadRequestError:  # another gateway created it first
            if not client.indices.exists(index=self._index):
                raise
        await_readable(client, self._index)
