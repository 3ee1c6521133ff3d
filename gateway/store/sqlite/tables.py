"""Tables of documents in a SQLite file: a row a document, a column a field, a row an entry."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from gateway.store.tables import (
    AT_ONCE,
    ENTRIES,
    Below,
    Change,
    Condition,
    Document,
    Fields,
    OneOf,
    Order,
    Table,
    Tables,
    Type,
)

COLUMNS: Final = {
    Type.TEXT: "TEXT",
    Type.NAMES: "TEXT",
    Type.COUNT: "INTEGER",
    Type.NUMBER: "REAL",
    Type.MOMENT: "REAL",
    Type.FLAG: "INTEGER",
    Type.BYTES: "BLOB",
}
WITHIN: Final = """{field} IN (
    WITH RECURSIVE lists(list) AS (
        SELECT min({field}) FROM {table}
        UNION ALL SELECT (SELECT min({field}) FROM {table} WHERE {field} > list) FROM lists WHERE list NOT NULL
    )
    SELECT list FROM lists WHERE list != '[]' AND NOT EXISTS (
        SELECT 1 FROM json_each(list) WHERE value NOT IN (SELECT value FROM json_each(?))
    )
)"""
"""Looks at each list of names once, however many documents have it."""


class SqliteTables(Tables):
    """The Tables of an open file. Calls block and raise sqlite3.Error; the file's thread makes them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get_all(self, table: Table, keys: Collection[str], fields: Sequence[str] | None = None) -> list[Document]:
        """Return those documents of these ids that exist, in their order."""
        found = {each.key: each for each in self._select(table, fields, *_where(table, (OneOf("id", [*keys]),)))}
        return [found[key] for key in dict.fromkeys(keys) if key in found]

    def entries(self, table: Table, key: str, after: int = 0) -> Sequence[bytes]:
        """Return a document's entries but the first `after` ones."""
        statement = f"SELECT content FROM {table.name}_entries WHERE id = ? AND position > ? ORDER BY position"
        return [content for (content,) in self._connection.execute(statement, (key, after))]

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
        """Return documents that match all conditions; what was committed is seen in any case."""
        where, values = _where(table, conditions)
        if order is not None:
            direction = " DESC" if order.descending else ""
            if order.after is not None:
                sign, marks = "<" if order.descending else ">", _marks(order.fields)
                where += f" AND ({', '.join(order.fields)}) {sign} ({marks})"
                values += order.after
            where += f" ORDER BY {', '.join(f'{field}{direction}' for field in order.fields)}"
        return list(self._select(table, fields, f"{where} LIMIT ?", (*values, limit)))

    def total(self, table: Table, conditions: Sequence[Condition], field: str = "") -> int:
        """Return the sum of a field over all matching documents; without a field their number."""
        where, values = _where(table, conditions)
        what = f"coalesce(sum({field}), 0)" if field else "count(*)"
        return int(self._connection.execute(f"SELECT {what} FROM {table.name} WHERE {where}", values).fetchone()[0])

    def put(self, table: Table, documents: Mapping[str, Fields]) -> None:
        """Write documents by id, in place of others."""
        columns = ", ".join(f"{name} = excluded.{name}" for name in table.fields)
        self._insert(table, documents, f"UPDATE SET {columns}")

    def replace(self, table: Table, key: str, before: Document | None, fields: Fields) -> bool:
        """Write a document in place of the one that was read, or of none; nobody else changes it in the transaction."""
        if before is not None:
            self.delete(table, (key,))
        return self._insert(table, {key: fields}, "NOTHING") == 1

    def change(
        self, table: Table, key: str, change: Change, known: MutableMapping[str, Any] | None = None
    ) -> Fields | None:
        """Change some fields of a document, and return its fields; `known` is of no use here."""
        document = self.get(table, key, table.small)
        changes = None if document is None else change(document.fields)
        if document is None or changes is None:
            return None
        fields = {name: value for name, value in changes.items() if name != ENTRIES}
        columns = ", ".join(f"{name} = ?" for name in fields)
        values = (*map(_stored, fields.values()), key)
        self._connection.execute(f"UPDATE {table.name} SET {columns} WHERE id = ?", values)
        if ENTRIES in changes:
            self._append(table, key, changes[ENTRIES])
        return {**document.fields, **fields}

    def _append(self, table: Table, key: str, contents: Iterable[bytes] | None) -> None:
        """Append contents to the entries of a document, or remove all."""
        name = f"{table.name}_entries"
        if contents is None:
            self._connection.execute(f"DELETE FROM {name} WHERE id = ?", (key,))
            return
        latest = f"SELECT position FROM {name} WHERE id = ?1 ORDER BY position DESC LIMIT 1"
        statement = f"INSERT INTO {name} VALUES (?1, coalesce(({latest}), 0) + 1, ?2)"
        self._connection.executemany(statement, [(key, content) for content in contents])

    def delete(self, table: Table, keys: Collection[str]) -> None:
        """Delete documents by id; those that are gone are passed over."""
        self._connection.executemany(f"DELETE FROM {table.name} WHERE id = ?", [(key,) for key in keys])

    def delete_read(self, table: Table, document: Document) -> None:
        """Delete a document that was read; within the transaction nobody else changes it."""
        self.delete(table, (document.key,))

    def delete_some(self, table: Table, conditions: Sequence[Condition]) -> bool:
        """Delete up to `AT_ONCE` matching documents; return whether there may be more."""
        where, values = _where(table, conditions)
        some = f"SELECT id FROM {table.name} WHERE {where} LIMIT {AT_ONCE}"
        return self._connection.execute(f"DELETE FROM {table.name} WHERE id IN ({some})", values).rowcount == AT_ONCE

    def _select(
        self, table: Table, fields: Sequence[str] | None, where: str, values: Sequence[object]
    ) -> Iterator[Document]:
        names = tuple(table.fields if fields is None else fields)
        columns = ", ".join(("id", *names))
        for key, *row in self._connection.execute(f"SELECT {columns} FROM {table.name} WHERE {where}", values):
            pairs = zip(names, row, strict=True)
            yield Document(key, {name: _read(table.fields[name], value) for name, value in pairs})

    def _insert(self, table: Table, documents: Mapping[str, Fields], if_it_exists: str) -> int:
        """Return the number of rows that were written; a row that exists keeps its place."""
        columns = ", ".join(("id", *table.fields))
        rows = [(key, *(_stored(fields[name]) for name in table.fields)) for key, fields in documents.items()]
        statement = f"INSERT INTO {table.name} ({columns}) VALUES ({_marks(('id', *table.fields))})"
        return self._connection.executemany(f"{statement} ON CONFLICT (id) DO {if_it_exists}", rows).rowcount


