"""What a document is called where its file does not say so."""

import io
import re
import zipfile
from pathlib import Path

import pytest

from ingest.content import Content
from ingest.documents import ParsedDocument
from ingest.readers import read_file
from tests.fakes import office_files as make
from tests.unit.ingest.structures import headings, read_one


def title_of(path: Path, text: str = "It landed.") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    (document,) = read_file(path, path.name)
    assert isinstance(document, ParsedDocument)
    return document.title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("notes.txt", "notes"),
        ("mission_report.txt", "mission report"),
        ("release--notes.md", "release notes"),
        ("2024-03-05_first-landing.txt", "2024-03-05 first landing"),
        ("_private_.txt", "private"),
        ("__.txt", "__"),
        ("notes_of_may.txt.gz", "notes of may"),
    ],
)
def test_the_name_of_a_file_is_read_as_words(name: str, title: str) -> None:
    assert Content(name, name, name).title == title


@pytest.mark.parametrize("name", ["README.md", "readme.txt", "index.md", "index.html", "_index.md"])
def test_a_readme_or_index_without_a_title_is_called_by_its_folder(tmp_path: Path, name: str) -> None:
    assert title_of(tmp_path / "landing-sites" / name) == "landing sites"


def test_a_readme_with_a_title_keeps_it(tmp_path: Path) -> None:
    assert title_of(tmp_path / "sites" / "README.md", "# The sites\n\nThey are flat.") == "The sites"
    assert title_of(tmp_path / "sites" / "README.md", "---\ntitle: Flat sites\n---\n# The sites") == "Flat sites"


def test_a_readme_that_lies_in_no_folder_keeps_its_name() -> None:
    assert Content("mail.eml#README.md", "README.md", "mail.eml#README.md").title == "README"


@pytest.mark.parametrize("fence", ["```bash", "~~~", "````", "  ```sh"])
def test_a_comment_in_code_is_no_title(tmp_path: Path, fence: str) -> None:
    mark = fence.strip().rstrip("bash")
    text = f"Run this:\n\n{fence}\n# install it first\nmake\n{mark}\n\n# The guide\n\n## Later\n"
    assert title_of(tmp_path / "README.md", text) == "The guide"
    assert (
        title_of(tmp_path / "guide" / "README.md", text.replace("# The guide", "Words.").split("## Later")[0])
        == "guide"
    )


def test_headings_carry_no_anchor() -> None:
    document = read_one("moves.md", b"# Moves {#moves}\n\nHow.\n\n## Teleport {#teleport}\n\nAt once.\n")
    assert document.title == "Moves"
    assert headings(document) == [("Moves",), ("Moves", "Teleport")]
    assert "{#" not in document.text


CORE = "docProps/core.xml"
DATELESS = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Dateless</dc:title></cp:coreProperties>'
)


def with_core(data: bytes, core: str) -> bytes:
    """The file with other core properties; with none where there is no word of them."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(out, "w") as other:
        for name in whole.namelist():
            part = whole.read(name)
            if name == "_rels/.rels" and not core:
                part = re.sub(rb"<Relationship [^>]*core-properties[^>]*/>", b"", part)
            if name != CORE or core:
                other.writestr(name, core if name == CORE else part)
    return out.getvalue()


OFFICE = [("a_report.docx", make.docx()), ("a_report.xlsx", make.xlsx()), ("a_report.pptx", make.pptx(make.png()))]


@pytest.mark.parametrize(("name", "data"), OFFICE)
def test_an_office_file_that_states_no_properties_has_no_date(name: str, data: bytes) -> None:
    document = read_one(name, with_core(data, ""))
    assert document.date == ""
    assert "author" not in document.metadata
    assert document.title in ("a report", "Orbits", "Aquila")


@pytest.mark.parametrize(("name", "data"), OFFICE)
def test_an_office_file_that_states_no_date_has_none(name: str, data: bytes) -> None:
    document = read_one(name, with_core(data, DATELESS))
    assert (document.title, document.date) == ("Dateless", "")
