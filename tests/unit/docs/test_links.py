"""The README and the documentation link to what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKS = [
    (page, link)
    for page in PAGES
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    if not link.startswith("http")
]


@pytest.mark.parametrize(("page", "link"), LINKS, ids=lambda value: str(value).removeprefix(f"{ROOT}/"))
def test_a_link_leads_to_a_file(page: Path, link: str) -> None:
    assert (page.parent / link.partition("#")[0]).exists()


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [str(page.relative_to(ROOT / "docs")) for page in PAGES[1:]]
    assert [page for page in pages if page not in navigation] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
