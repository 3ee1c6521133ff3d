"""An index on the server: made, opened, given up, and how far it has followed."""

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
    """The inference endpoint whose tokens it holds; empty for none."""
    last_change: Callable[[], int]
    """Up to which change the corpus goes."""

    def open(self) -> int:
        """Up to which change it has followed; 0 for one that was made just now.

        One of another layout, or that knows more than the corpus (which was restored from a copy), is made anew.
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
        """Up to which change it has followed; 0 for nothing yet, -1 when it is not there."""
        from elasticsearch import NotFoundError

        try:
            found = self.server.ask(lambda client: client.get(index=self.name, id=POSITION))
        except NotFoundError as error:
            return 0 if error.body.get("found") is False else -1
        return int(found["_source"]["sequence"])

    @property
    def written(self) -> str:
        """The name to write by: an alias, so that a write never makes an index that is gone by itself."""
        return f"{self.name}-written"

    def keep_position(self, sequence: int) -> None:
        """Remember up to which change everything has been written."""
        self.server.tell(
            lambda client: client.index(
                index=self.written, id=POSITION, document={"sequence": sequence}, require_alias=True
            )
        )

    def delete(self) -> None:
        """No harm when it is not there."""
        self.server.tell(lambda client: client.indices.delete(index=self.name, ignore_unavailable=True))

    def _make_anew(self) -> None:
        self.delete()
        self.server.tell(self._create)

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
