import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, DocumentProgress, IngestStatus, Receipt
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.indexing.incoming import Incoming
from services.retrieve.indexing.ingesting import Ingester
from services.retrieve.indexing.preparing import Preparation
from tests.fakes.word_encoder import WordEncoder

LUNA = Document("luna", "Luna 9 landed softly.")


async def stream(*incoming: Incoming) -> AsyncIterator[Incoming]:
    for document in incoming:
        yield document


async def put_all(ingester: Ingester, *incoming: Incoming) -> list[Receipt]:
    outcomes = ingester.put_all("default", stream(*incoming))
    return [receipt async for outcome in outcomes if not isinstance(outcome, DocumentProgress) for receipt in outcome]


def texts(corpus: Corpus) -> dict[str, str]:
    return corpus.read(
        lambda connection: dict(connection.execute("SELECT document_id, text FROM documents").fetchall())
    )


def vectors(corpus: Corpus) -> list[bytes]:
    return corpus.read(lambda connection: [row[0] for row in connection.execute("SELECT vector FROM passages")])


async def test_unchanged_content_is_not_embedded_or_written_again(ingester: Ingester, encoder: WordEncoder) -> None:
    await ingester.put("default", LUNA)
    receipt = await ingester.put("default", LUNA)
    assert (receipt.status, receipt.passages) == (IngestStatus.UNCHANGED, 1)
    assert len(encoder.encoded) == 1


@pytest.mark.parametrize(
    "change",
    [{"principals": ("ann",)}, {"date": "2031"}, {"metadata": {"k": "v"}}, {"url": "https://example.org/"}],
    ids=lambda change: next(iter(change)),
)
async def test_what_changes_beside_the_words_is_written_without_a_new_embedding(
    ingester: Ingester, encoder: WordEncoder, corpus: Corpus, change: dict[str, Any]
) -> None:
    await ingester.put("default", LUNA)
    before = vectors(corpus)
    receipt = await ingester.put("default", replace(LUNA, **change))
    assert (receipt.status, receipt.passages) == (IngestStatus.REPLACED, 1)
    assert len(encoder.encoded) == 1
    assert vectors(corpus) == before


@pytest.mark.parametrize("change", [{"text": "Luna 9 fell silent."}, {"title": "Luna"}], ids=str)
async def test_what_changes_the_words_is_embedded_anew(
    ingester: Ingester, encoder: WordEncoder, corpus: Corpus, change: dict[str, Any]
) -> None:
    await ingester.put("default", LUNA)
    before = vectors(corpus)
    await ingester.put("default", replace(LUNA, **change))
    assert len(encoder.encoded) == 2
    assert vectors(corpus) != before


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["one", "two", ""])), max_size=150))
async def test_the_last_version_of_a_document_stays_however_fast_versions_come(
    tmp_path_factory: pytest.TempPathFactory, versions: list[tuple[str, str]]
) -> None:
    encoder = WordEncoder()
    embedder = BatchingEmbedder(encoder)
    with Corpus.open(tmp_path_factory.mktemp("versions")) as corpus:
        ingester = Ingester(corpus, embedder, Preparation(profile=encoder.profile, language="en"))
        receipts = await put_all(ingester, *(Document(name, text) for name, text in versions))
        assert [receipt.document_id for receipt in receipts] == [name for name, _ in versions]
        assert texts(corpus) == dict(versions)
    embedder.close()


async def test_a_sender_that_stops_loses_nothing_that_was_acknowledged(ingester: Ingester, corpus: Corpus) -> None:
    async def broken() -> AsyncIterator[Incoming]:
        yield LUNA
        raise ConnectionError("gone")

    receipts = ingester.put_all("default", broken())
    first = await anext(receipts)
    assert not isinstance(first, DocumentProgress)
    assert [receipt.document_id for receipt in first] == ["luna"]
    with pytest.raises(ConnectionError):
        await anext(receipts)
    assert texts(corpus).keys() == {"luna"}


async def test_nothing_is_embedded_for_a_sender_that_has_left(ingester: Ingester, encoder: WordEncoder) -> None:
    long_texts = ["\n\n".join(f"Luna {number} fell silent at {day}." for day in range(9000)) for number in range(5)]
    first, *others = [Document(f"d{number}", text) for number, text in enumerate(long_texts)]
    await ingester.put("default", first)
    whole = len(encoder.encoded)
    receipts = ingester.put_all("default", stream(*others))
    async with aclosing(receipts):
        assert isinstance(await anext(receipts), DocumentProgress)  # the first slice of the first document is done
    await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)
    assert len(encoder.encoded) < 4 * whole


async def test_a_reader_that_leaves_stops_the_work(ingester: Ingester) -> None:
    count = 0

    async def endless() -> AsyncIterator[Incoming]:
        nonlocal count
        while True:
            count += 1
            yield Document(f"d{count}", "text")
            await asyncio.sleep(0)

    async with aclosing(ingester.put_all("default", endless())) as receipts:
        await anext(receipts)
    before = count
    await asyncio.sleep(0.05)
    assert count <= before + 1


async def test_large_documents_wait_with_their_sender(ingester: Ingester) -> None:
    count = 0

    async def large() -> AsyncIterator[Incoming]:
        nonlocal count
        for count in range(1, 61):
            yield Document(f"d{count}", "text", original=bytes(8 << 20))

    async with aclosing(ingester.put_all("default", large())) as receipts:
        await anext(receipts)
        await asyncio.sleep(0.5)
        assert count < 30
