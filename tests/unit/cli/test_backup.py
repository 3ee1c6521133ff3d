"""Copies of databases that are in use."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import command_line
from cli.backup import copy_database
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from tests.fakes.stored_documents import put

LUNA = Document("luna", "Luna 9 landed softly.")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command_line(), ["backup", *arguments])
    return result.exit_code, result.output


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def test_what_is_committed_while_the_database_is_written_is_in_the_copy(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "corpus.db", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL").close()
        writer.execute("CREATE TABLE texts (text TEXT)")
        writer.execute("INSERT INTO texts VALUES ('committed')")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO texts VALUES ('not yet')")
        code, output = run(str(tmp_path / "copies"), "--data", str(data))
        writer.execute("COMMIT")
    assert code == 0, output
    assert "corpus.db" in output
    with closing(sqlite3.connect(tmp_path / "copies" / "corpus.db")) as copy:
        assert copy.execute("SELECT text FROM texts").fetchall() == [("committed",)]
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["corpus.db"]


def test_the_copy_of_a_corpus_is_another_corpus(data: Path, tmp_path: Path) -> None:
    with Corpus.open(data) as corpus:
        put(corpus, LUNA)
        code, output = run(str(tmp_path / "copies"), "--data", str(data))
        assert code == 0, output
        with Corpus.open(tmp_path / "copies") as copy:
            assert copy.collection("default")[1].documents == 1
            assert copy.identity != corpus.identity


def test_a_copy_is_not_overwritten(data: Path, tmp_path: Path) -> None:
    sqlite3.connect(data / "corpus.db").close()
    (tmp_path / "corpus.db").write_text("an earlier copy")
    code, output = run(str(tmp_path), "--data", str(data))
    assert code == 1
    assert "Nothing is overwritten" in output
    assert (tmp_path / "corpus.db").read_text() == "an earlier copy"


def test_a_folder_without_databases_is_told(data: Path, tmp_path: Path) -> None:
    code, output = run(str(tmp_path / "copies"), "--data", str(data))
    assert code == 1
    assert "no database" in output


def test_a_damaged_database_gives_no_copy(data: Path, tmp_path: Path) -> None:
    (data / "corpus.db").write_text("nothing like a database, and long enough to be one " * 20)
    with pytest.raises(sqlite3.DatabaseError):
        copy_database(data / "corpus.db", tmp_path / "corpus.db")
    assert not (tmp_path / "corpus.db").exists()
