"""The statements that delete from the corpus. Each function blocks, and runs inside its caller's transaction."""

from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.permissions import (
    NOBODY,
    Caller,
    changeable_by,
    collection_not_owned,
    document_not_owned,
    known_to,
)
from services.retrieve.corpus.roots import has_roots_of_others
from services.retrieve.corpus.writing import record_change


def delete_document(connection: Connection, collection: str, document_id: str, caller: Caller = NOBODY) -> bool:
    """Delete a document with everything that belongs to it; False if it does not exist for the caller.

    Raises:
        PermissionDenied: it belongs to others.
    """
    known, changeable = known_to(caller), changeable_by(caller)
    row = connection.execute(
        f"SELECT d.id, d.passages, d.collection, {known.sql}, {changeable.sql} "
        "FROM documents d JOIN collections c ON c.id = d.collection WHERE c.name = ? AND d.document_id = ?",
        (*known.values, *changeable.values, collection, document_id),
    ).fetchone()
    if not row or not row[3]:
        return False
    document_row, passages, collection_row, _, may_change = row
    if not may_change:
        raise document_not_owned()
    connection.execute("DELETE FROM documents WHERE id = ?", (document_row,))
    record_change(connection, collection_row, document_row, -1, -passages)
    return True


def delete_collection(connection: Connection, name: str, caller: Caller = NOBODY) -> bool:
    """Delete a collection with everything in it; False if it does not exist for the caller. `default` is recreated.

    Raises:
        PermissionDenied: it has documents or roots that belong to others.
    """
    row = connection.execute("SELECT id, documents FROM collections WHERE name = ?", (name,)).fetchone()
    if not row:
        return False
    collection_row, documents = row
    known, changeable = known_to(caller), changeable_by(caller)
    known_count, changeable_count = connection.execute(
        f"SELECT coalesce(sum(CASE WHEN {known.sql} THEN 1 ELSE 0 END), 0), "
        f"coalesce(sum(CASE WHEN {changeable.sql} THEN 1 ELSE 0 END), 0) FROM documents d WHERE d.collection = ?",
        (*known.values, *changeable.values, collection_row),
    ).fetchone()
    if documents and not known_count and name != "default":
        return False
    if changeable_count < documents or has_roots_of_others(connection, collection_row, caller):
        raise collection_not_owned()
    connection.execute("DELETE FROM collections WHERE id = ?", (collection_row,))
    if name == "default":
        connection.execute("INSERT INTO collections(name) VALUES ('default')")
    return True
