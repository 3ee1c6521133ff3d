"""Files that pin versions name no address: packages come from whatever registry an installation uses."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
LOCK_FILES = (
    "constraints.txt",
    "constraints-neural.txt",
    "clients/go/go.sum",
    "clients/typescript/package-lock.json",
    "tests/deploy/programs/go.sum",
    "web/package-lock.json",
)


@pytest.mark.parametrize("name", LOCK_FILES)
def test_a_lock_file_holds_no_address(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert [line.strip() for line in lines if "://" in line or '"resolved"' in line] == []


@pytest.mark.parametrize("folder", ["clients/typescript", "web"])
def test_npm_writes_none_for_packages(folder: str) -> None:
    assert "omit-lockfile-registry-resolved=true" in (ROOT / folder / ".npmrc").read_text(encoding="utf-8").split()
