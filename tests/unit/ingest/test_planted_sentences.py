"""Whatever stands in a file is in its text or named among what was left out; what is hidden is never in the text.

Sixteen files of each kind, composed at random of all places that the format has for text.
"""

import pytest

from ingest import documents
from ingest.documents import Omission, OmissionReason, ParsedDocument, PassedOver, ReadResult
from libs.documents.rendering import plain_words
from tests.fakes.composer import KINDS, Composer
from tests.fakes.office_files import packed, strict
from tests.unit.ingest.structures import read_bytes, read_one

FILES = 16
UNREAD = frozenset({"calendar", "card", "report", "enriched"})
"""Kinds of attachments that are passed over, and told by their names."""
SPREAD = frozenset({"table", "long table", "table of cells", "row", "cell over columns", "cell over rows"})
"""Places whose words stand in each cell that they cover."""
each_kind = pytest.mark.parametrize("kind", KINDS)


class Read:
    """What was read of a file."""

    def __init__(self, results: list[ReadResult]) -> None:
        self.documents = [result for result in results if isinstance(result, ParsedDocument)]
        self.text = "\n".join(f"{document.text}\n{plain_words(document.text)}" for document in self.documents)
        self.omissions = [omission for document in self.documents for omission in document.omissions]
        stated = [text for document in self.documents for text in (document.title, *document.metadata.values())]
        captions = [image.caption for document in self.documents for image in document.images]
        self.beside = "\n".join((*stated, *captions))
        self.is_complete = not any(isinstance(result, PassedOver) for result in results)

    def reasons(self, sentence: str) -> set[OmissionReason]:
        """Why a sentence is left out; its first word is one that no other has."""
        word = sentence.split()[0]
        return {omission.reason for omission in self.omissions if word in omission.excerpt}

    def lacks(self, sentence: str) -> bool:
        return sentence not in self.text and sentence not in self.beside and not self.reasons(sentence)


def composed(kind: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Read, dict[str, str]]]:
    """The files as they are read, with all of each text that is left out, and their sentences with their places."""
    monkeypatch.setattr(documents, "MAX_EXCERPT", 10**6)
    composer = Composer(kind, KINDS.index(kind) + 1)
    return [(Read(read_bytes(f"a.{kind}", composer.compose())), composer.sentences) for _ in range(FILES)]


@each_kind
def test_each_sentence_is_in_the_text_or_named_and_none_is_lost(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = composed(kind, monkeypatch)
    lost = [
        place
        for read, sentences in files
        for sentence, place in sentences.items()
        if read.lacks(sentence) and (read.is_complete or place.rpartition("/")[2] not in UNREAD)
    ]
    assert lost == []
    assert sum(len(sentences) for _, sentences in files) >= 5 * FILES


@each_kind
def test_what_is_hidden_is_named_as_such_and_never_in_the_text(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for read, sentences in composed(kind, monkeypatch):
        for sentence, place in sentences.items():
            if any(part.startswith("hidden") for part in place.split("/")):
                assert OmissionReason.HIDDEN in read.reasons(sentence), place
                assert sentence not in read.text, place


@each_kind
def test_what_a_reader_sees_in_the_text_is_there_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for read, sentences in composed(kind, monkeypatch):
        text = "\n".join(document.text for document in read.documents)
        for sentence, place in sentences.items():
            assert text.count(sentence) < 2 or SPREAD & set(place.split("/")), place


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx"])
def test_the_strict_variant_says_the_same(kind: str) -> None:
    data = Composer(kind, 7).compose()
    name = f"a.{kind}"
    assert read_one(name, strict(data)).text == read_one(name, data).text


def test_a_chapter_that_is_missing_costs_no_other_and_is_named() -> None:
    items = '<item id="a" href="a" media-type="text/html"/><item id="b" href="b" media-type="text/html"/>'
    order = '<itemref idref="a"/><itemref idref="b"/>'
    book = {"META-INF/container.xml": '<container><rootfile full-path="book"/></container>'}
    document = read_one(
        "a.epub", packed(book | {"book": f"<package>{items}{order}</package>", "a": "<p>It landed.</p>"})
    )
    assert document.text == "It landed."
    assert document.omissions == (Omission(OmissionReason.DAMAGED, "b"),)


def test_an_object_of_another_program_is_named() -> None:
    names = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    shape = '<p:graphicFrame><p:oleObj progId="Visio.Drawing.15"/></p:graphicFrame>'
    parts = {
        "ppt/presentation.xml": f'<p:presentation {names} xmlns:r="{relation}"><p:sldId r:id="a"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": f'<R><R Id="a" Type="{relation}/slide" Target="a.xml"/></R>',
        "ppt/a.xml": f"<p:sld {names}><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:sld>",
    }
    document = read_one("a.pptx", packed(dict(parts)))
    assert Omission(OmissionReason.OBJECT, "slide 1", "Visio.Drawing.15") in document.omissions
