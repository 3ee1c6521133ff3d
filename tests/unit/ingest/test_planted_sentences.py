"""Whatever stands in a file is in its text or named among what was left out; what is hidden is never in the text."""

from collections.abc import Callable

import pytest

from ingest.documents import Omission, OmissionReason, ParsedDocument
from libs.documents.rendering import plain_words
from tests.fakes import planted_files as make
from tests.fakes import planted_office as office
from tests.unit.ingest.structures import read_one

FILES: dict[str, Callable[[make.Planter], bytes]] = {
    "a.docx": office.word,
    "a.pptx": office.slides,
    "a.xlsx": office.sheets,
    "a.odt": make.open_text,
    "a.ods": make.open_sheet,
    "a.odp": make.open_slides,
    "a.html": make.page,
    "a.epub": make.book,
    "a.md": make.markdown,
    "a.adoc": make.asciidoc,
    "a.csv": make.table,
}
HIDDEN = ("hidden", "deletion", "comment block")
"""How the names of places begin that no reader sees; comments of Markdown and AsciiDoc are such, too."""


def planted(name: str) -> tuple[ParsedDocument, dict[str, str]]:
    plant = make.Planter()
    data = FILES[name](plant)
    return read_one(name, data), plant.sentences


def omission_of(document: ParsedDocument, sentence: str) -> Omission | None:
    return next((omission for omission in document.omissions if sentence in omission.excerpt), None)


@pytest.mark.parametrize("name", FILES)
def test_each_sentence_is_in_the_text_or_named_and_none_is_lost(name: str) -> None:
    document, sentences = planted(name)
    text = plain_words(document.text)
    lost = [place for place, one in sentences.items() if one not in text and omission_of(document, one) is None]
    assert lost == []
    assert len(sentences) >= 4


@pytest.mark.parametrize("name", FILES)
def test_what_is_hidden_is_named_as_such_and_never_in_the_text(name: str) -> None:
    document, sentences = planted(name)
    for place, sentence in sentences.items():
        if place.startswith(HIDDEN) or (place == "comment" and name in ("a.md", "a.adoc")):
            omission = omission_of(document, sentence)
            assert sentence not in document.text
            assert omission is not None, place
            assert (omission.reason, omission.characters >= len(sentence)) == (OmissionReason.HIDDEN, True)


@pytest.mark.parametrize("name", FILES)
def test_what_a_reader_sees_in_the_text_is_there_once(name: str) -> None:
    document, sentences = planted(name)
    repeated = {place for place, sentence in sentences.items() if document.text.count(sentence) > 1}
    assert repeated <= {"a", "b", "cell"}  # the fakes put these twice


@pytest.mark.parametrize(
    ("name", "make_file"), [("a.docx", office.word), ("a.pptx", office.slides), ("a.xlsx", office.sheets)]
)
def test_the_strict_variant_says_the_same(name: str, make_file: Callable[[make.Planter], bytes]) -> None:
    data = make_file(make.Planter())
    assert read_one(name, office.strict(data)).text == read_one(name, data).text


def test_a_picture_that_is_missing_costs_no_words() -> None:
    document, sentences = planted("a.pptx")
    assert sentences["body"] in document.text
    assert document.images == ()


def test_a_chapter_that_is_missing_costs_no_other_and_is_named() -> None:
    document, sentences = planted("a.epub")
    assert sentences["paragraph"] in document.text
    assert Omission(OmissionReason.DAMAGED, "b") in document.omissions


def test_an_object_of_another_program_is_named() -> None:
    plant = make.Planter()
    data = office.slides(plant, objects='<p:graphicFrame><p:oleObj progId="Visio.Drawing.15"/></p:graphicFrame>')
    document = read_one("a.pptx", data)
    assert Omission(OmissionReason.OBJECT, "slide 1", "Visio.Drawing.15") in document.omissions
