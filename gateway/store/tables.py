"""Tables of documents, over which all stores of the gateway are written: in SQLite, or in Elasticsearch.

A store is one description of its tables and one class whose work is plain functions over `Tables`. SQLite runs each
work in a transaction. Elasticsearch does not: there each call stands alone, documents are read by id as they were last
acknowledged, and a document that was read is replaced only if nobody has changed it since. So the stores are written
for Elasticsearch: what must hold together is one document, and the order of the others matters.
"""

import dataclasses
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Protocol, TypeAlias, TypeVar, get_type_hints

T = TypeVar("T")

AT_ONCE: Final = 500
"""Documents that one step of a deletion deletes; other work runs between two steps (taste)."""


class Type(StrEnum):
    """What a field holds, and its type in Python."""

    TEXT = "TEXT"
    """str."""
    NAMES = "NAMES"
    """tuple of str."""
    COUNT = "COUNT"
    """int."""
    NUMBER = "NUMBER"
    """float; of moments the seconds of time.time."""
    MOMENT = "MOMENT"
    """datetime with a time zone; stored and searched like a NUMBER."""
    FLAG = "FLAG"
    """bool."""
    BYTES = "BYTES"
    """bytes."""


ENTRIES: Final = "entries"
"""In the changes of a document: contents to append to its entries, or None to remove all of them."""

TYPES: Final[Mapping[object, Type]] = {
    str: Type.TEXT,
    tuple[str, ...]: Type.NAMES,
    int: Type.COUNT,
    float: Type.NUMBER,
    datetime: Type.MOMENT,
    bool: Type.FLAG,
    bytes: Type.BYTES,
}
Fields: TypeAlias = Mapping[str, Any]
Change: TypeAlias = Callable[[Fields], Fields | None]
"""Gets a document's fields but those of BYTES; returns those to change, or None to leave the document as it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A kind of documents, each with an id and all of the fields."""

    name: str
    fields: Mapping[str, Type]
    indexes: tuple[tuple[str, ...], ...] = ()
    """The fields that are searched, sorted or added up by, those of one search together."""
    has_entries: bool = False
    """Whether a document has a list of contents that only grows."""

    @property
    def searched(self) -> frozenset[str]:
        """All fields of the indexes."""
        return frozenset(field for index in self.indexes for field in index)

    @property
    def small(self) -> tuple[str, ...]:
        """The fields without those of BYTES."""
        return tuple(name for name, kind in self.fields.items() if kind is not Type.BYTES)


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was read."""

    key: str
    fields: Fields
    """Those that were asked for."""
    version: object = None
    """For the store: which copy was read."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A field has one of these values."""

    field: str
    values: Sequence[str | int | bool]


@dataclass(frozen=True, slots=True)
class Below:
    """A field is less than a number."""

    field: str
    number: float


@dataclass(frozen=True, slots=True)
class Within:
    """The names of a field are all among these; no names match only no names."""

    field: str
    names: Collection[str]


Condition: TypeAlias = OneOf | Below | Within


@dataclass(frozen=True, slots=True)
class Order:
    """How found documents are sorted, and after which values of these fields they begin."""

    fields: tuple[str, ...]
    descending: bool = False
    after: tuple[float | str, ...] | None = None


class Tables(Protocol):
    """Reads and writes documents; all calls block."""

    def get(self, table: Table, key: str, fields: Sequence[str] | None = None) -> Document | None:
        """Return a document with all or some of its fields, or None."""
        return next(iter(self.get_all(table, (key,), fields)), None)

    def get_all(self, table: Table, keys: Collection[str], fields: Sequence[str] | None = None) -> list[Document]:
        """Return those documents of these ids that exist, in the order of the ids."""
        ...

    def entries(self, table: Table, key: str, after: int = 0) -> Sequence[bytes]:
        """Return a document's entries but the first `after` ones; none if there is no such document."""
        ...

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
        """Return documents that match all conditions; without `is_fresh` the latest writes may not be seen."""
        ...

    def total(self, table: Table, conditions: Sequence[Condition], field: str = "") -> int:
        """Return the sum of a field of COUNT over all matching documents; without a field their number."""
        ...

    def put(self, table: Table, documents: Mapping[str, Fields]) -> None:
        """Write documents by id, in place of others of the same ids."""
        ...

    def replace(self, table: Table, key: str, before: Document | None, fields: Fields) -> bool:
        """Write a document without entries in place of the one that was read, or of none; False if it has changed."""
        ...

    def change(
        self, table: Table, key: str, change: Change, known: MutableMapping[str, Any] | None = None
    ) -> Fields | None:
        """Change some fields of a document, again if another write came first.

        Args:
            table: its table.
            key: its id.
            change: see `Change`.
            known: holds the documents that only this process changes as a rule, so that they need not be read again.

        Returns:
            the fields after the change but those of BYTES; None if there is no such document, or it was left as it is.
        """
        ...

    def delete(self, table: Table, keys: Collection[str]) -> None:
        """Delete documents by id; those that are gone are passed over."""
        ...

    def delete_read(self, table: Table, document: Document) -> None:
        """Delete a document, unless it has changed since it was read."""
        ...

    def delete_some(self, table: Table, conditions: Sequence[Condition]) -> bool:
        """Delete up to `AT_ONCE` matching documents; return whether there may be more."""
        ...


class Storage(Protocol):
    """Runs work over tables. All calls raise Unavailable or Overloaded if the storage cannot be used."""

    async def read(self, work: Callable[[Tables], T]) -> T:
        """Run work that writes nothing."""
        ...

    async def write(self, work: Callable[[Tables], T]) -> T:
        """Run work; what it wrote is durable when this returns."""
        ...

    async def shrink(self) -> None:
        """Return the space of what was deleted to the operating system, as far as the storage does not do so itself."""
        ...


def types_of(record: type) -> dict[str, Type]:
    """Return the fields of a dataclass as those of a table."""
    types = get_type_hints(record)
    return {field.name: TYPES[types[field.name]] for field in dataclasses.fields(record)}


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass's value."""
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def record_of(record: type[T], fields: Fields) -> T:
    """Return the value of a dataclass whose fields are among others; those that were not read have their defaults."""
    names = [field.name for field in dataclasses.fields(record)]  # type: ignore[arg-type]  # a dataclass
    return record(**{name: fields[name] for name in names if name in fields})


async def delete_matching(storage: Storage, table: Table, *conditions: Condition) -> None:
    """Delete all documents that match all conditions."""
    while await storage.write(lambda tables: tables.delete_some(table, conditions)):
        pass
