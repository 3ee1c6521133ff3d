from dataclasses import replace

import pytest

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, Section, Structure
from libs.documents.reading import structure_of
from libs.runtime.errors import InvalidInput
from services.retrieve.corpus.documents import Document
from services.retrieve.embedding.embedder import ModelProfile
from services.retrieve.indexing.preparing import Preparation

MODEL = ModelProfile("words", 4)
WITH_MODEL = Preparation(profile=MODEL, language="en")
WHOLE = Document("a", "The Moon.", title="Moon", whole=True)
TOO_FAR = Structure(blocks=(Block(BlockKind.PARAGRAPH, Span(0, 99)),))
BROUGHT = replace(WHOLE, vector=(0.0, 3.0, 0.0, 4.0), vector_model="words")


def test_a_whole_document_is_one_passage_with_its_id_and_embedded_as_it_stands() -> None:
    prepared_document = WITH_MODEL.prepare(WHOLE)
    assert [prepared_document.passage_id(position) for position in range(len(prepared_document.passages))] == ["a"]
    assert WITH_MODEL.texts(prepared_document) == [["The Moon."]]


def test_a_cut_passage_is_embedded_under_its_title_and_headings() -> None:
    prepared_document = WITH_MODEL.prepare(
        replace(WHOLE, text="# Orbit\n\nIt **circles**.\n\n## Tides\n\nThey rise.", whole=False)
    )
    assert [prepared_document.passage_id(position) for position in range(len(prepared_document.passages))] == [
        "a#0",
        "a#1",
    ]
    assert WITH_MODEL.texts(prepared_document) == [["Moon > Orbit\nIt circles."], ["Moon > Orbit > Tides\nThey rise."]]


def test_each_window_of_a_passage_stands_under_its_headings() -> None:
    text = "# Orbit\n\n" + "It circles the Earth. " * 20
    (windows,) = Preparation(window=200, language="en").texts(
        Preparation(window=200, language="en").prepare(Document("a", text))
    )
    assert len(windows) > 1
    assert all(window.startswith("Orbit\nIt circles") and len(window) <= 200 + len("Orbit\n") for window in windows)


def test_what_opens_a_longer_document_is_embedded_by_what_people_ask_of_a_title_page() -> None:
    sections = "\n\n".join(f"# Part {number}\n\nSome words." for number in range(6))
    prepared_document = WITH_MODEL.prepare(Document("a", f"Written by Ann.\n\n{sections}", title="Moon"))
    (first,), (second,), *_ = WITH_MODEL.texts(prepared_document)
    assert first.startswith("Moon > ")
    assert "author" in first
    assert first.endswith("\nWritten by Ann.")
    assert second == "Moon > Part 0\nSome words."
    assert [cut.front for cut in prepared_document.passages] == [True, False, False, False, False, False, False]


def test_what_stands_above_each_passage_is_bounded_in_all() -> None:
    text = "# Words\n\nOnly a few.\n\n" * 20_000
    WITH_MODEL.prepare(Document("a", text, title="t" * 1_000))
    with pytest.raises(InvalidInput, match="above its 20,000 passages") as error:
        WITH_MODEL.prepare(Document("a", text, title="t" * 4_000))
    assert [violation.field for violation in error.value.violations] == ["document.structure.sections"]


def test_a_very_long_heading_is_not_repeated_whole() -> None:
    (texts,) = WITH_MODEL.texts(WITH_MODEL.prepare(Document("a", f"# {'Words ' * 100_000}\n\nOnly a few.")))
    assert len(texts[0]) < 5_000


def test_a_short_document_has_no_title_page() -> None:
    assert not any(cut.front for cut in WITH_MODEL.prepare(replace(WHOLE, whole=False)).passages)


@pytest.mark.parametrize(
    ("text", "explicit_language", "language"),
    [
        ("Die Sonde landete weich auf dem Mond.", "", "de"),
        ("Die Sonde landete weich auf dem Mond.", "nl", "nl"),
        ("4711 0815", "", "fr"),
    ],
)
def test_the_language_is_the_stated_one_else_the_texts_own_else_the_usual_one(
    text: str, explicit_language: str, language: str
) -> None:
    prepared_document = Preparation(language="fr").prepare(Document("a", text, language=explicit_language))
    assert prepared_document.document.language == language


