"""The layout of a corpus collection in Milvus: names, fields, rows and filter expressions. Pure functions.

A row is a window (stretch) of a passage. Labels are digests of 128 bits: no user input ever appears in an expression, a
label may have any length, and no label can pass for another one.

One extra row, whose key no window has, stores the last change that the collection has applied. It is written after the
rows that it describes and is stored with them, so it never exists without them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.documents import Vectors
from services.retrieve.corpus.feed import Marks, VectorBatch
from services.retrieve.corpus.filtering import UNDATED, Admission

Row = dict[str, Any]

LAYOUT = 2  # change it whenever an older collection becomes unreadable
METRIC = "IP"
"""Inner product, which is the cosine because all vectors are of length 1."""
MAX_HITS = 16_384  # the limit of Milvus for one search
STATE_KEY = -1
_MAX_LABELS = 1024
"""Labels of a document, twice what it can need: the API contract allows 256 principals and 256 metadata pairs."""
_NEVER = (2**63 - 1, -(2**63))
"""First and last second of a document without a date: no range overlaps it, not even an open one."""
_LINKS, _BUILD_EFFORT = 32, 200
_MIN_SEARCH_EFFORT, _SEARCH_EFFORT = 64, 1.4
"""faiss's graphs of these figures, built with an effort of 80, find .997 of the true ten best."""


def collection_name(prefix: str, corpus: str, row: int) -> str:
    """The name of a corpus collection in Milvus."""
    return f"{prefix}_{LAYOUT}_{corpus}_{row}"


def row_of_name(name: str, prefix: str, corpus: str) -> int | None:
    """The row number of the corpus collection with a name, -1 in another layout; None for other collections."""
    match = re.fullmatch(rf"{re.escape(prefix)}_(\d+)_{re.escape(corpus)}_(\d+)", name)
    if match is None:
        return None
    return int(match[2]) if int(match[1]) == LAYOUT else -1


def schema(width: int) -> Any:
    """The fields of a row."""
    from pymilvus import DataType, MilvusClient

    fields = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    fields.add_field("key", DataType.INT64, is_primary=True)
    fields.add_field("document", DataType.INT64)
    fields.add_field(
        "labels", DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=_MAX_LABELS, max_length=_DIGITS
    )
    fields.add_field("first_second", DataType.INT64)
    fields.add_field("last_second", DataType.INT64)
    fields.add_field("vector", DataType.FLOAT_VECTOR, dim=width)
    return fields


def missing_indexes(kind: str, present: Sequence[str], *, arrays: bool) -> Any:
    """The vector index and the filter indexes that do not exist yet; None if all exist.

    Args:
        kind: type of the vector index: HNSW, AUTOINDEX or FLAT.
        present: the fields that have an index.
        arrays: whether the server can index arrays; Milvus Lite cannot.
    """
    from pymilvus import MilvusClient

    indexes = MilvusClient.prepare_index_params()
    links = {"M": _LINKS, "efConstruction": _BUILD_EFFORT} if kind == "HNSW" else {}
    if "vector" not in present:
        indexes.add_index("vector", index_name="vector", index_type=kind, metric_type=METRIC, params=links)
    fields = ("document", "first_second", "last_second", *(["labels"] if arrays else []))
    for field in fields:
        if field not in present:
            indexes.add_index(field, index_name=field, index_type="INVERTED")
    return indexes if len(indexes) else None


def search_parameters(kind: str, limit: int) -> dict[str, Any]:
    """Search parameters of an index for this many hits."""
    effort = max(_MIN_SEARCH_EFFORT, int(_SEARCH_EFFORT * limit))
    return {"metric_type": METRIC, "params": {"ef": effort} if kind == "HNSW" else {}}


def digest(label: str) -> str:
    """The stored form of a label: 32 hexadecimal digits."""
    return blake2b(label.encode(), digest_size=_DIGITS // 2).hexdigest()


_DIGITS = 32  # of a label's hash: 128 bits


def admitted(admission: Admission) -> str:
    """The expression for rows whose document meets an admission's conditions."""
    conditions = [_any_label(labels) for labels in admission.labels]
    if admission.seconds is not None:
        dated = f"(first_second <= {admission.seconds.last} and last_second >= {admission.seconds.first})"
        conditions.append(f"({dated} or {_any_label([UNDATED])})" if admission.undated else dated)
    return " and ".join(conditions)


def outdated(documents: Sequence[int], keys: Sequence[int]) -> str:
    """The expression for all rows of some documents except these."""
    of_documents = f"document in {list(documents)}"
    return f"{of_documents} and key not in {list(keys)}" if keys else of_documents


def passage_rows(batch: VectorBatch, positions: NDArray[np.int64], marks: Mapping[int, Marks]) -> Iterator[Row]:
    """The rows at these positions of a batch; those whose document was deleted are left out."""
    for position in positions.tolist():
        owner = int(batch.owners[position])
        if owner in marks:
            yield _row(int(batch.keys[position]), owner, marks[owner], batch.vectors[position])


def state_row(sequence: int, width: int) -> Row:
    """The row that stores the last applied change. Its label is not a digest, so no filter admits it."""
    nowhere = np.zeros(width, np.float32)
    first, last = _NEVER
    return {
        **{"key": STATE_KEY, "document": STATE_KEY, "labels": [str(sequence)]},
        **{"first_second": first, "last_second": last, "vector": nowhere},
    }


def sequence_of(rows: Sequence[Row]) -> int:
    """The sequence number in the state row; 0 without one."""
    return int(rows[0]["labels"][0]) if rows else 0


def _row(key: int, document: int, marks: Marks, vector: Vectors) -> Row:
    dated = marks.first_second is not None and marks.last_second is not None
    first, last = (marks.first_second, marks.last_second) if dated else _NEVER
    return {
        **{"key": key, "document": document, "labels": sorted(map(digest, marks.labels))},
        **{"first_second": first, "last_second": last, "vector": vector.astype(np.float32)},
    }


def _any_label(labels: Iterable[str]) -> str:
    digests = ", ".join(f'"{hex_digest}"' for hex_digest in sorted(map(digest, labels)))
    return f"array_contains_any(labels, [{digests}])"
