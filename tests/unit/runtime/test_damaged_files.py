"""The check of a SQLite file at the start, and damage that is met only later."""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from libs.runtime.errors import DataLoss
from libs.runtime.storage import UnusableFile, check_whole, storage_error, typed_error

PAGE = 4096


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Some 60 pages: a table with an index."""
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA page_size = {PAGE}")
        connection.execute("CREATE TABLE texts (id TEXT PRIMARY KEY, text TEXT NOT NULL)")
        connection.executemany("INSERT INTO texts VALUES (?, ?)", [(f"{n:030}", "x" * 900) for n in range(200)])
    return path


def test_a_whole_file_is_accepted(file: Path) -> None:
    check_whole(file)


@pytest.mark.parametrize("percent", range(2, 100, 7))
@pytest.mark.parametrize("content", [bytes(2 * PAGE), b"\xa5" * 2 * PAGE], ids=["zeros", "garbage"])
def test_damage_anywhere_is_found_and_its_file_named(file: Path, percent: int, content: bytes) -> None:
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(size * percent // 100)
        opened.write(content[: size - opened.tell()])
    with pytest.raises(UnusableFile) as error:
        check_whole(file)
    assert str(error.value).startswith(f"{file} is damaged")


def test_a_check_ends_with_its_time(file: Path) -> None:
    for _ in range(20):
        check_whole(file, seconds=0.0)


def test_damage_that_is_met_later_is_a_loss_of_data_whose_cause_names_the_file(file: Path) -> None:
    damage = sqlite3.DatabaseError("database disk image is malformed")
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    typed = storage_error(damage, file)
    assert isinstance(typed, DataLoss)
    assert isinstance(typed.__cause__, UnusableFile)
    assert str(file) in str(typed.__cause__)
    assert str(file) not in typed.message


def test_what_was_packed_and_cannot_be_unpacked_is_lost() -> None:
    with pytest.raises(zlib.error) as error:
        zlib.decompress(bytes(100))
    assert typed_error(error.value).status == "DATA_LOSS"
