"""The variables that the documentation names are settings."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("libs", "services", "gateway", "cli", "doors", "clients")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def code() -> str:
    """All modules that may declare a setting."""
    files = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]
    files.append(ROOT / "docker-compose.yml")  # has variables of its own
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def is_setting(variable: str, code: str) -> bool:
    """Whether a variable stands in the code as it is, or is the field of an area of settings."""
    areas = sorted(set(re.findall(r'area="(\w+)"', code)), key=len, reverse=True)
    name = variable.removeprefix("PARLEY_").partition("__")[0].lower()
    fields = [name.removeprefix(f"{area}_") for area in areas if name.startswith(f"{area}_")]
    return variable in code or any(re.search(rf"^    {field}: ", code, re.MULTILINE) for field in fields)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_variable_is_a_setting(page: Path, code: str) -> None:
    variables = set(re.findall(r"PARLEY_[A-Z0-9_]*[A-Z0-9]", page.read_text(encoding="utf-8")))
    assert [variable for variable in sorted(variables) if not is_setting(variable, code)] == []


def test_a_name_that_is_no_setting_is_found(code: str) -> None:
    assert not is_setting("PARLEY_RETRIEVE_NO_SUCH_THING", code)
