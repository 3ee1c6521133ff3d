"""A file that hangs or kills its reader fails alone; the next one is read."""

import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import ParsedDocument, Unreadable
from ingest.isolation import IsolatedReader
from tests.fakes import office_files as make


@pytest.fixture
def reader() -> Iterator[IsolatedReader]:
    with closing(IsolatedReader()) as isolated_reader:
        yield isolated_reader


def content(name: str, data: bytes) -> Content:
    return Content(name, name, name, data=data)


def test_what_a_library_parses_is_read_in_a_child_that_goes_on_living(reader: IsolatedReader) -> None:
    results = [*reader.read(content("a.pdf", make.pdf([make.FACT]))), *reader.read(content("b.docx", make.docx()))]
    assert [one.document_id for one in results if isinstance(one, ParsedDocument)] == ["a.pdf", "b.docx"]
    assert len(multiprocessing.active_children()) == 1


def test_a_file_that_takes_too_long_is_left_and_the_next_one_is_read(reader: IsolatedReader, tmp_path: Path) -> None:
    list(reader.read(content("first.docx", make.docx())))  # the child's own start is not what takes too long
    endless = tmp_path / "endless.jsonl"
    with endless.open("wb") as file:
        file.truncate(1024**4)  # a line of a terabyte, which takes no space on the disk
    slow = Content("endless", "endless.jsonl", "endless", file=endless, bounds=ReadingBounds(seconds=0.3))
    assert list(reader.read(slow)) == [Unreadable("endless", "takes longer than 0.3 seconds to read")]
    (document,) = reader.read(content("a.docx", make.docx()))
    assert isinstance(document, ParsedDocument)


def test_a_reader_that_dies_fails_its_file_alone(reader: IsolatedReader) -> None:
    documents = content("a.docx", make.docx())
    list(reader.read(documents))
    for child in multiprocessing.active_children():
        child.kill()
        child.join()
    (problem,) = reader.read(documents)
    assert problem == Unreadable("a.docx", "crashed its reader: it is damaged or too large")
    (document,) = reader.read(replace(documents, document_id="again"))
    assert isinstance(document, ParsedDocument)


def test_nothing_is_left_running() -> None:
    with closing(IsolatedReader()) as reader:
        list(reader.read(content("a.docx", make.docx())))
    assert multiprocessing.active_children() == []