def test_a_structure_that_was_brought_is_kept_and_another_is_read_from_the_text() -> None:
    structure = Structure((Section(), Section("Tides", 1, 0, 0)), (Block(BlockKind.PARAGRAPH, Span(4, 9), 1),))
    prepared_document = WITH_MODEL.prepare(replace(WHOLE, whole=False, structure=structure))
    assert prepared_document.document.structure == structure
    assert WITH_MODEL.texts(prepared_document) == [["Moon > Tides\nMoon."]]
    assert WITH_MODEL.prepare(replace(WHOLE, whole=False)).document.structure == structure_of(WHOLE.text)


def test_a_brought_vector_is_taken_as_it_is_but_for_its_length() -> None:
    prepared_document = WITH_MODEL.prepare(BROUGHT)
    assert prepared_document.vectors is not None
    assert prepared_document.vectors.tolist() == [pytest.approx([0, 0.6, 0, 0.8], abs=1e-3)]


@pytest.mark.parametrize("name", ["words", "publisher/words"])
def test_a_models_publisher_does_not_matter(name: str) -> None:
    assert WITH_MODEL.prepare(replace(BROUGHT, vector_model=name)).model == "words"


def test_an_empty_text_gives_no_passage_and_its_vector_is_left_out() -> None:
    prepared_document = WITH_MODEL.prepare(replace(BROUGHT, text=" \n"))
    assert (prepared_document.passages, prepared_document.vectors) == ((), None)


def test_the_fingerprint_tells_content_and_recipe() -> None:
    fingerprint = WITH_MODEL.prepare(WHOLE).fingerprint
    assert WITH_MODEL.prepare(replace(WHOLE, metadata={})).fingerprint == fingerprint
    others = [
        WITH_MODEL.prepare(replace(WHOLE, principals=("ann",))),
        WITH_MODEL.prepare(replace(WHOLE, title="", text="Moon\nThe Moon.")),
        WITH_MODEL.prepare(BROUGHT),
        WITH_MODEL.prepare(replace(WHOLE, language="en")),
        WITH_MODEL.prepare(replace(WHOLE, structure=Structure())),
        Preparation(size=400, profile=MODEL, language="en").prepare(WHOLE),
        Preparation(window=300, profile=MODEL, language="en").prepare(WHOLE),
        Preparation(language="en").prepare(WHOLE),
    ]
    assert len({fingerprint, *(other.fingerprint for other in others)}) == 1 + len(others)


@pytest.mark.parametrize(
    ("document", "field", "reason"),
    [
        (replace(BROUGHT, whole=False), "document.vector", "FIELD_INVALID"),
        (replace(BROUGHT, vector_model=""), "document.vector_model", "FIELD_INVALID"),
        (replace(BROUGHT, vector_model="other"), "document.vector_model", "VECTOR_MODEL_MISMATCH"),
        (replace(BROUGHT, vector=(1.0,)), "document.vector", "VECTOR_WIDTH_MISMATCH"),
        (replace(BROUGHT, vector=(0.0,) * 4), "document.vector", "FIELD_INVALID"),
        (replace(BROUGHT, vector=(float("nan"),) * 4), "document.vector", "FIELD_INVALID"),
        (replace(WHOLE, date="yesterday"), "document.date", "FIELD_INVALID"),
        (replace(WHOLE, text="a\0b"), "document.text", "DOCUMENT_UNUSABLE"),
        (replace(WHOLE, title="a\0b"), "document.title", "DOCUMENT_UNUSABLE"),
        (replace(WHOLE, metadata={"notes": "ä" * 8_192}), "document.metadata", "FIELD_INVALID"),
        (replace(WHOLE, text="a" * 65_537), "document.text", "FIELD_INVALID"),
        (replace(WHOLE, structure=Structure(())), "document.structure.sections", "FIELD_INVALID"),
        (replace(WHOLE, structure=TOO_FAR), "document.structure.blocks[0].span", "FIELD_INVALID"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_name(document: Document, field: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as error:
        WITH_MODEL.prepare(document)
    assert (error.value.violations[0].field, error.value.reason) == (field, reason)


def test_a_title_is_stored_in_one_line() -> None:
    assert WITH_MODEL.prepare(replace(WHOLE, title="Rain\u2028in\x85\nMay ")).document.title == "Rain in May"


def test_a_file_above_the_setting_is_left_out() -> None:
    document = Document("a", "The probe", original=b"%PDF")
    assert Preparation(language="en").prepare(document).document.original
    assert not Preparation(original_mb=0, language="en").prepare(document).document.original
