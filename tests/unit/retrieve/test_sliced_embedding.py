"""Long documents: what is embedded of them is kept while the rest still is, and tells how far it is."""

import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, DocumentProgress, IngestStatus, Receipt
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.indexing.incoming import Incoming
from services.retrieve.indexing.ingesting import Ingester
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.indexing.sliced_embedding import SLICE
from tests.fakes.word_encoder import WordEncoder

LONG = Document(
    "long", "\n\n".join(f"# Part {n}\n\nThe probe number {n} landed on the moon." for n in range(4 * SLICE))
)
SHORT = Document("short", "Luna 9 landed softly.")


class FailingEncoder(WordEncoder):
    """Fails once it has encoded so many texts."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._counting = threading.Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with self._counting:
            if len(self.encoded) + len(texts) > self._most:
                raise RuntimeError("out of order")
            return super().encode(texts)


async def ingest(corpus: Corpus, encoder: WordEncoder, *documents: Document) -> list[Receipt | DocumentProgress]:
    async def stream() -> AsyncIterator[Incoming]:
        for document in documents:
            yield document

    embedder = BatchingEmbedder(encoder, cache_size=0)
    try:
        ingester = Ingester(corpus, embedder, Preparation(profile=encoder.profile, language="en"))
        outcomes = ingester.put_all("default", stream())
        return [
            message
            async for outcome in outcomes
            for message in ([outcome] if isinstance(outcome, DocumentProgress) else outcome)
        ]
    finally:
        embedder.close()


def vectors(corpus: Corpus) -> list[bytes]:
    return corpus.read(lambda connection: [row[0] for row in connection.execute("SELECT vector FROM passages")])


def kept(corpus: Corpus) -> int:
    count: int = corpus.read(lambda connection: connection.execute("SELECT count(*) FROM kept_vectors").fetchone()[0])
    return count


async def test_a_long_document_tells_how_far_it_is(corpus: Corpus) -> None:
    *messages, short, long = await ingest(corpus, WordEncoder(), SHORT, LONG)
    assert [type(message) for message in messages] == [DocumentProgress] * len(messages)
    progress = [message for message in messages if isinstance(message, DocumentProgress)]
    assert {(message.document_id, message.place) for message in progress} == {("long", 1)}
    passages_done = [message.passages for message in progress]
    assert isinstance(short, Receipt)
    assert isinstance(long, Receipt)
    assert passages_done == sorted(set(passages_done))
    assert (passages_done[-1], long.passages, short.passages) == (4 * SLICE, 4 * SLICE, 1)
    assert kept(corpus) == 0


async def test_a_document_whose_ingest_broke_off_goes_on_where_it_ended(corpus: Corpus, tmp_path: Path) -> None:
    (last_receipt,) = [one for one in await ingest(corpus, FailingEncoder(2 * SLICE), LONG) if isinstance(one, Receipt)]
    assert last_receipt.status is IngestStatus.FAILED
    assert kept(corpus) == 2
    encoder = WordEncoder()
    receipt = (await ingest(corpus, encoder, LONG))[-1]
    assert isinstance(receipt, Receipt)
    assert (receipt.status, len(encoder.encoded), kept(corpus)) == (IngestStatus.ADDED, 2 * SLICE, 0)
    with Corpus.open(tmp_path / "other") as other:
        await ingest(other, WordEncoder(), LONG)
        assert vectors(other) == vectors(corpus)


async def test_what_another_text_kept_is_not_taken(corpus: Corpus) -> None:
    await ingest(corpus, FailingEncoder(2 * SLICE), LONG)
    encoder = WordEncoder()
    await ingest(corpus, encoder, Document("long", LONG.text.replace("moon", "mars")))
    assert len(encoder.encoded) == 4 * SLICE