def create_tables(connection: sqlite3.Connection, tables: Iterable[Table]) -> None:
    """Create tables in a new file."""
    for table in tables:
        large_last = sorted(table.fields.items(), key=lambda field: field[1] is Type.BYTES)
        columns = "".join(f", {name} {COLUMNS[kind]} NOT NULL" for name, kind in large_last)
        connection.execute(f"CREATE TABLE {table.name} (id TEXT PRIMARY KEY{columns})")
        for index in table.indexes:
            name = "_by_".join((table.name, "_".join(index)))
            connection.execute(f"CREATE INDEX {name} ON {table.name} ({', '.join(index)})")
        if table.has_entries:
            connection.execute(
                f"CREATE TABLE {table.name}_entries ("
                f"id TEXT NOT NULL REFERENCES {table.name} ON DELETE CASCADE, position INTEGER NOT NULL, "
                "content BLOB NOT NULL, PRIMARY KEY (id, position)) WITHOUT ROWID"
            )


def _where(table: Table, conditions: Sequence[Condition]) -> tuple[str, tuple[object, ...]]:
    """Return the conditions as an expression, with its values."""
    parts, values = ["1"], list[object]()
    for condition in conditions:
        field = condition.field
        if isinstance(condition, OneOf):
            parts.append(f"{field} IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(condition.values))
        elif isinstance(condition, Below):
            parts.append(f"{field} < ?")
            values.append(condition.number)
        elif condition.names:
            parts.append(WITHIN.format(field=field, table=table.name))
            values.append(_stored(tuple(condition.names)))
        else:
            parts.append(f"{field} = '[]'")
    return " AND ".join(parts), tuple(values)


def _stored(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.timestamp()
    return json.dumps(value) if isinstance(value, tuple) else value


def _read(kind: Type, value: Any) -> Any:
    if kind is Type.NAMES:
        return tuple(json.loads(value))
    if kind is Type.MOMENT:
        return datetime.fromtimestamp(value, UTC)
    return bool(value) if kind is Type.FLAG else value


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
