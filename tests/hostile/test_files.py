"""Files of a stranger: they publish nothing from outside their folder, and exhaust no reader."""

import gzip
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import ParsedDocument, ReadResult, Unreadable
from ingest.isolation import IsolatedReader
from tests.hostile.messages import PICTURE

BOUNDS = ReadingBounds(seconds=5, ratio_from_bytes=256 * 1024, line_bytes=1024 * 1024)
PACKED_MEGABYTES = 10
"""What the bombs unpack to: far more than what is unpacked before their ratio is looked at."""

pytestmark = pytest.mark.timeout(30)


@pytest.fixture(scope="module")
def reader() -> Iterator[IsolatedReader]:
    with closing(IsolatedReader()) as isolated_reader:
        yield isolated_reader


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The folder that is ingested; beside it lies a picture that is not to be published."""
    (tmp_path / "secret.png").write_bytes(PICTURE)
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def results(reader: IsolatedReader, file: Path, folder: Path, bounds: ReadingBounds = BOUNDS) -> list[ReadResult]:
    return list(reader.read(Content(file.name, file.name, file.name, file=file, folder=folder, bounds=bounds)))


def failure(reader: IsolatedReader, file: Path, folder: Path, bounds: ReadingBounds = BOUNDS) -> str:
    """Why a file gives no document."""
    (problem,) = results(reader, file, folder, bounds)
    assert isinstance(problem, Unreadable), problem
    return problem.reason


def note_with_picture(folder: Path, path: str) -> Path:
    note = folder / "note.md"
    note.write_text(f"---\nimages:\n  - path: {path}\n---\n# A note\n\nWith a picture.\n")
    return note


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.png", "/dev/zero", "below/../../secret.png"])
def test_a_picture_from_outside_the_folder_is_refused(reader: IsolatedReader, notes: Path, path: str) -> None:
    assert "outside the ingested folder" in failure(reader, note_with_picture(notes, path), notes)


def test_a_picture_that_links_out_of_the_folder_is_refused(reader: IsolatedReader, notes: Path) -> None:
    (notes / "inner.png").symlink_to(notes.parent / "secret.png")
    assert "outside the ingested folder" in failure(reader, note_with_picture(notes, "inner.png"), notes)
    (notes / "link.md").write_text("# Linked\n\n![A secret](inner.png)\n")
    (document,) = results(reader, notes / "link.md", notes)
    assert isinstance(document, ParsedDocument)
    assert document.images == ()


def test_a_picture_elsewhere_in_the_folder_is_read(reader: IsolatedReader, notes: Path) -> None:
    (notes / "pictures").mkdir()
    (notes / "pictures" / "one.png").write_bytes(PICTURE)
    (notes / "texts").mkdir()
    (document,) = results(reader, note_with_picture(notes / "texts", "../pictures/one.png"), notes)
    assert isinstance(document, ParsedDocument)
    assert [image.data for image in document.images] == [PICTURE]


def test_a_picture_that_is_no_file_is_refused(reader: IsolatedReader, notes: Path) -> None:
    os.mkfifo(notes / "pipe.png")
    assert "not a regular file" in failure(reader, note_with_picture(notes, "pipe.png"), notes)


def test_a_huge_picture_is_not_read(reader: IsolatedReader, notes: Path) -> None:
    with (notes / "huge.png").open("wb") as file:
        file.truncate(1024**4)  # takes no space on the disk
    assert "is larger than" in failure(reader, note_with_picture(notes, "huge.png"), notes)


@pytest.mark.parametrize("name", ["pipe.md", "pipe.csv", "pipe.jsonl", "pipe.pdf", "pipe.csv.gz"])
def test_a_document_that_is_no_file_is_refused(reader: IsolatedReader, notes: Path, name: str) -> None:
    os.mkfifo(notes / name)
    assert failure(reader, notes / name, notes) == "is not a regular file"


def test_a_device_is_refused(reader: IsolatedReader, notes: Path) -> None:
    (notes / "zero.txt").symlink_to("/dev/zero")
    assert failure(reader, notes / "zero.txt", notes) == "is not a regular file"


def test_front_matter_with_aliases_is_refused(reader: IsolatedReader, notes: Path) -> None:
    levels = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10))
    (notes / "laughs.md").write_text(f"---\na0: &a0 [ha, ha]\n{levels}\n---\n# Ha\n")
    assert failure(reader, notes / "laughs.md", notes) == "begins with front matter that uses aliases"


def test_deep_front_matter_is_refused(reader: IsolatedReader, notes: Path) -> None:
    (notes / "deep.md").write_text(f"---\na: {'[' * 5000}\n---\n# Deep\n")
    assert failure(reader, notes / "deep.md", notes) == "begins with front matter of more than 20 levels"


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("line.csv.gz", b"\0" * 1024),
        ("rows.csv.gz", (b"word " * 204 + b"b,c\n")),
        ("line.jsonl.gz", b"a" * 1024),
        ("blank.jsonl.gz", b"\n" * 1024),
        ("text.txt.gz", b"A. " * 512),
        ("note.md.gz", b"# A\n" * 256),
    ],
)
def test_a_bomb_of_gzip_is_refused(reader: IsolatedReader, notes: Path, name: str, piece: bytes) -> None:
    with gzip.open(notes / name, "wb") as file:
        for _ in range(PACKED_MEGABYTES):
            file.write(piece * (1024 * 1024 // len(piece)))
    reasons = [result.reason for result in results(reader, notes / name, notes) if isinstance(result, Unreadable)]
    assert reasons
    assert "unpacks to more than 200 times its size" in reasons[-1] or "longer than" in reasons[-1]


def test_an_endless_row_is_refused(reader: IsolatedReader, notes: Path) -> None:
    with (notes / "row.csv").open("wb") as file:
        file.write(b"a,b\n1,")
        file.truncate(64 * 1024**3)
    assert failure(reader, notes / "row.csv", notes) == "is not a readable table: line 2 is longer than 1,048,576 bytes"


def test_a_document_that_is_too_much_for_the_pipe_fails_alone(reader: IsolatedReader, notes: Path) -> None:
    (notes / "much.md").write_text("# Much\n\n" + "Much. " * 10_000)
    (notes / "little.md").write_text("# Little\n\nLittle.\n")
    bounds = ReadingBounds(result_bytes=20_000)
    assert failure(reader, notes / "much.md", notes, bounds) == "gives a document of more than 20,000 bytes"
    (document,) = results(reader, notes / "little.md", notes, bounds)
    assert isinstance(document, ParsedDocument)
