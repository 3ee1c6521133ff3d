"""What holds for each reader of `FORMATS`, whatever it reads."""

from contextlib import suppress
from pathlib import PurePath

import pytest

from ingest.content import BrokenContent, Content
from ingest.detection.sniffing import detect, parts_of
from ingest.documents import ParsedDocument, Unreadable
from ingest.formats.known import FORMATS, READERS, Format
from libs.documents.reading import structure_of
from libs.documents.structure import check_structure
from tests.fakes.composer import Composer

LINE = b'{"id": "a", "text": "It landed."}\n'
each = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
each_binary = pytest.mark.parametrize("form", [form for form in FORMATS if form.binary], ids=lambda form: form.name)


def example(form: Format, name: str = "") -> Content:
    kind = form.kinds[0]
    name = name or f"a{kind}"
    return Content(name, name, name, data=LINE if kind == ".jsonl" else Composer(kind[1:], 1).compose())


@each
def test_an_example_is_read_as_documents_whose_structure_fits_their_text(form: Format) -> None:
    results = list(form.read(example(form)))
    documents = [result for result in results if isinstance(result, ParsedDocument)]
    assert documents
    assert not any(isinstance(result, Unreadable) for result in results)
    for document in documents:
        assert document.text
        assert document.document_id
        check_structure(document.structure or structure_of(document.text), len(document.text))


@each
def test_the_reader_is_found_by_each_of_its_kinds(form: Format) -> None:
    assert [detect(example(form, f"a{kind}")) for kind in form.kinds] == [form] * len(form.kinds)


@each
def test_the_reader_is_found_by_each_of_its_media_types(form: Format) -> None:
    for media_type in form.media_types:
        assert detect(Content("a", "a", "a", data=b"It landed.", media_type=media_type)) is form


@each
def test_only_the_reader_itself_detects_its_example(form: Format) -> None:
    content = example(form, "nameless")
    others = [other for other in FORMATS if other is not form]
    assert detect(content) in (form, READERS[".txt"])  # any text is plain text
    assert not any(other.detects(content.head(), parts_of(content)) for other in others)


@each_binary
def test_a_binary_format_is_detected_under_any_name_and_media_type(form: Format) -> None:
    for name in ("nameless", "a.txt", "a.pdf", "a.docx", "a.html"):
        assert detect(Content(name, name, name, data=example(form).data, media_type="text/html")) is form


@each_binary
def test_a_binary_format_is_refused_if_only_the_name_says_it(form: Format) -> None:
    for kind in form.kinds:
        with pytest.raises(BrokenContent, match="despite its name"):
            detect(Content("a", f"a{kind}", "a", data=b"It landed."))


@each
def test_what_is_cut_off_raises_nothing_but_broken_content(form: Format) -> None:
    data = example(form).data
    for size in (0, 1, len(data) // 2, len(data) - 1):
        with suppress(BrokenContent):
            list(form.read(Content("a", f"a{form.kinds[0]}", "a", data=data[:size])))


def test_no_two_readers_claim_a_kind_or_a_media_type_or_a_name() -> None:
    kinds = [kind for form in FORMATS for kind in form.kinds]
    media_types = [media_type for form in FORMATS for media_type in form.media_types]
    names = [form.name for form in FORMATS]
    assert all(len(claims) == len(set(claims)) for claims in (kinds, media_types, names))
    assert sorted(kinds) == sorted(READERS)
    assert all(kind == kind.lower() == PurePath(f"a{kind}").suffix for kind in kinds)
