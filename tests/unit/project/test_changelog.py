"""The changelog has an entry for the project's version, in the form that Keep a Changelog describes."""

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
HEADING = re.compile(r"\[(?P<version>Unreleased|\d+\.\d+\.\d+)\](?: - (?P<day>\d{4}-\d{2}-\d{2}|Unreleased))?")


@dataclass(frozen=True)
class Section:
    """What stands below a heading of level two: its words, and lines by heading of level three."""

    heading: str
    kinds: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def version(self) -> str:
        """Three numbers, or "Unreleased"."""
        match = HEADING.fullmatch(self.heading)
        return match["version"] if match else ""


def read_sections(text: str) -> list[Section]:
    """The sections of a changelog, latest first, without the targets of links."""
    without_links = re.sub(r"^\[.+\]: .+$", "", text, flags=re.MULTILINE)
    return [_section(part) for part in re.split(r"^## ", without_links, flags=re.MULTILINE)[1:]]


def _section(part: str) -> Section:
    head, *parts = re.split(r"^### ", part, flags=re.MULTILINE)
    kinds = [(each.splitlines()[0], tuple(filter(None, each.splitlines()[1:]))) for each in parts]
    return Section(head.splitlines()[0], tuple(kinds))


def faults(text: str) -> list[str]:
    """What is wrong with a changelog: a sentence each."""
    sections = read_sections(text)
    versions = [section.version for section in sections]
    numbers = [tuple(map(int, version.split("."))) for version in versions if version[:1].isdigit()]
    faults_of_sections = [fault for section in sections for fault in _faults(section)]
    faults_of_sections += ["Unreleased is not the first section."] * ("Unreleased" in versions[1:])
    faults_of_sections += ["Versions do not fall from top to bottom."] * (numbers != sorted(set(numbers), reverse=True))
    return faults_of_sections


def _faults(section: Section) -> list[str]:
    faults_of_sections = HEADING.fullmatch(section.heading)
    if faults_of_sections is None or (faults_of_sections["version"] == "Unreleased") != (
        faults_of_sections["day"] is None
    ):
        return [f"“{section.heading}” is no heading of a version."]
    if faults_of_sections["day"] not in (None, "Unreleased"):
        date.fromisoformat(faults_of_sections["day"])
    kinds = [kind for kind, _ in section.kinds]
    wrong = [f"{kind} is no kind of change." for kind in kinds if kind not in KINDS]
    wrong += [f"{section.version} has a kind twice."] * (len(set(kinds)) < len(kinds))
    return wrong + [f"{section.version}, {kind} has no list." for kind, lines in section.kinds if not _is_list(lines)]


def _is_list(lines: tuple[str, ...]) -> bool:
    """Whether there are items, which headings of level four may group, and nothing else."""
    points = [line for line in lines if not line.startswith("#### ")]
    return bool(points) and points[0].startswith("- ") and all(line.startswith(("- ", "  ")) for line in points)


def test_the_version_has_an_entry() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert version in [section.version for section in read_sections(TEXT)]


def test_the_changelog_is_well_formed() -> None:
    assert faults(TEXT) == []


def test_only_the_latest_version_may_have_no_date() -> None:
    versions = [section.heading for section in read_sections(TEXT) if section.version != "Unreleased"]
    assert [heading for heading in versions[1:] if heading.endswith("Unreleased")] == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("## 0.1.0\n", "“0.1.0” is no heading of a version."),
        ("## [0.1.0]\n", "“[0.1.0]” is no heading of a version."),
        ("## [Unreleased]\n\n### Improved\n\n- More.\n", "Improved is no kind of change."),
        ("## [Unreleased]\n\n### Added\n\n- A.\n\n### Added\n\n- B.\n", "Unreleased has a kind twice."),
        ("## [Unreleased]\n\n### Added\n\nMore.\n", "Unreleased, Added has no list."),
        ("## [0.1.0] - 2031-01-02\n\n## [Unreleased]\n", "Unreleased is not the first section."),
        ("## [0.1.0] - 2031-01-02\n\n## [0.2.0] - 2031-02-03\n", "Versions do not fall from top to bottom."),
    ],
)
def test_a_fault_is_found(text: str, fault: str) -> None:
    assert faults(text) == [fault]


def test_a_changelog_without_faults_has_none() -> None:
    assert faults("## [Unreleased]\n\n### Fixed\n\n- A.\n  It goes on.\n\n## [0.1.0] - 2031-01-02\n") == []
