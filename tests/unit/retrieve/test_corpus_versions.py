"""A file that an older version wrote is brought up to date; one of a newer version is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from libs.contracts.evidence import ImageReference
from services.retrieve.corpus import feed, reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.schema import UnusableCorpus
from services.retrieve.corpus.documents import Document, DocumentImage, IngestStatus
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.roots import RootRequest
from tests.fakes.stored_documents import put

LUNA = Document("luna", "Luna 9 landed softly. It sent pictures.", title="Luna 9", date="1966-02-03")
OLDER = {
    5: "DROP TABLE owners; ALTER TABLE roots DROP COLUMN owners; ",
    4: "DROP TABLE roots; DROP TABLE kept_vectors; ",
    3: "DROP INDEX languages_of_collection; "
    + "".join(f"ALTER TABLE documents DROP COLUMN {name}; " for name in ("language", "structure"))
    + "".join(
        f"ALTER TABLE passages DROP COLUMN {name}; "
        for name in ("repeated", "headings", "section", "page", "front", "blocks")
    ),
    2: "ALTER TABLE images DROP COLUMN entropy; ",
    1: "ALTER TABLE documents DROP COLUMN content; ",
}
"""What makes a file one of each older version."""


def make_older(corpus: Corpus, version: int) -> None:
    """Make the corpus's file one of an older version."""
    undoing = "".join(OLDER[number] for number in sorted(OLDER, reverse=True) if number >= version)
    statements = f"{undoing} PRAGMA user_version = {version}".split(";")
    corpus.read(lambda connection: [connection.execute(statement) for statement in statements])


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    with Corpus.open(tmp_path) as corpus:
        put(corpus, LUNA)
        make_older(corpus, 1)
    with Corpus.open(tmp_path) as corpus:
        assert put(corpus, LUNA) is IngestStatus.UNCHANGED
        assert put(corpus, replace(LUNA, date="1966")) is IngestStatus.REPLACED
        assert corpus.read(lambda c: c.execute("PRAGMA user_version").fetchone()) == (6,)


def test_pictures_of_a_file_from_before_they_were_measured_come_without_a_measure(tmp_path: Path) -> None:
    document = replace(LUNA, images=(DocumentImage(caption="The surface", width=640, height=480, data=b"png"),))
    with Corpus.open(tmp_path) as corpus:
        put(corpus, document)
        make_older(corpus, 2)
    with Corpus.open(tmp_path) as corpus:
        passage = corpus.read(lambda connection: reading.passage(connection, "default", "luna#0", ()))
        assert passage is not None
        assert passage.images == (ImageReference("luna/1", "The surface", "", 640, 480, None),)


def test_passages_of_a_file_from_before_structures_were_kept_are_found_as_they_are(tmp_path: Path) -> None:
    with Corpus.open(tmp_path) as corpus:
        put(corpus, LUNA)
        make_older(corpus, 3)
    with Corpus.open(tmp_path) as corpus:
        row, _ = corpus.collection("default")
        batch = corpus.read(lambda connection: feed.text_changes(connection, row, 0, 100))
        assert batch is not None
        assert [(passage.place, passage.text, passage.language) for passage in batch.passages] == [
            ("Luna 9", LUNA.text, "en")
        ]
        vectors = corpus.read(lambda connection: feed.vector_changes(connection, row, 0, 100, 64))
        assert vectors is not None
        assert (len(vectors.keys), corpus.languages(row)) == (1, ("en",))
        document = corpus.read(lambda connection: reading.document(connection, "default", "luna", ()))
        assert document is not None
        assert document.structure is None


def test_documents_and_roots_of_a_file_from_before_ownership_belong_to_nobody(tmp_path: Path) -> None:
    request = RootRequest("/home/docs", "docs")
    with Corpus.open(tmp_path) as corpus:
        put(corpus, LUNA)
        placed = corpus.place_roots("default", [request]).result()
        make_older(corpus, 5)
    with Corpus.open(tmp_path) as corpus:
        assert corpus.place_roots("default", [request], Caller(("bob",))).result().roots == placed.roots
        assert put(corpus, replace(LUNA, date="1966"), caller=Caller(("bob",))) is IngestStatus.REPLACED


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    with Corpus.open(tmp_path) as corpus:
        corpus.read(lambda connection: connection.execute("PRAGMA user_version = 99"))
    with pytest.raises(UnusableCorpus, match="99"), Corpus.open(tmp_path):
        pass


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    with Corpus.open(tmp_path), pytest.raises(UnusableCorpus, match="another process"), Corpus.open(tmp_path):
        pass
