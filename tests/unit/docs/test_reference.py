"""The reference pages are what the code says, wherever they are generated."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.reference.pages import pages

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def generated_pages() -> Mapping[str, str]:
    return pages()


def test_the_committed_pages_are_up_to_date(generated_pages: Mapping[str, str]) -> None:
    stale = [name for name, text in generated_pages.items() if (FOLDER / name).read_text(encoding="utf-8") != text]
    assert stale == [], "run `make reference`"


@pytest.mark.slow
def test_the_environment_leaves_no_trace(generated_pages: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "parley.toml").write_text('[retrieve]\nembedder = "from-a-file"\n')
    environment = {
        "PARLEY_RETRIEVE_DATA": "/from/a/variable",
        "PARLEY_PORT": "1234",
        "HF_ENDPOINT": "https://from.a.variable",
    }
    paths = os.pathsep.join(str(ROOT / folder) for folder in (".", "protos/gen", "clients/python"))
    command = [sys.executable, "-m", "tools.reference", str(tmp_path / "pages")]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **environment, "PYTHONPATH": paths}, check=True)
    assert {page.name: page.read_text() for page in (tmp_path / "pages").iterdir()} == generated_pages


def test_every_setting_rpc_and_error_is_described(generated_pages: Mapping[str, str]) -> None:
    for name, text in generated_pages.items():
        cells = [[cell.strip() for cell in line.split(" | ")] for line in text.splitlines() if line.startswith("| ")]
        assert [row for row in cells if row[-1].rstrip("| ") == ""] == [], name
