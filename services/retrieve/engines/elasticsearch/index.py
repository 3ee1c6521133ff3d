"""An index on the server: creating, opening and deleting it, and its position in the change feed. Blocks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from libs.elastic.server import ElasticsearchServer
from services.retrieve.engines.embedded.lexical import FILLER_TERMS

LAYOUT = "5"
"""Change it whenever an older index becomes unreadable."""
FILLER = " _" * FILLER_TERMS
"""No stem is an underscore."""
POSITION = "position"
"""The id of the document that stores the last change that the index has applied."""


@dataclass(frozen=True, slots=True)
class IndexShape:
    """Parameters of a new index; a copy as soon as there is a second node (taste)."""

    prefix: str
    shards: int = 1
    replicas: str = "0-1"

    def name(self, identity: str, row: int) -> str:
        """The name of the index of a corpus collection."""
        return f"{self.prefix}-{identity}-{row}"

    def settings(self) -> Mapping[str, Any]:
        """Refreshed only on request, and on disk when a request is answered."""
        return {
            "number_of_shards": self.shards,
            "auto_expand_replicas": self.replicas,
            "refresh_interval": "-1",
            "translog.durability": "request",
            "similarity": {"default": {"type": "BM25", "k1": 1.2, "b": 0.75}},  # its defaults
        }

    def mappings(self, sparse: str) -> Mapping[str, Any]:
        """`sparse` names the inference endpoint of the learned sparse vectors; empty for none."""
        fields: dict[str, Any] = {
            "body": {"type": "text", "analyzer": "whitespace", "index_options": "freqs"},
            "labels": {"type": "keyword", "doc_values": False},
            "key": {"type": "long"},
            "document": {"type": "long"},
            "first_second": {"type": "long"},
            "last_second": {"type": "long"},
            "sequence": {"type": "long", "index": False, "doc_values": False},
        }
        if sparse:
            fields["sparse"] = {"type": "sparse_vector"}
        return {
            "dynamic": "strict",
            "_meta": {"layout": layout(sparse)},
            "_source": {"includes": ["sequence"]},
            "properties": fields,
        }


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
        if self._layout() != layout(self.sparse) or (position := self.position()) > self.last_change():
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
        settings, mappings = self.shape.settings(), self.shape.mappings(self.sparse)
        self.server.ask_patiently(
            lambda client: client.indices.create(
                index=self.name, settings=settings, mappings=mappings, aliases={self.written: {}}
            )
        )

    def _layout(self) -> str:
        from elasticsearch import NotFoundError

        try:
            answer: Any = self.server.ask(lambda client: client.indices.get_mapping(index=self.name))
        except NotFoundError:
            return ""
        return str(answer[self.name]["mappings"].get("_meta", {}).get("layout", ""))


def layout(sparse: str) -> str:
    """Distinguishes incompatible indices."""
    return f"{LAYOUT}:{sparse}"
