"""An index on the server: creating, opening and deleting it, and its position in the change feed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from libs.elastic.server import ElasticsearchServer
from services.retrieve.engines.elasticsearch.mapping import POSITION, IndexShape, layout

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


@dataclass(frozen=True, slots=True)
class ServerIndex:
    """A collection's index. Every call may raise Unavailable."""

    server: ElasticsearchServer
    name: str
    shape: IndexShape
    sparse: str
    """The inference endpoint whose tokens it stores; empty for none."""
    last_change: Callable[[], int]
    """Returns the last change of the corpus."""

    def open(self) -> int:
        """Open the index and return the last applied change; 0 if it was just created.

        An index of another layout, or one that is ahead of the corpus (which was restored from a backup), is recreated.
        """
        if self._layout() != layout(self.sparse):
            self._make_anew()
            return 0
        position = self.position()
        if position > self.last_change():
            self._make_anew()
            return 0
        return max(position, 0)

    def position(self) -> int:
        """The last applied change; 0 for none yet, -1 if the index does not exist."""
        from elasticsearch import NotFoundError

        try:
            document = self.server.ask(lambda client: client.get(index=self.name, id=POSITION))
        except NotFoundError as error:
            return 0 if error.body.get("found") is False else -1
        return int(document["_source"]["sequence"])

    @property
    def written(self) -> str:
        """The name for writes: an alias, so that a write never implicitly creates a deleted index."""
        return f"{self.name}-written"

    def keep_position(self, sequence: int) -> None:
        """Store the last change that was written completely."""
        self.server.ask_patiently(
            lambda client: client.index(
                index=self.written, id=POSITION, document={"sequence": sequence}, require_alias=True
            )
        )

    def delete(self) -> None:
        """Delete the index; harmless if it does not exist."""
        self.server.ask_patiently(lambda client: client.indices.delete(index=self.name, ignore_unavailable=True))

    def _make_anew(self) -> None:
        self.delete()
        self.server.ask_patiently(self._create)

    def _create(self, client: "Elasticsearch") -> None:
        client.indices.create(
            index=self.name,
            settings=self.shape.settings(),
            mappings=self.shape.mappings(self.sparse),
            aliases={self.written: {}},
        )

    def _layout(self) -> str:
        from elasticsearch import NotFoundError

        try:
            answer: Any = self.server.ask(lambda client: client.indices.get_mapping(index=self.name))
        except NotFoundError:
            return ""
        return str(answer[self.name]["mappings"].get("_meta", {}).get("layout", ""))
