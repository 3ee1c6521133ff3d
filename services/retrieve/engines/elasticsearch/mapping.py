"""What an index looks like: one for each collection, named after the corpus and the collection's number.

Text comes as the stems that our own analyzer made of it, so that every engine has the same terms whatever modules a
cluster has; the server only cuts them at spaces. Each passage has the embedded engine's filler, too, so that both give
the same scores. Nothing is kept that SQLite has: a hit is a key and a score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.retrieve.engines.lexical import FILLER_TERMS

LAYOUT = "3"
"""Changes whenever an older index cannot be read on."""
FILLER = " _" * FILLER_TERMS
"""No stem is an underscore."""
POSITION = "position"
"""The id of the document that tells up to which change the index has followed."""


@dataclass(frozen=True, slots=True)
class IndexShape:
    """What a new index is made with."""

    prefix: str
    shards: int = 1
    replicas: str = "0-1"

    def name(self, identity: str, row: int) -> str:
        """The index of a collection of a corpus."""
        return f"{self.prefix}-{identity}-{row}"

    def settings(self) -> Mapping[str, Any]:
        """Refreshed when we say so, and safe on disk when a request is answered."""
        return {
            "number_of_shards": self.shards,
            "auto_expand_replicas": self.replicas,
            "refresh_interval": "-1",
            "translog.durability": "request",
            "similarity": {"default": {"type": "BM25", "k1": 1.2, "b": 0.75}},
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


def layout(sparse: str) -> str:
    """Tells indices apart that cannot stand for each other."""
    return f"{LAYOUT}:{sparse}"
