"""Where passages are stored, by their ids or their row numbers. Each statement runs on a connection of its thread."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.permissions import marks, seen_by


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """Where a passage is stored: its row number and that of its document."""

    key: int
    document: int


def places_of_passages(
    connection: Connection, collection: str, passage_ids: Sequence[str], principals: Sequence[str]
) -> dict[str, PassagePlace]:
    """The places of passages that the principals may see, by their ids."""
    seen = seen_by(principals)
    rows = connection.execute(
        "SELECT p.passage_id, p.id, p.document FROM passages p JOIN documents d ON d.id = p.document "
        "JOIN collections c ON c.id = +d.collection "  # the +: found by their ids, not by going through the collection
        f"WHERE p.passage_id IN ({marks(passage_ids)}) AND c.name = ? AND {seen.sql}",
        (*passage_ids, collection, *seen.values),
    )
    return {passage_id: PassagePlace(key, document) for passage_id, key, document in rows}


def documents_of_keys(connection: Connection, keys: Sequence[int]) -> dict[int, int]:
    """The row numbers of passages' documents by those of the passages; deleted ones are left out."""
    return dict(connection.execute(f"SELECT id, document FROM passages WHERE id IN ({marks(keys)})", keys).fetchall())
