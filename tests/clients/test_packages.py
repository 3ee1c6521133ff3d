"""What the packages of the clients say of themselves."""

import json
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"


def test_every_package_has_the_version_of_the_suite() -> None:
    version = table(ROOT / "pyproject.toml")["project"]["version"]
    assert table(CLIENTS / "rust" / "Cargo.toml")["package"]["version"] == version
    for name in ("package.json", "package-lock.json"):
        assert json.loads((CLIENTS / "typescript" / name).read_text(encoding="utf-8"))["version"] == version
    project = ElementTree.parse(CLIENTS / "java" / "pom.xml").getroot()
    assert project.findtext("{*}version") == version


def test_lock_files_name_no_registry() -> None:
    lock = json.loads((CLIENTS / "typescript" / "package-lock.json").read_text(encoding="utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def table(file: Path) -> Any:
    return tomllib.loads(file.read_text(encoding="utf-8"))
