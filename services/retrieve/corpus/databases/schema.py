"""The tables of `corpus.db`, and how a connection to it is opened.

`changes` is what the engines follow: one row for each document that ever existed, with the sequence number of its last
change. Sequence numbers only grow, so an engine catches up by reading everything after n. A number whose document does
not exist means that it was deleted.

`owners` and the owners of a root are the principals of who put it: see `services.retrieve.corpus.permissions`. What an
older version stored has none.

`kept_vectors` holds the vectors of long documents that are not embedded completely: after a crash, ingest resumes from
them.

Durability: write-ahead log with synchronous=FULL. A commit is on disk when it returns, so neither `kill -9` nor a power
failure loses an acknowledged document; bulk writes share commits, so the cost is small.
"""

import sqlite3
from pathlib import Path

from libs.runtime.storage import is_damage, unusable_file

VERSION = 6
_OWNERS_AND_ROOTS = """
CREATE TABLE owners (
    document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    principal TEXT NOT NULL,
    PRIMARY KEY (document, principal)
) WITHOUT ROWID;
CREATE INDEX owners_by_principal ON owners(principal);
CREATE TABLE roots (
    collection INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    prefix TEXT NOT NULL,
    location TEXT NOT NULL,
    owners TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (collection, prefix)
) WITHOUT ROWID;
"""
_KEPT_VECTORS = """
CREATE TABLE kept_vectors (
    content BLOB NOT NULL,
    slice INTEGER NOT NULL,
    vectors BLOB NOT NULL,
    kept_at REAL NOT NULL,
    PRIMARY KEY (content, slice)
);
"""
_NEW_IDENTITY = "lower(hex(randomblob(16)))"
_TABLES = f"""
CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL DEFAULT '',
    width INTEGER NOT NULL DEFAULT 0,
    documents INTEGER NOT NULL DEFAULT 0,
    passages INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    document_id TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    url TEXT NOT NULL,
    date TEXT NOT NULL,
    first_second INTEGER,
    last_second INTEGER,
    source TEXT NOT NULL,
    metadata TEXT NOT NULL,
    principals TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    passages INTEGER NOT NULL,
    images INTEGER NOT NULL,
    ingested_at REAL NOT NULL,
    content BLOB NOT NULL DEFAULT x'',
    language TEXT NOT NULL DEFAULT '',
    structure BLOB NOT NULL DEFAULT x'',
    UNIQUE (collection, document_id)
);
CREATE INDEX languages_of_collection ON documents(collection, language);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    passage_id TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    vector BLOB,
    repeated TEXT NOT NULL DEFAULT '',
    headings TEXT NOT NULL DEFAULT '[]',
    section INTEGER NOT NULL DEFAULT 0,
    page INTEGER NOT NULL DEFAULT 0,
    front INTEGER NOT NULL DEFAULT 0,
    blocks TEXT NOT NULL DEFAULT ''
);
CREATE INDEX passages_of_document ON passages(document);
CREATE INDEX passage_by_id ON passages(passage_id);
CREATE TABLE labels (
    collection INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    PRIMARY KEY (collection, label, document)
) WITHOUT ROWID;
CREATE INDEX labels_of_document ON labels(document);
CREATE TABLE images (
    document INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    image_id TEXT NOT NULL,
    caption TEXT NOT NULL,
    url TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    data BLOB NOT NULL,
    entropy REAL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX image_by_id ON images(image_id);
CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    document INTEGER NOT NULL UNIQUE
);
CREATE INDEX changes_of_collection ON changes(collection, sequence);
{_OWNERS_AND_ROOTS}
{_KEPT_VECTORS}
CREATE TABLE identity (corpus TEXT NOT NULL);
INSERT INTO identity VALUES ({_NEW_IDENTITY});
INSERT INTO collections(name) VALUES ('default');
"""
_UPGRADES = {
    1: "ALTER TABLE documents ADD COLUMN content BLOB NOT NULL DEFAULT x'';",
    2: "ALTER TABLE images ADD COLUMN entropy REAL;",
    3: """
        ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT '';
        ALTER TABLE documents ADD COLUMN structure BLOB NOT NULL DEFAULT x'';
        CREATE INDEX languages_of_collection ON documents(collection, language);
        ALTER TABLE passages ADD COLUMN repeated TEXT NOT NULL DEFAULT '';
        ALTER TABLE passages ADD COLUMN headings TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE passages ADD COLUMN section INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE passages ADD COLUMN page INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE passages ADD COLUMN front INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE passages ADD COLUMN blocks TEXT NOT NULL DEFAULT '';
    """,
    4: f"""
        CREATE TABLE roots (
            collection INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
            prefix TEXT NOT NULL,
            location TEXT NOT NULL,
            PRIMARY KEY (collection, prefix),
            UNIQUE (collection, location)
        ) WITHOUT ROWID;
        {_KEPT_VECTORS}
    """,
    5: f"""
        ALTER TABLE roots RENAME TO roots_without_owners;
        {_OWNERS_AND_ROOTS}
        INSERT INTO roots(collection, prefix, location) SELECT collection, prefix, location FROM roots_without_owners;
        DROP TABLE roots_without_owners;
    """,
}
"""Scripts that upgrade a file of each older version to the next one."""


class UnusableCorpus(Exception):  # noqa: N818 - it names what is wrong
    """The corpus is in use by another process, or was written by another version of this program."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode (transactions begin explicitly), usable from any one thread at a time."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY", "cache_size=-4096"):
        connection.execute(f"PRAGMA {pragma}").close()
    return connection


def open_or_create(path: Path) -> sqlite3.Connection:
    """Open a file, creating its tables atomically if it is new and upgrading them if it is old.

    Raises:
        UnusableCorpus: it cannot be opened, or has tables of another version.
        UnusableFile: it is damaged, or not a SQLite file.
    """
    try:
        connection = connect(path)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
            version = VERSION
        while version in _UPGRADES:
            upgrade = _UPGRADES[version]
            version += 1
            connection.executescript(f"BEGIN IMMEDIATE; {upgrade} PRAGMA user_version = {version}; COMMIT;")
    except sqlite3.Error as error:
        if is_damage(error):
            raise unusable_file(path, error) from None
        raise UnusableCorpus(f"corpus.db cannot be opened: {error}") from error
    if version != VERSION:
        connection.close()
        raise UnusableCorpus(f"corpus.db has schema version {version}, this program knows {VERSION}")
    return connection


def give_identity(connection: sqlite3.Connection) -> None:
    """Make a copy a corpus of its own: no index or cached answer of the original is taken for the copy's.

    Does nothing to a database without the tables of a corpus.
    """
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'identity'").fetchone():
        connection.execute(f"UPDATE identity SET corpus = {_NEW_IDENTITY}")
