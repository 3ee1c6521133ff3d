"""Documents of Elasticsearch: the mapping of a table, and fields as they are sent and read.

Pure functions. Contents are in base64. A searched field of names has one with their number, which `terms_set` needs.
"""

import base64
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from gateway.store.tables import ENTRIES, Below, Condition, Fields, OneOf, Table, Type

Source = Mapping[str, Any]

MAPPED: Final = {
    Type.TEXT: "keyword",
    Type.NAMES: "keyword",
    Type.COUNT: "long",
    Type.NUMBER: "double",
    Type.MOMENT: "double",
    Type.FLAG: "boolean",
    Type.BYTES: "binary",
}


def mapping_of(table: Table) -> dict[str, Any]:
    """Return the strict mapping of a table's index; what is not searched is not indexed."""
    searched = table.searched
    fields: dict[str, Any] = {name: _field(kind, name in searched) for name, kind in table.fields.items()}
    counted = {_count(name): {"type": "integer"} for name in searched if table.fields[name] is Type.NAMES}
    entries = {ENTRIES: {"type": "binary"}} if table.has_entries else {}
    return {"dynamic": "strict", "properties": fields | counted | entries}


def source_of(table: Table, fields: Fields) -> dict[str, Any]:
    """Return fields as they are sent."""
    source = {name: _sent(table.fields[name], value) for name, value in fields.items()}
    searched = [name for name in fields if table.fields[name] is Type.NAMES and name in table.searched]
    return source | {_count(name): len(set(fields[name])) for name in searched}


def fields_of(table: Table, source: Source, names: Sequence[str]) -> Fields:
    """Return some fields of a document that was read."""
    return {name: _read(table.fields[name], source[name]) for name in names}


def changed(table: Table, source: Source, changes: Fields) -> dict[str, Any]:
    """Return a document with changes, as it is sent."""
    changed = {**source, **source_of(table, {name: value for name, value in changes.items() if name != ENTRIES})}
    if ENTRIES in changes:
        added = changes[ENTRIES]
        changed[ENTRIES] = [] if added is None else [*source.get(ENTRIES, ()), *map(text_of, added)]
    return changed


def query_of(conditions: Sequence[Condition]) -> dict[str, Any]:
    """Return the query for the documents that match all conditions."""
    return {"bool": {"filter": [clause for condition in conditions for clause in _clauses(condition)]}}


def text_of(content: bytes) -> str:
    """Return a content as it is sent."""
    return base64.b64encode(content).decode()


def bytes_of(text: str) -> bytes:
    """The inverse of `text_of`."""
    return base64.b64decode(text)


def _sent(kind: Type, value: Any) -> Any:
    if kind is Type.MOMENT:
        return value.timestamp()
    return text_of(value) if kind is Type.BYTES else value


def _read(kind: Type, value: Any) -> Any:
    if kind is Type.MOMENT:
        return datetime.fromtimestamp(value, UTC)
    return bytes_of(value) if kind is Type.BYTES else tuple(value) if kind is Type.NAMES else value


def _field(kind: Type, is_searched: bool) -> Source:
    unsearched = {} if is_searched or kind is Type.BYTES else {"index": False, "doc_values": False}
    return {"type": MAPPED[kind], **unsearched}


def _count(name: str) -> str:
    """Return the field that holds how many names a field has."""
    return f"{name}_count"


def _clauses(condition: Condition) -> list[Source]:
    field = condition.field
    if isinstance(condition, OneOf):
        return [{"terms": {field: list(condition.values)}}]
    if isinstance(condition, Below):
        return [{"range": {field: {"lt": condition.number}}}]
    if not condition.names:
        return [{"term": {_count(field): 0}}]
    terms = {"terms": list(condition.names), "minimum_should_match_field": _count(field)}
    return [{"terms_set": {field: terms}}, {"range": {_count(field): {"gt": 0}}}]
