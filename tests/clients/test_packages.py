"""What the packages of the clients say of themselves."""

import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"


def test_every_package_has_the_version_of_the_suite() -> None:
    version = table(ROOT / "pyproject.toml")["project"]["version"]
    assert table(CLIENTS / "rust" / "Cargo.toml")["package"]["version"] == version
    project = ElementTree.parse(CLIENTS / "java" / "pom.xml").getroot()
    assert project.findtext("{*}version") == version


def table(file: Path) -> Any:
    return tomllib.loads(file.read_text(encoding="utf-8"))
