"""Roots: the folders and files that a collection was filled from, and the id prefixes of their files.

No two roots share a prefix, so no two files share an id. A path inside a root belongs to it, whatever name is given.
A root belongs to who placed it; for others it does not exist, except that its prefix is taken.
Each function blocks, and runs inside its caller's transaction.
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from libs.runtime.errors import InvalidInput, PermissionDenied
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.permissions import EVERYTHING, NOBODY, Caller, Condition, known_to
from services.retrieve.corpus.writing import row_of_collection

AFTER_SLASH: Final = "0"
"""The character after "/": ids that begin with `docs/` sort before `docs0`."""


@dataclass(frozen=True, slots=True)
class RootRequest:
    """A folder or file that is about to be ingested."""

    location: str
    """Its resolved path, separated by "/"."""
    name: str
    """The wanted prefix of its ids, without "/"."""
    named: bool = False
    """Whether a user chose this name, which then applies wherever the folder is."""


@dataclass(frozen=True, slots=True)
class Root:
    """A folder or file whose files have an id prefix of their own in a collection."""

    prefix: str
    location: str


@dataclass(frozen=True, slots=True)
class PlacedRoot:
    """The root of a folder or file."""

    root: Root
    """Itself, or the deepest root that contains it."""
    added: bool = False
    adopted: bool = False
    """The root is new, but documents with its id prefix existed before it."""


@dataclass(frozen=True, slots=True)
class RootPlacement:
    """The root of each wanted folder or file, in order, and all roots of the collection, by prefix."""

    placed: tuple[PlacedRoot, ...]
    roots: tuple[Root, ...]


def place_roots(
    connection: Connection, collection: str, requests: Sequence[RootRequest], caller: Caller = NOBODY
) -> RootPlacement:
    """Find or create the root of each folder and file; creates the collection if needed.

    Raises:
        InvalidInput: a name was given to a path inside a root of another name, or given twice.
        PermissionDenied: the root with a given name, or all of the collection, belongs to others.
    """
    for place, root in enumerate(requests):
        if root.named and any(other.named and other.name == root.name for other in requests[:place]):
            description = f"Two folders are named {root.name!r}: give each a name of its own, or leave the names out."
            raise InvalidInput(f"roots[{place}].name", description)
    table = _RootTable(connection, row_of_collection(connection, collection, caller), caller)
    placements = tuple(_place(table, root, f"roots[{place}]") for place, root in enumerate(requests))
    return RootPlacement(placements, tuple(table.own()))


def has_roots_of_others(connection: Connection, collection_row: int, caller: Caller) -> bool:
    """Whether a collection has roots that do not exist for the caller."""
    rows = connection.execute("SELECT owners FROM roots WHERE collection = ?", (collection_row,))
    return not all(caller.shares(json.loads(owners)) for (owners,) in rows)


def _place(table: "_RootTable", request: RootRequest, field: str) -> PlacedRoot:
    location = PurePosixPath(request.location)
    places = {str(location), *map(str, location.parents)}
    enclosing = [root for root in table.own() if root.location in places]
    if not enclosing:
        return _add(table, request, str(location))
    deepest = max(enclosing, key=lambda root: len(root.location))
    if request.named and deepest.prefix != request.name:
        description = f"The folder lies in the root {deepest.prefix!r}, whose ids its files have: leave the name out."
        raise InvalidInput(f"{field}.name", description)
    return PlacedRoot(deepest)


def _add(table: "_RootTable", request: RootRequest, location: str) -> PlacedRoot:
    root = Root(request.name if request.named else _free_prefix(table, request.name), location)
    owners = table.owners(root.prefix)
    if owners is not None and not table.caller.shares(owners):
        raise PermissionDenied("ROOT_NOT_OWNED", "The root belongs to other principals: choose another name.")
    table.put(root, owners or table.caller.principals)
    is_new = owners is None
    return PlacedRoot(root, is_new, is_new and table.has_documents(root.prefix, known_to(table.caller)))


def _free_prefix(table: "_RootTable", name: str) -> str:
    """The name; for the second root of it with `~2`, and so on. Prefixes that existing ids begin with are skipped."""
    if table.owners(name) is None:
        return name
    prefixes = (f"{name}~{number}" for number in itertools.count(2))
    return next(prefix for prefix in prefixes if table.owners(prefix) is None and not table.has_documents(prefix))


class _RootTable:
    """The roots of a collection."""

    def __init__(self, connection: Connection, collection_row: int, caller: Caller) -> None:
        self._connection = connection
        self._row = collection_row
        self.caller = caller
        rows = connection.execute("SELECT prefix, location, owners FROM roots WHERE collection = ?", (self._row,))
        self._roots = {prefix: (location, tuple(json.loads(owners))) for prefix, location, owners in rows.fetchall()}

    def own(self) -> Iterator[Root]:
        """The roots that exist for the caller, by prefix."""
        for prefix, (location, owners) in sorted(self._roots.items()):
            if self.caller.shares(owners):
                yield Root(prefix, location)

    def owners(self, prefix: str) -> tuple[str, ...] | None:
        """Whom the root with a prefix belongs to, maybe nobody; None if there is no such root."""
        return self._roots[prefix][1] if prefix in self._roots else None

    def put(self, root: Root, owners: Sequence[str]) -> None:
        """Store a root, in place of an earlier one with its prefix."""
        self._roots[root.prefix] = root.location, tuple(owners)
        self._connection.execute("DELETE FROM roots WHERE collection = ? AND prefix = ?", (self._row, root.prefix))
        self._connection.execute(
            "INSERT INTO roots(collection, prefix, location, owners) VALUES (?, ?, ?, ?)",
            (self._row, root.prefix, root.location, json.dumps(owners)),
        )

    def has_documents(self, prefix: str, condition: Condition = EVERYTHING) -> bool:
        """Whether there are documents with this id prefix that meet a condition."""
        rows = self._connection.execute(
            "SELECT 1 FROM documents d WHERE d.collection = ? "
            f"AND (d.document_id = ? OR d.document_id >= ? AND d.document_id < ?) AND {condition.sql} LIMIT 1",
            (self._row, prefix, f"{prefix}/", f"{prefix}{AFTER_SLASH}", *condition.values),
        )
        return rows.fetchone() is not None
