"""A data directory filled with made-up passages, and its engines opened in this process."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from bench.samples import SAMPLES
from bench.synthetic import Passages, World, make_passages, make_world
from libs.contracts.spans import Span
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, PreparedDocument
from services.retrieve.embedding.embedder import Encoder
from services.retrieve.embedding.opening import NoEncoder, open_encoder
from services.retrieve.embedding.packaged import PACKAGED
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.protocols import LexicalEngine, VectorEngine
from services.retrieve.indexing.passage import Cut
from services.retrieve.search.retriever import DEFAULT_COLLECTION

_BATCH = 1000


@dataclass(frozen=True, slots=True)
class OpenEngines:
    """The engines of a filled directory."""

    lexical: LexicalEngine
    vector: VectorEngine
    encoder: Encoder
    keys: NDArray[np.int64]
    vectors: NDArray[np.float32]
    """Of `keys`, for exact search."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors."""
        return embed_texts(self.encoder, texts)

    def nearest(self, vector: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """The keys of the passages that are truly nearest, in no order."""
        return self.keys[np.argpartition(-(self.vectors @ vector), count)[:count]]


def world_of(data: Path) -> World:
    """The world that all sizes are drawn from; `data` gets the model's graph."""
    encoder = encoder_of(data)
    return make_world(SAMPLES / "corpus", lambda texts: embed_texts(encoder, texts))


def embed_texts(encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors of any number of texts."""
    return np.concatenate([encoder.encode(texts[first : first + 8]) for first in range(0, len(texts), 8)])


def fill(data: Path, count: int, world: World) -> float:
    """Fill an empty directory and build what searches stand on; the seconds it took, 0 when it was full already.

    Raises:
        RuntimeError: it holds another number of passages, or there is no embedding model.
    """
    start = time.perf_counter()
    with Corpus.open(data) as corpus:
        there = corpus.collection(DEFAULT_COLLECTION)[1].passages
        if there == count:
            return 0.0
        if there:
            raise RuntimeError(f"{data} holds {there:,} passages, not {count:,}")
        number = 0
        for passages in make_passages(world, count, _BATCH):
            corpus.put(DEFAULT_COLLECTION, list(_documents(passages, number))).result()
            number += len(passages.texts)
        engines = Engines(corpus, data / "engines")
        engines.catch_up()
        engines.condense()
        engines.close()
    return time.perf_counter() - start


@contextmanager
def open_engines(data: Path) -> Iterator[OpenEngines]:
    """The engines, one core for each search as in the stage."""
    with threadpool_limits(1, user_api="blas"), Corpus.open(data) as corpus:
        engines = Engines(corpus, data / "engines")
        engines.catch_up()
        engines.condense()
        mine = engines.of(DEFAULT_COLLECTION)
        vector = mine.vector()
        if vector is None:
            raise RuntimeError("no vectors")
        keys = np.array(corpus.read(lambda c: c.execute("SELECT id FROM passages").fetchall()), np.int64)[:, 0]
        yield OpenEngines(mine.lexical(), vector, encoder_of(data), keys, vector.vectors(keys))
        engines.close()


def _documents(passages: Passages, first: int) -> Iterator[PreparedDocument]:
    for offset, (text, vector) in enumerate(zip(passages.texts, passages.vectors, strict=True)):
        number = first + offset
        document = Document(f"p{number}", text, title=f"Report {number}", source="bench", whole=True)
        digest = number.to_bytes(8, "big")
        yield PreparedDocument(
            document,
            (Cut((Span(0, len(text)),), ()),),
            fingerprint=digest,
            content=digest,
            vectors=vector[None],
            windows=(1,),
            model=PACKAGED,
        )


def encoder_of(data: Path) -> Encoder:
    """The packaged model, built under a folder.

    Raises:
        RuntimeError: its package is not installed.
    """
    encoder = open_encoder("auto", data / "models", 1)
    if isinstance(encoder, NoEncoder):
        raise RuntimeError(encoder.reason)
    return encoder
