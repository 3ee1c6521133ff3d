"""An empty corpus, and what stands on it: engines, a model of words, and an ingester."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.indexing.ingesting import Ingester
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.retriever import Retriever
from tests.fakes.stored_documents import embedder
from tests.fakes.word_encoder import WordEncoder

__all__ = ["embedder"]


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path) as corpus:
        yield corpus


@pytest.fixture
def engines(corpus: Corpus, tmp_path: Path) -> Iterator[Engines]:
    engines = Engines(corpus, tmp_path / "engines")
    yield engines
    engines.close()


@pytest.fixture
def retriever(corpus: Corpus, engines: Engines, embedder: BatchingEmbedder) -> Retriever:
    return Retriever(corpus, engines, embedder, RankingSettings())


@pytest.fixture
def encoder() -> WordEncoder:
    """The ingester's model, which remembers what it encoded."""
    return WordEncoder()


@pytest.fixture
def ingester(corpus: Corpus, encoder: WordEncoder) -> Iterator[Ingester]:
    embedder = BatchingEmbedder(encoder)
    yield Ingester(corpus, embedder, Preparation(profile=encoder.profile, language="en"))
    embedder.close()
