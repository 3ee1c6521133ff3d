"""The families of rules: each file of the English rules is in exactly one, and each can be switched off."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from bench.rules import KEPT
from bench.suite import ROOT
from bench.switching_off import WORDS, Family, families, switched_off

SOURCE = '''LIMIT: Final = 3

def reads(text: str) -> bool:
    """Whether it reads."""
    return len(text) < LIMIT
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout of one module and one list of words."""
    (tmp_path / WORDS).mkdir(parents=True)
    (tmp_path / WORDS / "picks.toml").write_text("yes = 'ok'")
    (tmp_path / "reading.py").write_text(SOURCE)
    return tmp_path


def test_every_file_is_in_exactly_one_family() -> None:
    folder = ROOT / WORDS
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    counts = Counter(file for family in families().values() for file in family.files)

    assert counts.keys() == files - KEPT
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("family", families().values(), ids=families().keys())
def test_a_family_names_what_there_is(family: Family, tmp_path: Path) -> None:
    for path in {edit.partition(":")[0] for edit in family.edits}:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text((ROOT / path).read_text(encoding="utf-8"), encoding="utf-8")

    with switched_off(Family(family.name, edits=family.edits), tmp_path):
        for module in tmp_path.rglob("*.py"):
            ast.parse(module.read_text(encoding="utf-8"))


def test_a_family_is_off_for_a_while(tree: Path) -> None:
    family = Family("reading", files=("picks.toml",), edits=("reading.py:LIMIT = 0", "reading.py:reads() = False"))

    with switched_off(family, tree):
        source = (tree / "reading.py").read_text()
        assert "LIMIT = 0\n" in source
        assert "    return False\n" in source
        assert (tree / WORDS / "picks.toml").read_text() == ""

    assert (tree / "reading.py").read_text() == SOURCE
    assert (tree / WORDS / "picks.toml").read_text() == "yes = 'ok'"


@pytest.mark.parametrize("edit", ["reading.py:OTHER = 0", "reading.py:writes() = None", "reading.py"])
def test_an_edit_of_nothing_is_refused(edit: str, tree: Path) -> None:
    with pytest.raises(ValueError, match=r"reading\.py"), switched_off(Family("", edits=(edit,)), tree):
        pass
