"""Each file of the English rules is in exactly one family, so that the bench of families covers them all."""

from collections import Counter
from importlib.resources import files
from pathlib import Path

from bench.rules import KEPT, families
from libs.language.known import ENGLISH


def _language_files() -> set[str]:
    folder = Path(str(files("libs.language"))) / "data" / ENGLISH
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def test_every_file_is_in_exactly_one_family() -> None:
    counts = Counter(file for of_family in families().values() for file in of_family)

    assert counts.keys() == _language_files() - KEPT
    assert set(counts.values()) == {1}
