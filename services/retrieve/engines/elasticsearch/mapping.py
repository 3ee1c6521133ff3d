"""The layout of an index: one for each collection, named after the corpus and the collection's number.

Text is indexed as the stems from our own analyzer, so that every engine has the same terms whatever modules a cluster
has; the server only splits them at spaces. Each passage also has the embedded engine's filler, so that both give the
same scores. Nothing that SQLite has is stored: a hit is a key and a score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.retrieve.engines.lexical import FILLER_TERMS

LAYOUT = "3"
"""Change it whenever an older index becomes unreadable."""
FILLER = " _" * FILLER_TERMS
"""No stem is an underscore."""
POSITION = "position"
"""The id of the document that stores the last change that the index has applied."""


@dataclass(frozen=True, slots=True)
class IndexShape:
    """Parameters of a new index."""

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
    """Distinguishes incompatible indices."""
    return f"{LAYOUT}:{sparse}"
