"""The statements that read the corpus. Each blocks, on a connection that no other thread uses meanwhile."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from libs.contracts.evidence import ImageReference, Passage
from libs.contracts.spans import Span
from libs.contracts.structure import cells_at
from libs.language.known import ENGLISH
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.documents import (
    Collection,
    Document,
    DocumentImage,
    DocumentSummary,
    StoredImage,
)
from services.retrieve.corpus.permissions import NOBODY, Caller, Condition, changeable_by, marks, seen_by
from services.retrieve.corpus.places import places_of_passages
from services.retrieve.corpus.structures import blocks_from, structure_from
from services.retrieve.indexing.passage import joined

_PASSAGE = (
    "SELECT p.id, p.passage_id, d.document_id, substr(d.text, p.first + 1, p.last - p.first), c.name, d.title, d.url, "
    "d.date, d.source, p.first, p.last, d.metadata, d.images, d.id, "
    "p.repeated, p.headings, p.page, d.language, p.blocks "
    "FROM passages p JOIN documents d ON d.id = p.document JOIN collections c ON c.id = d.collection "
)
_COLLECTION = (
    "name, documents, passages, model, width, (SELECT corpus FROM identity) || '-' || id || '-' || "
    "coalesce((SELECT max(sequence) FROM changes WHERE collection = collections.id), 0), "
    "coalesce((SELECT sum(w.passages) FROM waiting w WHERE w.collection = collections.id), 0)"
)
_OF_COLLECTION = "JOIN collections c ON c.id = d.collection"


def identity(connection: Connection) -> str:
    """The unique id of the corpus."""
    return str(connection.execute("SELECT corpus FROM identity").fetchone()[0])


def version(connection: Connection) -> tuple[int, ...]:
    """What changes with every write of a document, and with every new or deleted collection."""
    row: tuple[int, ...] = connection.execute(
        "SELECT (SELECT max(sequence) FROM changes), max(id), count(*) FROM collections"
    ).fetchone()
    return row


def collections(connection: Connection) -> list[Collection]:
    """All collections, by name."""
    rows = connection.execute(f"SELECT {_COLLECTION} FROM collections ORDER BY name")
    return [Collection(*row) for row in rows]


def languages_of(connection: Connection, collection: int, known: Condition) -> Mapping[str, int]:
    """How many of a collection's documents are in each language, most first; an unknown one counts as English."""
    rows = connection.execute(
        f"SELECT language, count(*) FROM documents d WHERE collection = ? AND {known.sql} GROUP BY language",
        (collection, *known.values),
    )
    counts = Counter[str]()
    for language, count in sorted(rows):
        counts[language or ENGLISH] += count
    return dict(counts.most_common())


def collection_named(connection: Connection, name: str) -> tuple[int, Collection] | None:
    """A collection's row number and its summary; None if it does not exist."""
    row = connection.execute(f"SELECT id, {_COLLECTION} FROM collections WHERE name = ?", (name,)).fetchone()
    return (row[0], Collection(*row[1:])) if row else None


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """What is known of a stored document; see PreparedDocument."""

    row: int
    fingerprint: bytes
    content: bytes
    passages: int
    is_waiting: bool = False
    """Whether its vectors are still to be made."""
    may_change: bool = True
    """Whether the caller may replace it."""


def stored_of(
    connection: Connection, collection: str, document_ids: Sequence[str], caller: Caller = NOBODY
) -> dict[str, StoredVersion]:
    """Those of these documents that are stored."""
    changeable = changeable_by(caller)
    rows = connection.execute(
        "SELECT d.document_id, d.id, d.fingerprint, d.content, d.passages, "
        f"EXISTS (SELECT 1 FROM waiting w WHERE w.document = d.id), {changeable.sql} "
        f"FROM documents d {_OF_COLLECTION} WHERE c.name = ? AND d.document_id IN ({marks(document_ids)})",
        (*changeable.values, collection, *document_ids),
    )
    return {document_id: StoredVersion(*row) for document_id, *row in rows}


def passages_of_keys(connection: Connection, keys: Iterable[int]) -> dict[int, Passage]:
    """Passages by their row numbers; deleted ones are left out."""
    key_list = list(keys)
    rows = connection.execute(f"{_PASSAGE} WHERE p.id IN ({marks(key_list)})", key_list).fetchall()
    illustrated = {row[13] for row in rows if row[12]}
    images = _images_of(connection, illustrated) if illustrated else {}
    return {row[0]: _passage(row, images.get(row[13], ())) for row in rows}


def passages_of_section(connection: Connection, document: int, section: int, limit: int) -> list[Passage]:
    """The first passages of a section by the row numbers of its document and its own, without pictures."""
    rows = connection.execute(
        f"{_PASSAGE} WHERE p.document = ? AND p.section = ? ORDER BY p.id LIMIT ?", (document, section, limit)
    )
    return [_passage(row, ()) for row in rows]


