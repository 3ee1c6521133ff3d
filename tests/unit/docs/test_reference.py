"""The reference pages are what the code says, wherever they are generated."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.reference.__main__ import pages

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def generated_pages() -> Mapping[str, str]:
    return pages()


def test_the_committed_pages_are_up_to_date(generated_pages: Mapping[str, str]) -> None:
    stale = [name for name, text in generated_pages.items() if (FOLDER / name).read_text(encoding="utf-8") != text]
    assert stale == [], "run `make reference`"


def test_every_setting_rpc_and_error_is_described(generated_pages: Mapping[str, str]) -> None:
    for name, text in generated_pages.items():
        cells = [[cell.strip() for cell in line.split(" | ")] for line in text.splitlines() if line.startswith("| ")]
        assert [row for row in cells if row[-1].rstrip("| ") == ""] == [], name
