"""A corpus filled by few words, for tests of what stands on it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from libs.runtime.errors import ParleyError
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, IngestStatus, PreparedDocument
from services.retrieve.corpus.permissions import NOBODY, Caller
from services.retrieve.corpus.writing import put_documents
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.indexing.preparing import Preparation
from tests.fakes.word_encoder import WordEncoder

ENCODER = WordEncoder()
PREPARATION = Preparation(profile=ENCODER.profile, language="en")


@pytest.fixture
def embedder() -> Iterator[BatchingEmbedder]:
    """Finds texts by their words; for conftests."""
    new_embedder = BatchingEmbedder(ENCODER)
    yield new_embedder
    new_embedder.close()


def put(
    corpus: Corpus,
    document: Document,
    collection: str = "default",
    vectors: bool = True,
    caller: Caller = NOBODY,
) -> IngestStatus:
    """Write a document as the ingester would, and wait for the commit."""
    prepared_document = PREPARATION.prepare(document)
    documents = embedded([prepared_document]) if vectors else [prepared_document]
    (outcome,) = corpus.write(put_documents, collection, documents, caller).result()
    if isinstance(outcome, ParleyError):
        raise outcome
    return outcome


def embedded(documents: Sequence[PreparedDocument]) -> list[PreparedDocument]:
    """The documents with a vector for each window of those that bring none; all are made in one go."""
    texts = {id(one): PREPARATION.texts(one) for one in documents if one.passages and one.vectors is None}
    flat = [window for passages in texts.values() for windows in passages for window in windows]
    rows = iter(ENCODER.encode(flat).astype(np.float16))

    def with_vectors(prepared_document: PreparedDocument) -> PreparedDocument:
        windows = tuple(map(len, texts[id(prepared_document)]))
        vectors = np.array([next(rows) for _ in range(sum(windows))])
        return replace(prepared_document, vectors=vectors, windows=windows, model=ENCODER.profile.name)

    return [
        with_vectors(prepared_documents) if id(prepared_documents) in texts else prepared_documents
        for prepared_documents in documents
    ]