def visible_documents(
    connection: Connection, collection: str, document_ids: Sequence[str], principals: Sequence[str]
) -> set[str]:
    """Those of the ids whose documents exist and the principals may see."""
    seen = seen_by(principals)
    rows = connection.execute(
        f"SELECT d.document_id FROM documents d {_OF_COLLECTION} "
        f"WHERE d.document_id IN ({marks(document_ids)}) AND c.name = ? AND {seen.sql}",
        (*document_ids, collection, *seen.values),
    )
    return {document_id for (document_id,) in rows}


def passage_ids_of_keys(connection: Connection, keys: Sequence[int]) -> dict[int, str]:
    """Passage ids by row numbers; deleted ones are left out."""
    return dict(connection.execute(f"SELECT id, passage_id FROM passages WHERE id IN ({marks(keys)})", keys).fetchall())


def passages(
    connection: Connection, collection: str, passage_ids: Sequence[str], principals: Sequence[str]
) -> dict[str, Passage]:
    """Those of these passages that the principals may see, by their ids."""
    places = places_of_passages(connection, collection, passage_ids, principals)
    found = passages_of_keys(connection, [place.key for place in places.values()])
    return {passage.passage_id: passage for passage in found.values()}


def document(connection: Connection, collection: str, document_id: str, principals: Sequence[str]) -> Document | None:
    """One document without its pictures' bytes and its vectors, if the principals may see it."""
    seen = seen_by(principals)
    row = connection.execute(
        "SELECT d.id, d.document_id, d.text, d.title, d.url, d.date, d.source, d.metadata, d.principals, d.language, "
        f"d.structure FROM documents d {_OF_COLLECTION} WHERE c.name = ? AND d.document_id = ? AND {seen.sql}",
        (collection, document_id, *seen.values),
    ).fetchone()
    if not row:
        return None
    images = connection.execute(
        "SELECT image_id, caption, url, width, height, media_type FROM images WHERE document = ? ORDER BY position",
        (row[0],),
    )
    _, found_id, text, title, url, date, source, metadata, readers, language, structure = row
    return Document(
        *(found_id, text, title, url, date, source),
        metadata=json.loads(metadata),
        principals=tuple(json.loads(readers)),
        images=tuple(DocumentImage(*image) for image in images),
        structure=structure_from(structure),
        language=language,
    )


def image(connection: Connection, collection: str, image_id: str, principals: Sequence[str]) -> StoredImage | None:
    """One picture with its bytes, if the principals may see its document."""
    seen = seen_by(principals)
    row = connection.execute(
        "SELECT i.image_id, i.caption, i.url, i.width, i.height, i.entropy, i.media_type, i.data FROM images i "
        f"JOIN documents d ON d.id = i.document {_OF_COLLECTION} WHERE i.image_id = ? AND c.name = ? AND {seen.sql}",
        (image_id, collection, *seen.values),
    ).fetchone()
    return StoredImage(ImageReference(*row[:6]), *row[6:]) if row else None


def documents_after(
    connection: Connection, collection: str, last_id: str, limit: int, principals: Sequence[str]
) -> list[DocumentSummary]:
    """At most `limit` documents with ids after `last_id`, by id."""
    seen = seen_by(principals)
    rows = connection.execute(
        "SELECT d.document_id, d.title, d.url, d.date, d.passages, d.images, d.ingested_at, "
        "(SELECT coalesce(max(p.last), 0) FROM passages p WHERE p.document = d.id), d.fingerprint, d.metadata "
        f"FROM documents d {_OF_COLLECTION} WHERE c.name = ? AND d.document_id > ? AND {seen.sql} "
        "ORDER BY d.document_id LIMIT ?",
        (collection, last_id, *seen.values, limit),
    )
    return [
        DocumentSummary(
            *(document_id, title, url, date, passages, images),
            *(datetime.fromtimestamp(moment, UTC), characters, bytes(fingerprint), json.loads(metadata)),
        )
        for document_id, title, url, date, passages, images, moment, characters, fingerprint, metadata in rows
    ]


def _passage(row: Sequence[Any], images: tuple[ImageReference, ...]) -> Passage:
    _, passage_id, document_id, text, collection, title, url, date, source, first, last, metadata, _, _, *place = row
    lead, headings, page, language, stored_blocks = place
    whole, blocks = joined(lead, text), blocks_from(stored_blocks)
    return Passage(
        *(passage_id, document_id, whole, collection, title, url, date, source, Span(first, last)),
        metadata=json.loads(metadata),
        images=images,
        headings=tuple(json.loads(headings)),
        page=page,
        language=language,
        blocks=blocks,
        cells=cells_at(blocks, Span(0, len(whole))),
    )


def _images_of(connection: Connection, documents: set[int]) -> Mapping[int, tuple[ImageReference, ...]]:
    rows = connection.execute(
        f"SELECT document, image_id, caption, url, width, height, entropy FROM images "
        f"WHERE document IN ({marks([*documents])}) ORDER BY document, position",
        list(documents),
    )
    return {
        document: tuple(ImageReference(*row[1:]) for row in images)
        for document, images in groupby(rows, key=itemgetter(0))
    }
