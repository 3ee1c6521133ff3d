"""The variables that the documentation names are settings."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("libs", "services", "gateway", "cli", "doors", "clients")
VARIABLE = r"PARLEY_[A-Z0-9_]*[A-Z0-9]"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@dataclass(frozen=True)
class Code:
    """What the modules declare that may hold a setting."""

    text: str
    areas: tuple[str, ...]
    fields: frozenset[str]

    def has(self, variable: str) -> bool:
        """Whether a variable, or the beginning of several, is in the code, or is the field of an area of settings."""
        name = variable.removeprefix("PARLEY_").partition("__")[0].lower()
        fields = {name.removeprefix(f"{area}_") for area in self.areas if name.startswith(f"{area}_")}
        return variable in self.text or not self.fields.isdisjoint(fields)


@pytest.fixture(scope="module")
def code() -> Code:
    files = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]
    files.append(ROOT / "docker-compose.yml")  # has variables of its own
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return Code(
        text,
        tuple(sorted(set(re.findall(r'area="(\w+)"', text)))),
        frozenset(re.findall(r"^    (\w+): ", text, re.MULTILINE)),
    )


def test_every_variable_of_the_documentation_is_a_setting(code: Code) -> None:
    variables = {variable: page.name for page in PAGES for variable in re.findall(VARIABLE, page.read_text("utf-8"))}
    assert {variable: page for variable, page in variables.items() if not code.has(variable)} == {}


def test_a_name_that_is_no_setting_is_found(code: Code) -> None:
    assert not code.has("PARLEY_RETRIEVE_NO_SUCH_THING")
