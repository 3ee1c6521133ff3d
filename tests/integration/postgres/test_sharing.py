"""What several processes see of one corpus in PostgreSQL, and what a killed server costs."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from services.retrieve.corpus import feed, reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.documents import Document, IngestStatus
from services.retrieve.corpus.writing import put_documents
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.indexing.later_vectors import LaterVectors
from tests.conformance.databases import OpenCorpus, in_postgres
from tests.fakes.stored_documents import PREPARATION, put
from tests.fakes.word_encoder import WordEncoder
from tests.integration.postgres.process import PostgresProcess

LUNA = Document("luna", "Luna 9 landed softly. It sent pictures.", title="Luna 9")
WRITES = 40


@pytest.fixture
def opened(postgres: PostgresProcess) -> OpenCorpus:
    return in_postgres(postgres.url)


@pytest.fixture
def two(opened: OpenCorpus) -> Iterator[tuple[Corpus, Corpus]]:
    with ExitStack() as stack:
        yield stack.enter_context(opened()), stack.enter_context(opened())


def soon(holds: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def ids(corpus: Corpus) -> set[str]:
    documents = corpus.read(lambda connection: reading.documents_after(connection, "default", "", 1000, ()))
    return {document.document_id for document in documents}


def test_a_write_is_seen_by_the_other_process_though_it_caches(two: tuple[Corpus, Corpus]) -> None:
    writer, reader = two
    assert reader.identity == writer.identity
    assert reader.collection("default")[1].documents == 0
    put(writer, LUNA)
    assert soon(lambda: reader.collection("default")[1].documents == 1)
    assert writer.write(delete_document, "default", "luna").result() is True
    assert soon(lambda: reader.collection("default")[1].documents == 0)


def test_a_follower_misses_no_change_of_two_writers(two: tuple[Corpus, Corpus]) -> None:
    row, _ = two[0].collection("default")

    def write(corpus: Corpus, name: str) -> None:
        futures = [
            corpus.write(put_documents, "default", [PREPARATION.prepare(replace(LUNA, document_id=f"{name}{number}"))])
            for number in range(WRITES)
        ]
        assert [future.result() for future in futures] == [[IngestStatus.ADDED]] * WRITES

    writers = [threading.Thread(target=write, args=(corpus, name)) for corpus, name in zip(two, "ab", strict=True)]
    for writer in writers:
        writer.start()
    documents: set[int] = set()
    through = 0

    def follow() -> bool:
        nonlocal through
        batch = two[1].read(lambda connection: feed.text_changes(connection, row, through, 7))
        if batch is not None:
            documents.update(batch.documents)
            through = batch.through
        return len(documents) == 2 * WRITES

    assert soon(follow, 30)
    for writer in writers:
        writer.join()
    assert ids(two[0]) == ids(two[1]) == {f"{name}{number}" for name in "ab" for number in range(WRITES)}


def test_one_process_at_a_time_does_an_exclusive_task(two: tuple[Corpus, Corpus]) -> None:
    order = []

    def second() -> None:
        with two[1].database.exclusive("text-1"):
            order.append("second")

    with two[0].database.exclusive("text-1"), two[1].database.exclusive("vectors-1"):
        waiting = threading.Thread(target=second)
        waiting.start()
        time.sleep(0.2)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


async def test_processes_take_turns_to_make_vectors(two: tuple[Corpus, Corpus]) -> None:
    encoders = [WordEncoder(), WordEncoder()]
    embedders = [BatchingEmbedder(encoder, cache_size=0) for encoder in encoders]
    waiting = [
        replace(PREPARATION.prepare(Document(f"d{number}", f"Craft {number} landed.")), model="words", width=64)
        for number in range(300)
    ]
    two[0].write(put_documents, "default", waiting).result()
    makers = [LaterVectors(corpus, embedder, PREPARATION) for corpus, embedder in zip(two, embedders, strict=True)]
    await asyncio.gather(*(maker.make() for maker in makers))
    assert sum(len(encoder.encoded) for encoder in encoders) == 300
    assert [corpus.collection("default")[1].passages_without_vectors for corpus in two] == [0, 0]
    for embedder in embedders:
        embedder.close()
