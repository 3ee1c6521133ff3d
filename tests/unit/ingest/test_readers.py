"""Files become documents; what cannot be read is told and stops nothing."""

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest

from ingest.documents import ParsedDocument, ReadResult, SourceImage, Unreadable
from ingest.formats.known import READERS
from ingest.readers import read_file
from libs.documents.reading import structure_of

UNKNOWN = f"is of an unsupported kind ({', '.join(sorted(READERS))})"
NOTE = """---
title: Phoenix
url: https://example.org/phoenix
date: 2024-05-01
principals: [ann, bob]
agency: NASA
images:
  - path: lander.png
    caption: The lander
    width: 4
    height: 3
---
# Phoenix in the arctic

It landed.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lander.png").write_bytes(b"\x89PNG")
    return tmp_path


def read(folder: Path, name: str, content: str | bytes) -> list[ReadResult]:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_file(file, name))


def test_a_note_brings_what_its_block_says(folder: Path) -> None:
    assert read(folder, "phoenix.md", NOTE) == [
        ParsedDocument(
            "phoenix.md",
            "# Phoenix in the arctic\n\nIt landed.",
            title="Phoenix",
            url="https://example.org/phoenix",
            date="2024-05-01",
            metadata={"agency": "NASA"},
            principals=("ann", "bob"),
            images=(SourceImage("The lander", "", 4, 3, "image/png", b"\x89PNG"),),
            structure=structure_of("# Phoenix in the arctic\n\nIt landed."),
        )
    ]


def test_a_note_without_a_block_is_called_by_its_heading(folder: Path) -> None:
    (document,) = read(folder, "a.md", "Some words.\n\n# The Heading #\n")
    assert isinstance(document, ParsedDocument)
    assert document.title == "The Heading"


def test_plain_text_is_called_by_its_file(folder: Path) -> None:
    structure = structure_of("It landed.")
    assert read(folder, "notes.txt", "It landed.") == [
        ParsedDocument("notes.txt", "It landed.", title="notes", structure=structure)
    ]


def test_a_line_keeps_unknown_keys_as_metadata(folder: Path) -> None:
    line = {"id": "x", "text": "It landed.", "title": "", "url": "", "date": "", "src": "wiki", "metadata": {"n": 3}}
    assert read(folder, "a.jsonl", json.dumps(line)) == [
        ParsedDocument("x", "It landed.", metadata={"src": "wiki", "n": "3"}, row=0)
    ]


def test_a_line_without_an_id_is_called_by_its_place(folder: Path) -> None:
    documents = read(folder, "a.jsonl", '{"text": "One."}\n\n{"text": "Two."}\n')
    assert [(d.document_id, d.row) for d in documents if isinstance(d, ParsedDocument)] == [
        ("a.jsonl#1", 0),
        ("a.jsonl#3", 2),
    ]


def test_an_empty_text_is_a_document_still(folder: Path) -> None:
    assert read(folder, "a.jsonl", '{"id": "x", "text": ""}') == [ParsedDocument("x", "", row=0)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{not json}", "is not JSON"),
        ("[1]", "is not a JSON object"),
        ('{"text": 3}', "text: must be a string"),
        ('{"text": "a", "principals": [3]}', "principals: must be a list of names"),
        ('{"text": "a", "metadata": []}', "metadata: must be an object"),
        ('{"text": "a", "vector": "no"}', "vector: must be a list of numbers"),
        ('{"text": "a", "images": [{}]}', "images: each needs a path or a url"),
        ('{"text": "a", "images": [{"path": "none.png"}]}', "images: none.png cannot be opened"),
    ],
)
def test_a_bad_line_is_told_and_the_others_are_read(folder: Path, line: str, reason: str) -> None:
    results = read(folder, "a.jsonl", f'{{"id": "x", "text": "Fine."}}\n{line}\n{{"id": "y", "text": "Fine."}}')
    assert results[1] == Unreadable(str(folder / "a.jsonl"), reason, 2)
    assert [d.document_id for d in results if isinstance(d, ParsedDocument)] == ["x", "y"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", b"\xff\xfe\x00\xd8", "is not text in a known encoding"),
        ("a.md", b"---\n: [\n---\n", "begins with front matter that is not YAML"),
        ("a.md", b"---\njust words\n---\n", "begins with front matter that has no keys"),
        ("a.bin", b"\0x", UNKNOWN),
        ("a.bin.gz", gzip.compress(b"\0x", mtime=0), UNKNOWN),
        ("a.txt.gz", b"not packed", "cannot be decompressed"),
        ("a.txt.gz", gzip.compress(b"cut in two", mtime=0)[:-9], "cannot be decompressed"),
    ],
)
def test_a_bad_file_is_told(folder: Path, name: str, content: bytes, reason: str) -> None:
    assert read(folder, name, content) == [Unreadable(str(folder / name), reason)]


@pytest.mark.parametrize("name", ["notes.jsonl", "notes.txt", "notes.md"])
def test_a_packed_file_gives_what_the_file_in_it_gives(folder: Path, name: str) -> None:
    content = b'{"id": "x", "text": "One."}\n\n{"text": "Two."}'
    packed_document, plain = read(folder, f"{name}.gz", gzip.compress(content)), read(folder, name, content)
    assert [(d.text, d.title, d.row) for d in packed_document if isinstance(d, ParsedDocument)] == [
        (d.text, d.title, d.row) for d in plain if isinstance(d, ParsedDocument)
    ]
    assert packed_document


def test_lines_are_streamed(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    with file.open("w") as out:
        for number in range(4000):
            out.write(json.dumps({"id": str(number), "text": "word " * 400}) + "\n")
    tracemalloc.start()
    assert sum(isinstance(result, ParsedDocument) for result in read_file(file, "many.jsonl")) == 4000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert file.stat().st_size > 8_000_000
    assert peak < 1_000_000
