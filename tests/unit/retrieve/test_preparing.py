from dataclasses import replace

import pytest

from services.retrieve.corpus.documents import Document
from services.retrieve.embedding.profile import ModelProfile
from services.retrieve.preparing import Preparation
from services.runtime.errors import InvalidInput

MODEL = ModelProfile("words", 4)
WITH_MODEL = Preparation(profile=MODEL)
WHOLE = Document("a", "The Moon.", title="Moon", whole=True)
BROUGHT = replace(WHOLE, vector=(0.0, 3.0, 0.0, 4.0), vector_model="words")


def test_a_whole_document_is_one_passage_with_its_id_and_embedded_as_it_stands() -> None:
    prepared = WITH_MODEL.prepare(WHOLE)
    assert [prepared.passage_id(position) for position in range(len(prepared.passages))] == ["a"]
    assert WITH_MODEL.texts(prepared) == ["The Moon."]


def test_a_cut_passage_is_embedded_under_its_title() -> None:
    prepared = WITH_MODEL.prepare(replace(WHOLE, whole=False))
    assert prepared.passage_id(0) == "a#0"
    assert WITH_MODEL.texts(prepared) == ["Moon\nThe Moon."]


def test_a_brought_vector_is_taken_as_it_is_but_for_its_length() -> None:
    prepared = WITH_MODEL.prepare(BROUGHT)
    assert prepared.vectors is not None
    assert prepared.vectors.tolist() == [pytest.approx([0, 0.6, 0, 0.8], abs=1e-3)]


@pytest.mark.parametrize("name", ["words", "publisher/words"])
def test_a_models_publisher_does_not_matter(name: str) -> None:
    assert WITH_MODEL.prepare(replace(BROUGHT, vector_model=name)).model == "words"


def test_an_empty_text_gives_no_passage_and_its_vector_is_left_out() -> None:
    prepared = WITH_MODEL.prepare(replace(BROUGHT, text=" \n"))
    assert (prepared.passages, prepared.vectors) == ((), None)


def test_the_fingerprint_tells_content_and_recipe() -> None:
    fingerprint = WITH_MODEL.prepare(WHOLE).fingerprint
    assert WITH_MODEL.prepare(replace(WHOLE, metadata={})).fingerprint == fingerprint
    others = [
        WITH_MODEL.prepare(replace(WHOLE, principals=("ann",))),
        WITH_MODEL.prepare(replace(WHOLE, title="", text="Moon\nThe Moon.")),
        WITH_MODEL.prepare(BROUGHT),
        Preparation(size=400, profile=MODEL).prepare(WHOLE),
        Preparation().prepare(WHOLE),
    ]
    assert len({fingerprint, *(other.fingerprint for other in others)}) == 6


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
        (replace(WHOLE, text="a" * 65_537), "document.text", "FIELD_INVALID"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_name(document: Document, field: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        WITH_MODEL.prepare(document)
    assert (refused.value.violations[0].field, refused.value.reason) == (field, reason)
