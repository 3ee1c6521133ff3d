"""The README and the documentation link to what is there."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *DOCS, ROOT / "libs" / "language" / "README.md"]


def test_every_link_leads_to_a_file_and_to_a_heading_of_it() -> None:
    links = [
        (page, link)
        for page in PAGES
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        if not link.startswith("http")
    ]
    assert len(links) > 500
    assert [(str(page), link) for page, link in links if not leads_somewhere(page, link)] == []


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether the file of a link exists, and has the heading that it names."""
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in anchors_of(target))


def test_a_heading_s_anchor_is_its_words_with_hyphens(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One page\n\n```\n# no heading\n```\n\n## `parley up`, twice\n\n## Again\n\n## Again\n")
    assert anchors_of(page) == {"one-page", "parley-up-twice", "again", "again_1"}


@cache
def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as the documentation's site makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    anchors: set[str] = set()
    for heading in re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE):
        words = re.sub(r"[^\w\s-]", "", heading).strip().lower()
        name = re.sub(r"[-\s]+", "-", words)
        again = sum(1 for anchor in anchors if re.fullmatch(rf"{re.escape(name)}(_\d+)?", anchor))
        anchors.add(f"{name}_{again}" if again else name)
    return anchors


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [str(page.relative_to(ROOT / "docs")) for page in DOCS]
    assert [page for page in pages if page not in navigation] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
