"""The tables of a corpus as text, the same in SQLite and PostgreSQL but for their types; nothing is run here.

`changes` is what the engines follow: one row for each document that ever existed, with the sequence number of its last
change. Sequence numbers only grow, so an engine catches up by reading everything after n. A number whose document does
not exist means that it was deleted.

`owners` and the owners of a root are the principals of who put it: see `services.retrieve.corpus.permissions`.

`waiting` lists the documents whose passages have no vectors yet, in the order in which they are embedded.

`kept_vectors` holds the vectors of long documents that are not embedded completely: after a crash, ingest resumes from
them.
"""

from dataclasses import asdict, dataclass
from typing import Final

VERSION: Final = 1
_TABLES: Final = """
CREATE TABLE collections (
    id {key},
    name {name} NOT NULL UNIQUE,
    model TEXT NOT NULL DEFAULT '',
    width INTEGER NOT NULL DEFAULT 0,
    documents BIGINT NOT NULL DEFAULT 0,
    passages BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE documents (
    id {key},
    collection BIGINT NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    document_id {name} NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    url TEXT NOT NULL,
    date TEXT NOT NULL,
    first_second BIGINT,
    last_second BIGINT,
    source TEXT NOT NULL,
    metadata TEXT NOT NULL,
    principals TEXT NOT NULL,
    fingerprint {content} NOT NULL,
    passages INTEGER NOT NULL,
    images INTEGER NOT NULL,
    ingested_at DOUBLE PRECISION NOT NULL,
    content {content} NOT NULL,
    language {name} NOT NULL,
    structure {content} NOT NULL,
    UNIQUE (collection, document_id)
);
CREATE INDEX languages_of_collection ON documents(collection, language);
CREATE TABLE passages (
    id {key},
    document BIGINT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    passage_id {name} NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    vector {content},
    repeated TEXT NOT NULL,
    headings TEXT NOT NULL,
    section INTEGER NOT NULL,
    page INTEGER NOT NULL,
    front BOOLEAN NOT NULL,
    blocks TEXT NOT NULL
);
CREATE INDEX passages_of_document ON passages(document);
CREATE INDEX passage_by_id ON passages(passage_id);
CREATE TABLE labels (
    collection BIGINT NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    label {name} NOT NULL,
    document BIGINT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    PRIMARY KEY (collection, label, document)
) {by_key};
CREATE INDEX labels_of_document ON labels(document);
CREATE TABLE owners (
    document BIGINT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    principal {name} NOT NULL,
    PRIMARY KEY (document, principal)
) {by_key};
CREATE INDEX owners_by_principal ON owners(principal);
CREATE TABLE images (
    document BIGINT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    image_id {name} NOT NULL,
    caption TEXT NOT NULL,
    url TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    data {content} NOT NULL,
    entropy DOUBLE PRECISION,
    PRIMARY KEY (document, position)
) {by_key};
CREATE INDEX image_by_id ON images(image_id);
CREATE TABLE changes (
    sequence {key},
    collection BIGINT NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    document BIGINT NOT NULL UNIQUE
);
CREATE INDEX changes_of_collection ON changes(collection, sequence);
CREATE TABLE roots (
    collection BIGINT NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    prefix {name} NOT NULL,
    location {name} NOT NULL,
    owners TEXT NOT NULL,
    PRIMARY KEY (collection, prefix)
) {by_key};
CREATE TABLE kept_vectors (
    content {content} NOT NULL,
    slice INTEGER NOT NULL,
    vectors {content} NOT NULL,
    kept_at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (content, slice)
);
CREATE TABLE identity (corpus TEXT NOT NULL, version INTEGER NOT NULL);
INSERT INTO identity VALUES ({identity}, {version});
INSERT INTO collections(name) VALUES ('default');
"""
_LATER_TABLES: Final = """
CREATE TABLE IF NOT EXISTS originals (
    document BIGINT PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    data {content} NOT NULL
);
CREATE TABLE IF NOT EXISTS waiting (
    place {key},
    document BIGINT NOT NULL UNIQUE REFERENCES documents(id) ON DELETE CASCADE,
    collection BIGINT NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    passages INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS waiting_of_collection ON waiting(collection, passages);
"""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the databases."""

    key: str
    """A row number that is never given twice."""
    name: str
    """A text that is compared by its bytes."""
    content: str
    """Bytes."""
    by_key: str
    """How a table is stored that is read by its primary key."""
    identity: str
    """A new random id."""

    @property
    def tables(self) -> str:
        """The statements that create the tables."""
        return _TABLES.format(**asdict(self), version=VERSION)

    @property
    def later_tables(self) -> str:
        """The statements that add the tables which a corpus of an earlier release has not."""
        return _LATER_TABLES.format(**asdict(self))


class UnusableCorpus(Exception):  # noqa: N818 - it names what is wrong
    """The corpus is in use by another process, or was written by another version of this program."""

    @classmethod
    def of_version(cls, place: str, version: int) -> "UnusableCorpus":
        """The error of tables of another version than this program's."""
        return cls(
            f"{place} has schema version {version}, this program knows {VERSION}: "
            "use the release that wrote it, or ingest the documents into a new place"
        )
