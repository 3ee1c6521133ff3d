"""Vectors in the corpus that are not what was written there."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from libs.runtime.errors import DataLoss
from libs.runtime.storage import UnusableFile
from services.retrieve.corpus import reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.permissions import NOBODY
from services.retrieve.corpus.stored_vectors import vectors_of
from services.retrieve.corpus.writing import keep_slice, kept_slices
from services.retrieve.engines.collection import Engines
from tests.fakes.stored_documents import put

WIDTH = 8


@pytest.mark.parametrize("damage", ["X'0102030405'", "X''", "'words'", "zeroblob(3)"])
def test_damaged_vectors_are_named_with_file_and_collection(
    corpus: Corpus, engines: Engines, tmp_path: Path, damage: str
) -> None:
    put(corpus, Document("viking", "Viking 1 landed on 20 July 1976."), "landings")
    with closing(sqlite3.connect(tmp_path / "corpus.db")) as connection, connection:
        connection.execute(f"UPDATE passages SET vector = {damage}")
    (version,) = corpus.read(reading.stored_of, "landings", ["viking"], NOBODY).values()

    def read_again() -> None:
        corpus.read(vectors_of, version)

    for read in (engines.catch_up, read_again):
        with pytest.raises(DataLoss) as error:
            read()
        assert isinstance(error.value.__cause__, UnusableFile)
        message = str(error.value.__cause__)
        assert message.startswith(
            f"{tmp_path / 'corpus.db'} (damaged vectors of the document 'viking' in the collection"
        )
        assert "'landings'" in message
        assert "restore it from a backup" in message


def test_a_damaged_part_of_an_interrupted_ingest_is_embedded_again(corpus: Corpus, tmp_path: Path) -> None:
    for number in range(2):
        corpus.write(keep_slice, b"digest", number, np.ones((3, WIDTH), np.float16)).result()
    with closing(sqlite3.connect(tmp_path / "corpus.db")) as connection, connection:
        connection.execute("UPDATE kept_vectors SET vectors = X'010203' WHERE slice = 0")
    assert [*corpus.read(kept_slices, b"digest", WIDTH)] == [1]
