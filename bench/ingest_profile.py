"""Where the time of an ingest goes: `python -m bench.ingest --profile [documents]`.

Every step of the way from a file to an answer's engines, one after the other in one process, so that the shares add up;
in a running suite the steps of different documents overlap and the slowest one sets the pace.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.passages import write_passages
from cli.ingest.sources import IngestOptions, Item, read
from ingest.sources.roots import Roots
from ingest.vectors import read_vectors
from libs.contracts.wire.codec import from_message
from libs.runtime.serving.validation import Validation
from parley.retrieve.v1 import corpus_pb2
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, PreparedDocument
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.embedder import TextKind
from services.retrieve.embedding.opening import NoEncoder, open_encoder
from services.retrieve.engines.collection import Engines
from services.retrieve.indexing.ingesting import MOST_DOCUMENTS
from services.retrieve.indexing.preparing import Preparation

MODEL = "all-MiniLM-L6-v2"


@dataclass
class Stopwatch:
    """Seconds by step."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time the block as one step."""
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


MOST_EMBEDDED = 2000
"""Embedding is a hundred times slower than all the rest: so many documents show its share."""


def profile(console: Console, count: int) -> None:
    """Measure and print both ways: embedded here, and with vectors that are brought along."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        few = min(count, MOST_EMBEDDED)
        lines, _ = write_passages(Path(folder), few)
        _print(console, f"{few:,} documents, embedded here", few, _run(Path(folder) / "a", lines, None))
        lines, vectors = write_passages(Path(folder), count)
        _print(console, f"{count:,} documents with vectors", count, _run(Path(folder) / "b", lines, vectors))


def _run(data: Path, lines: Path, vectors: Path | None) -> dict[str, float]:
    watch = Stopwatch()
    encoder = None if vectors else open_encoder("auto", data / "models", 2)
    if isinstance(encoder, NoEncoder):
        raise SystemExit(encoder.reason)
    embedder = BatchingEmbedder(encoder, 0) if encoder else None
    options = IngestOptions(vectors is not None, read_vectors(vectors) if vectors else None, MODEL)
    preparation = Preparation(profile=embedder.profile if embedder else None, language="en")
    validation = Validation()
    with Corpus.open(data) as corpus:
        items = read([lines], Roots(), options)
        while True:
            with watch.step("read and parse"):
                batch = [item for _, item in zip(range(MOST_DOCUMENTS), items, strict=False) if isinstance(item, Item)]
            if not batch:
                break
            documents = _over_the_wire(watch, batch, validation)
            with watch.step("cut and fingerprint"):
                prepared_documents = [preparation.prepare(document) for document in documents]
            if embedder is not None:
                with watch.step("embed"):
                    prepared_documents = _embed(embedder, preparation, prepared_documents)
            with watch.step("write"):
                corpus.put("default", prepared_documents).result()
        _index(watch, corpus, data / "engines")
    if embedder is not None:
        embedder.close()
    return watch.seconds


def _over_the_wire(watch: Stopwatch, batch: Sequence[Item], validation: Validation) -> list[Document]:
    with watch.step("encode, decode"):
        messages = [corpus_pb2.Document.FromString(item.document.SerializeToString()) for item in batch]
    with watch.step("validate"):
        for message in messages:
            validation.check(message)
    with watch.step("encode, decode"):
        return [from_message(message, Document) for message in messages]


def _embed(
    embedder: BatchingEmbedder, preparation: Preparation, documents: Sequence[PreparedDocument]
) -> list[PreparedDocument]:
    windows = [preparation.texts(document) for document in documents]
    texts = [text for of_document in windows for of_passage in of_document for text in of_passage]
    vectors = asyncio.run(embedder.embed(texts, TextKind.PASSAGE)).astype(np.float16)
    counts = [tuple(map(len, of_document)) for of_document in windows]
    ends = np.cumsum([sum(of_document) for of_document in counts]).tolist()
    return [
        replace(document, vectors=vectors[end - sum(count) : end], windows=count, model=MODEL)
        for document, count, end in zip(documents, counts, ends, strict=True)
    ]


def _index(watch: Stopwatch, corpus: Corpus, directory: Path) -> None:
    engines = Engines(corpus, directory)
    collection = engines.of("default")
    with watch.step("index words"):
        collection.lexical()
    with watch.step("index vectors"):
        collection.vector()
    engines.close()


def _print(console: Console, title: str, count: int, seconds: dict[str, float]) -> None:
    whole = sum(seconds.values())
    table = Table("step", "seconds", "share", "documents/s", title=title, title_justify="left")
    for name, step_seconds in sorted(seconds.items(), key=lambda step: -step[1]):
        table.add_row(name, f"{step_seconds:.2f}", f"{step_seconds / whole:.0%}", f"{count / step_seconds:,.0f}")
    table.add_row("all", f"{whole:.2f}", "", f"{count / whole:,.0f}")
    console.print(table)
