"""A corpus filled by few words, for tests of what stands on it."""

from dataclasses import replace

import numpy as np

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, IngestStatus
from services.retrieve.preparing import Preparation
from services.runtime.errors import InvalidInput
from tests.fakes.word_encoder import WordEncoder

ENCODER = WordEncoder()
PREPARATION = Preparation(profile=ENCODER.profile)


def put(corpus: Corpus, document: Document, collection: str = "default", vectors: bool = True) -> IngestStatus:
    """Write a document as the ingester would, and wait for the commit."""
    prepared = PREPARATION.prepare(document)
    if vectors and prepared.passages and prepared.vectors is None:
        embedded = ENCODER.encode(PREPARATION.texts(prepared)).astype(np.float16)
        prepared = replace(prepared, vectors=embedded, model=ENCODER.profile.name)
    (outcome,) = corpus.put(collection, [prepared]).result()
    if isinstance(outcome, InvalidInput):
        raise outcome
    return outcome
