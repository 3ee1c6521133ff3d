"""Who may see, replace and delete what is stored. What takes a connection blocks; the rest is pure.

A document has readers (the principals that it names; none: everybody) and owners (the principals of who put it first).
Owners replace and delete it, whether they may read it or not. A document without owners was put by a caller without
principals: such callers replace it, and so does everybody who may read it.
"""

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Final

from libs.runtime.errors import PermissionDenied
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.filtering import RESTRICTED, principal_labels

_SEEN: Final = "EXISTS (SELECT 1 FROM labels l WHERE l.document = d.id AND l.label IN ({marks}))"
_OWN: Final = "EXISTS (SELECT 1 FROM owners o WHERE o.document = d.id AND o.principal IN ({marks}))"
_UNOWNED: Final = "NOT EXISTS (SELECT 1 FROM owners o WHERE o.document = d.id)"


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose request it is."""

    principals: tuple[str, ...] = ()
    is_admin: bool = False
    """Whether the caller administers the collection: may replace and delete what belongs to others."""
    is_granted: bool = False
    """Whether the caller has a role in the collection: may add to it even if nothing in it exists for the caller."""

    def shares(self, owners: Sequence[str]) -> bool:
        """Whether something of these owners may be used: by one of them, by an admin, or by everybody without any."""
        return self.is_admin or not owners or not set(owners).isdisjoint(self.principals)


NOBODY: Final = Caller()
"""A caller without principals."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the document `d` of a statement, with its values."""

    sql: str
    values: tuple[str, ...] = ()


EVERYTHING: Final = Condition("TRUE")


def seen_by(principals: Sequence[str]) -> Condition:
    """Whether the principals may read the document."""
    labels = principal_labels(principals)
    return Condition(_SEEN.format(marks=marks(labels)), labels)


def known_to(caller: Caller) -> Condition:
    """Whether the document exists for the caller, who may read it or owns it."""
    if caller.is_admin:
        return EVERYTHING
    seen, own = seen_by(caller.principals), _owned_by(caller)
    return Condition(f"({seen.sql} OR {own.sql})", (*seen.values, *own.values))


def changeable_by(caller: Caller) -> Condition:
    """Whether the caller may replace the document, and delete it if it exists for them."""
    if caller.is_admin:
        return EVERYTHING
    if not caller.principals:
        return Condition(_UNOWNED)
    seen, own = seen_by(caller.principals), _owned_by(caller)
    return Condition(f"({own.sql} OR ({_UNOWNED} AND {seen.sql}))", (*own.values, *seen.values))


def is_known(connection: Connection, name: str, caller: Caller) -> bool:
    """Whether the caller may read or owns a document of a collection."""
    labels = principal_labels(caller.principals)
    row = connection.execute(
        f"SELECT EXISTS (SELECT 1 FROM labels WHERE collection = c.id AND label IN ({marks(labels)})) OR EXISTS "
        "(SELECT 1 FROM owners o JOIN documents d ON d.id = o.document "
        f"WHERE o.principal IN ({marks(caller.principals)}) AND d.collection = c.id) "
        "FROM collections c WHERE c.name = ?",
        (*labels, *caller.principals, name),
    ).fetchone()
    return row is not None and bool(row[0])


def require_addable(connection: Connection, name: str, caller: Caller) -> None:
    """Return if the caller may add to a collection with documents: has a role, knows one or, as nobody, replaces one.

    Raises:
        PermissionDenied: everything in it belongs to others: it is theirs, its name, too.
    """
    if caller.is_admin or caller.is_granted or is_known(connection, name, caller):
        return
    unowned = f"SELECT 1 FROM documents d JOIN collections c ON c.id = d.collection WHERE c.name = ? AND {_UNOWNED}"
    if caller.principals or not connection.execute(f"{unowned} LIMIT 1", (name,)).fetchone():
        raise collection_not_owned()


@dataclass(frozen=True, slots=True)
class Hidden:
    """How much of a collection does not exist for a caller."""

    documents: int = 0
    passages: int = 0
    without_vectors: int = 0
    """Passages whose vectors are still to be made."""


def hidden_from(connection: Connection, caller: Caller) -> dict[str, Hidden]:
    """What does not exist for a caller, by collection; those that the caller knows as a whole are left out."""
    known = known_to(caller)
    rows = connection.execute(
        "SELECT c.name, count(*), sum(d.passages), coalesce(sum(w.passages), 0) FROM labels r "
        "JOIN documents d ON d.id = r.document LEFT JOIN waiting w ON w.document = d.id "
        "JOIN collections c ON c.id = r.collection WHERE r.collection IN (SELECT id FROM collections) "  # for the index
        f"AND r.label = ? AND NOT {known.sql} GROUP BY c.name",
        (RESTRICTED, *known.values),
    )
    return {name: Hidden(*map(int, counts)) for name, *counts in rows}


def document_not_owned() -> PermissionDenied:
    """The error of who replaces or deletes a document of others; it does not say whether they may read it."""
    return PermissionDenied("DOCUMENT_NOT_OWNED", "The document belongs to other principals: choose another id.")


def collection_not_owned() -> PermissionDenied:
    """The error of who deletes a collection with documents or roots of others, or adds to one that is all theirs."""
    message = "It belongs to other principals: choose another name, or delete what is yours one by one."
    return PermissionDenied("COLLECTION_NOT_OWNED", message)


def marks(values: Sized) -> str:
    """A placeholder for each value, separated by commas."""
    return ",".join("?" * len(values))


def _owned_by(caller: Caller) -> Condition:
    return Condition(_OWN.format(marks=marks(caller.principals)), caller.principals)
