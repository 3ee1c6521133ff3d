"""What holds for each reader of `FORMATS`, whatever it reads."""

import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath

import pytest

from ingest.content import SNIFFED, BrokenContent, Content
from ingest.documents import ParsedDocument
from ingest.reader import Reader, Sample
from ingest.readers import FORMATS, READERS, reader_of
from libs.documents.reading import structure_of
from libs.documents.structure import check_structure
from tests.fakes import office_files as make
from tests.fakes import planted_files as planted
from tests.fakes.compound_files import message
from tests.fakes.office_files import FACT

EXAMPLES: dict[str, Callable[[], bytes]] = {
    ".pdf": lambda: make.pdf([FACT]),
    ".epub": make.epub,
    ".docx": make.docx,
    ".pptx": make.pptx,
    ".xlsx": make.xlsx,
    ".odt": lambda: planted.open_text(planted.Planter()),
    ".adoc": lambda: f"= Aquila\n\n{FACT}\n".encode(),
    ".eml": make.eml,
    ".msg": lambda: message("News", FACT),
    ".html": make.html,
    ".md": lambda: f"# Aquila\n\n{FACT}\n".encode(),
    ".rst": lambda: f"Aquila\n======\n\n{FACT}\n".encode(),
    ".tex": lambda: f"\\section{{Aquila}}\n{FACT}\n".encode(),
    ".rtf": lambda: f"{{\\rtf1 {FACT}\\par}}".encode(),
    ".ipynb": lambda: json.dumps({"cells": [{"cell_type": "markdown", "source": [FACT]}]}).encode(),
    ".txt": lambda: FACT.encode(),
    ".csv": lambda: b"part,count\nengine,2\n",
    ".jsonl": lambda: b'{"id": "a", "text": "It landed."}\n',
}
"""A small file of each format, by its first kind."""
each = pytest.mark.parametrize("reader", FORMATS, ids=lambda reader: reader.format.name)
each_binary = pytest.mark.parametrize(
    "reader", [reader for reader in FORMATS if reader.format.binary], ids=lambda reader: reader.format.name
)


def example(reader: Reader, name: str = "") -> Content:
    kind = reader.format.kinds[0]
    name = name or f"a{kind}"
    return Content(name, name, name, data=EXAMPLES[kind]())


@each
def test_an_example_is_read_as_documents_whose_structure_fits_their_text(reader: Reader) -> None:
    documents = list(reader.read(example(reader)))
    assert documents
    for document in documents:
        assert isinstance(document, ParsedDocument)
        assert document.text
        assert document.document_id
        check_structure(document.structure or structure_of(document.text), len(document.text))


@each
def test_the_reader_is_found_by_each_of_its_kinds(reader: Reader) -> None:
    assert [reader_of(example(reader, f"a{kind}")) for kind in reader.format.kinds] == [reader] * len(
        reader.format.kinds
    )


@each
def test_the_reader_is_found_by_each_of_its_media_types(reader: Reader) -> None:
    for media_type in reader.format.media_types:
        assert reader_of(Content("a", "a", "a", data=b"It landed.", media_type=media_type)) is reader


@each
def test_only_the_reader_itself_detects_its_example(reader: Reader) -> None:
    content = example(reader, "nameless")
    others = [other for other in FORMATS if other is not reader]
    assert reader_of(content) in (reader, READERS[".txt"])  # any text is plain text
    assert not any(other.detects(sample_of(content)) for other in others)


@each_binary
def test_a_binary_format_is_detected_under_any_name_and_media_type(reader: Reader) -> None:
    for name in ("nameless", "a.txt", "a.pdf", "a.docx", "a.html"):
        assert reader_of(Content(name, name, name, data=example(reader).data, media_type="text/html")) is reader


@each_binary
def test_a_binary_format_is_refused_if_only_the_name_says_it(reader: Reader) -> None:
    for kind in reader.format.kinds:
        with pytest.raises(BrokenContent, match="despite its name"):
            reader_of(Content("a", f"a{kind}", "a", data=b"It landed."))


@each
def test_what_is_cut_off_raises_nothing_but_broken_content(reader: Reader) -> None:
    data = example(reader).data
    for size in (0, 1, len(data) // 2, len(data) - 1):
        with suppress(BrokenContent):
            list(reader.read(Content("a", f"a{reader.format.kinds[0]}", "a", data=data[:size])))


def test_no_two_readers_claim_a_kind_or_a_media_type_or_a_name() -> None:
    kinds = [kind for reader in FORMATS for kind in reader.format.kinds]
    media_types = [media_type for reader in FORMATS for media_type in reader.format.media_types]
    names = [reader.format.name for reader in FORMATS]
    assert all(len(claims) == len(set(claims)) for claims in (kinds, media_types, names))
    assert sorted(kinds) == sorted(READERS)
    assert all(kind == kind.lower() == PurePath(f"a{kind}").suffix for kind in kinds)


def sample_of(content: Content) -> Sample:
    archive = io.BytesIO(content.data)
    parts = zipfile.ZipFile(archive).namelist() if zipfile.is_zipfile(archive) else []
    return Sample(content.data[:SNIFFED], frozenset(parts), content.kind)
