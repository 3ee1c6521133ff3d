"""Roots: the folders and files that a collection was filled from, and the id prefixes of their files.

No two roots share a prefix, so no two files share an id. A path inside a root belongs to it, whatever name is given.
Each function runs inside its caller's transaction.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from libs.runtime.errors import InvalidInput
from services.retrieve.corpus.database import Connection
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


def place_roots(connection: Connection, collection: str, requests: Sequence[RootRequest]) -> RootPlacement:
    """Find or create the root of each folder and file; creates the collection if needed.

    Raises:
        InvalidInput: a name was given to a path inside a root of another name, or given twice.
    """
    _refuse_twice(requests)
    row = row_of_collection(connection, collection)
    placements = tuple(_place(connection, row, root, f"roots[{place}]") for place, root in enumerate(requests))
    return RootPlacement(placements, tuple(_all(connection, row)))


def _refuse_twice(requests: Sequence[RootRequest]) -> None:
    names = [root.name if root.named else None for root in requests]
    for place, name in enumerate(names):
        if name is not None and name in names[:place]:
            raise InvalidInput(f"roots[{place}].name", "The name was given to two folders.")


def _place(connection: Connection, row: int, request: RootRequest, field: str) -> PlacedRoot:
    location = PurePosixPath(request.location)
    enclosing = _deepest(connection, row, location)
    if enclosing is None:
        return _add(connection, row, request, str(location))
    if request.named and enclosing.prefix != request.name:
        description = f"The folder lies in the root {enclosing.prefix!r}, whose ids its files have: leave the name out."
        raise InvalidInput(f"{field}.name", description)
    return PlacedRoot(enclosing)


def _deepest(connection: Connection, row: int, location: PurePosixPath) -> Root | None:
    """The root at a location, or the nearest one above it."""
    places = [str(location), *map(str, location.parents)]
    root_row = connection.execute(
        f"SELECT prefix, location FROM roots WHERE collection = ? AND location IN ({','.join('?' * len(places))}) "
        "ORDER BY length(location) DESC LIMIT 1",
        (row, *places),
    ).fetchone()
    return Root(*root_row) if root_row else None


def _add(connection: Connection, row: int, request: RootRequest, location: str) -> PlacedRoot:
    root = Root(request.name if request.named else _free_prefix(connection, row, request.name), location)
    is_moved = _is_root(connection, row, root.prefix)
    connection.execute("DELETE FROM roots WHERE collection = ? AND (prefix = ? OR location = ?)", (row, *_of(root)))
    connection.execute("INSERT INTO roots(collection, prefix, location) VALUES (?, ?, ?)", (row, *_of(root)))
    return PlacedRoot(root, not is_moved, not is_moved and _has_documents(connection, row, root.prefix))


def _of(root: Root) -> tuple[str, str]:
    return root.prefix, root.location


def _free_prefix(connection: Connection, row: int, name: str) -> str:
    """The name; with a number if another root has it. Prefixes that existing ids begin with are skipped."""
    if not _is_root(connection, row, name):
        return name
    prefixes = (f"{name}~{number}" for number in itertools.count(2))
    return next(
        prefix
        for prefix in prefixes
        if not _is_root(connection, row, prefix) and not _has_documents(connection, row, prefix)
    )


def _is_root(connection: Connection, row: int, prefix: str) -> bool:
    rows = connection.execute("SELECT 1 FROM roots WHERE collection = ? AND prefix = ?", (row, prefix))
    return rows.fetchone() is not None


def _has_documents(connection: Connection, row: int, prefix: str) -> bool:
    """Whether there are documents with this id prefix."""
    rows = connection.execute(
        "SELECT 1 FROM documents WHERE collection = ? AND (document_id = ? OR document_id >= ? AND document_id < ?) "
        "LIMIT 1",
        (row, prefix, f"{prefix}/", f"{prefix}{AFTER_SLASH}"),
    )
    return rows.fetchone() is not None


def _all(connection: Connection, row: int) -> Iterator[Root]:
    rows = connection.execute("SELECT prefix, location FROM roots WHERE collection = ? ORDER BY prefix", (row,))
    return (Root(*fields) for fields in rows.fetchall())
