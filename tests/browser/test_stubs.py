"""The contracts' TypeScript that is committed is the contracts'."""

import filecmp
from pathlib import Path

import pytest

from tests.browser.conftest import missing
from tools.generate_typescript import FOLDER, PLUGIN, generate

pytestmark = pytest.mark.browser


def test_the_committed_stubs_are_up_to_date(tmp_path: Path) -> None:
    if not PLUGIN.exists():
        missing("protoc-gen-es is not installed: make browser")
    generate(tmp_path / "gen")
    names = {path.relative_to(tmp_path / "gen").as_posix() for path in (tmp_path / "gen").rglob("*.ts")}
    assert names == {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.ts")}
    _, stale, unreadable = filecmp.cmpfiles(FOLDER, tmp_path / "gen", sorted(names), shallow=False)
    assert (stale, unreadable) == ([], []), "run `make stubs-typescript`"
