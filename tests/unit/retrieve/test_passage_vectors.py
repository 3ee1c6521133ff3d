"""Vectors of its passages that a document brings: taken when they fit, ignored and told when they do not."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from libs.runtime.errors import InvalidInput
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, IngestStatus, PassageVectors
from services.retrieve.corpus.reading import documents_after
from services.retrieve.indexing.ingesting import Ingester
from services.retrieve.indexing.passage_vectors import texts_digest
from services.retrieve.indexing.preparing import Preparation
from tests.fakes.word_encoder import WordEncoder

MODEL = WordEncoder().profile
PREPARATION = Preparation(profile=MODEL, language="en")
MOON = Document(
    "moon", "# Orbit\n\n" + "It circles the Earth. " * 40 + "\n\n# Tides\n\nThey rise and fall.", title="Moon"
)
WHOLE = Document("whole", "The Moon.", whole=True)
EAST = np.eye(1, MODEL.width, dtype=np.float32)[0]
"""A vector that no text of these tests gets from the model."""


def texts_of(document: Document, preparation: Preparation = PREPARATION) -> list[list[str]]:
    return preparation.texts(preparation.prepare(document))


def with_vectors(document: Document, preparation: Preparation = PREPARATION, model: str = MODEL.name) -> Document:
    texts = texts_of(document, preparation)
    vectors = np.tile(EAST, (sum(map(len, texts)), 1)).astype(np.float16)
    return replace(document, passage_vectors=PassageVectors(model, texts_digest(texts), vectors.tobytes()))


def stored_vectors(corpus: Corpus) -> np.ndarray:
    rows = corpus.read(lambda connection: connection.execute("SELECT vector FROM passages ORDER BY id").fetchall())
    return np.frombuffer(b"".join(row[0] for row in rows), np.float16).reshape(-1, MODEL.width)


@pytest.mark.parametrize("document", [MOON, WHOLE], ids=["cut", "whole"])
async def test_vectors_that_fit_are_stored_and_nothing_is_embedded(
    ingester: Ingester, corpus: Corpus, encoder: WordEncoder, document: Document
) -> None:
    receipt = await ingester.put("default", with_vectors(document))
    assert (receipt.status, receipt.vectors_ignored) == (IngestStatus.ADDED, False)
    assert stored_vectors(corpus).tolist() == [EAST.tolist()] * sum(map(len, texts_of(document)))
    assert encoder.encoded == []
    assert corpus.collection("default")[1].embedding_model == MODEL.name


@pytest.mark.parametrize(
    "document",
    [
        with_vectors(MOON, Preparation(size=400, profile=MODEL, language="en")),
        with_vectors(MOON, Preparation(window=200, profile=MODEL, language="en")),
        with_vectors(MOON, model="another"),
        replace(MOON, passage_vectors=with_vectors(replace(MOON, title="Luna")).passage_vectors),
    ],
    ids=["passages", "windows", "model", "title"],
)
async def test_vectors_of_other_texts_or_another_model_are_ignored_and_the_receipt_says_so(
    ingester: Ingester, corpus: Corpus, encoder: WordEncoder, document: Document
) -> None:
    receipt = await ingester.put("default", document)
    assert (receipt.status, receipt.vectors_ignored) == (IngestStatus.ADDED, True)
    texts = [window for windows in texts_of(MOON) for window in windows]
    assert stored_vectors(corpus).tolist() == WordEncoder().encode(texts).astype(np.float16).tolist()


async def test_the_same_document_with_and_without_vectors_is_unchanged(ingester: Ingester) -> None:
    await ingester.put("default", with_vectors(MOON))
    assert (await ingester.put("default", MOON)).status is IngestStatus.UNCHANGED
    assert (await ingester.put("default", with_vectors(MOON))).status is IngestStatus.UNCHANGED


async def test_without_an_embedder_they_are_ignored(corpus: Corpus) -> None:
    receipt = await Ingester(corpus, None, Preparation(language="en")).put("default", with_vectors(MOON))
    assert (receipt.status, receipt.vectors_ignored) == (IngestStatus.ADDED, True)
    assert corpus.collection("default")[1].embedding_model == ""


async def test_an_empty_text_needs_none(ingester: Ingester) -> None:
    supplied = PassageVectors(MODEL.name, texts_digest([]), b"")
    receipt = await ingester.put("default", Document("empty", " ", passage_vectors=supplied))
    assert (receipt.status, receipt.vectors_ignored) == (IngestStatus.EMPTY, False)


def values(rows: Sequence[Sequence[float]]) -> bytes:
    return np.array(rows, "<f2").tobytes()


@pytest.mark.parametrize(
    "content",
    [b"", values([EAST[:-1].tolist()]), values([(2 * EAST).tolist()]), values([[float("nan")] * MODEL.width])],
    ids=["nothing", "too narrow", "too long", "not a number"],
)
async def test_values_that_are_no_unit_vectors_of_the_models_width_are_refused(
    ingester: Ingester, corpus: Corpus, content: bytes
) -> None:
    supplied = PassageVectors(MODEL.name, texts_digest([[WHOLE.text]]), content)
    with pytest.raises(InvalidInput, match=r"document\.passage_vectors\.values"):
        await ingester.put("default", replace(WHOLE, passage_vectors=supplied))
    assert corpus.collection("default")[1].documents == 0


async def test_a_vector_of_its_own_and_those_of_its_passages_exclude_each_other(ingester: Ingester) -> None:
    both = replace(with_vectors(WHOLE), vector=tuple(EAST.tolist()), vector_model=MODEL.name)
    with pytest.raises(InvalidInput, match=r"document\.passage_vectors"):
        await ingester.put("default", both)


def test_the_digest_tells_windows_and_passages_apart() -> None:
    digests = {texts_digest(texts) for texts in ([["ab"]], [["a", "b"]], [["a"], ["b"]], [["a"]], [["ab", ""]])}
    assert len(digests) == 5


async def test_a_listing_has_the_fingerprint_of_a_stored_document(ingester: Ingester, corpus: Corpus) -> None:
    await ingester.put("default", MOON)
    (summary,) = corpus.read(lambda connection: documents_after(connection, "default", "", 10, ()))
    assert summary.fingerprint == PREPARATION.digests(with_vectors(MOON))[0]
    assert summary.fingerprint != PREPARATION.digests(replace(MOON, title="Luna"))[0]
