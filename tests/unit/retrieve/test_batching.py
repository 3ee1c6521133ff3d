import asyncio
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from libs.runtime.errors import Unavailable
from services.retrieve.embedding.batches import BACKGROUND, MAX_CHARACTERS, MAX_ITEMS
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.embedder import ModelProfile, TextKind
from tests.fakes.word_encoder import WordEncoder


class HeldEncoder(WordEncoder):
    """Encodes nothing until it is let go; remembers its batches, and fails on the word `bad`."""

    def __init__(self) -> None:
        super().__init__()
        self.profile = ModelProfile("held", 64, query_prefix="query: ", passage_prefix="passage: ")
        self.batches: list[list[str]] = []
        self.begun = threading.Event()
        self.go = threading.Event()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(list(texts))
        self.begun.set()
        self.go.wait(5)
        if any("bad" in text for text in texts):
            raise RuntimeError("cannot")
        return super().encode(texts)


@pytest.fixture
def encoder() -> HeldEncoder:
    return HeldEncoder()


@pytest.fixture
def embedder(encoder: HeldEncoder) -> Iterator[BatchingEmbedder]:
    embedder = BatchingEmbedder(encoder, cache_size=8)
    yield embedder
    encoder.go.set()
    embedder.close()


async def started(embedder: BatchingEmbedder, texts: list[str], kind: TextKind) -> "asyncio.Task[NDArray[np.float32]]":
    """A call that has queued its texts."""
    task = asyncio.create_task(embedder.embed(texts, kind))
    await asyncio.sleep(0.01)
    return task


async def test_vectors_come_in_the_order_of_the_texts(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    encoder.go.set()
    vectors = await embedder.embed(["moon", "mars", "moon"], TextKind.QUERY)
    assert vectors.shape == (3, 64)
    assert (vectors[0] == vectors[2]).all()
    assert not (vectors[0] == vectors[1]).all()
    assert (await embedder.embed([], TextKind.QUERY)).shape == (0, 64)


async def test_each_kind_of_text_gets_its_prefix(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    encoder.go.set()
    await embedder.embed(["moon"], TextKind.QUERY)
    await embedder.embed(["moon"], TextKind.PASSAGE)
    assert encoder.encoded == ["query: moon", "passage: moon"]


async def test_a_text_is_embedded_once_for_all_who_ask(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    calls = [await started(embedder, ["moon", "moon"], TextKind.QUERY) for _ in range(3)]
    encoder.go.set()
    await asyncio.gather(*calls)
    await embedder.embed(["moon"], TextKind.QUERY)
    assert encoder.encoded == ["query: moon"]


async def test_the_cache_forgets_the_longest_unasked_for(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    encoder.go.set()
    for name in ("first", *map(str, range(8)), "first"):
        await embedder.embed([name], TextKind.QUERY)
    assert encoder.encoded.count("query: first") == 2


async def test_questions_go_first_and_callers_share_batches(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    first = await started(embedder, ["begun"], TextKind.PASSAGE)
    ingest = await started(embedder, ["one", "two"], TextKind.PASSAGE)
    questions = [await started(embedder, [word], TextKind.QUERY) for word in ("who", "what")]
    encoder.go.set()
    await asyncio.gather(first, ingest, *questions)
    assert encoder.batches[1] == ["query: who", "query: what", "passage: one", "passage: two"]


async def test_work_in_the_background_comes_last_and_joins_no_other(
    encoder: HeldEncoder, embedder: BatchingEmbedder
) -> None:
    first = await started(embedder, ["begun"], TextKind.PASSAGE)
    background = asyncio.create_task(embedder.embed(["late", "later"], TextKind.PASSAGE, BACKGROUND))
    await asyncio.sleep(0.01)
    others = [await started(embedder, [kind.value], kind) for kind in (TextKind.PASSAGE, TextKind.QUERY)]
    encoder.go.set()
    await asyncio.gather(first, background, *others)
    assert encoder.batches[1:] == [["query: QUERY", "passage: PASSAGE"], ["passage: late", "passage: later"]]


async def test_batches_are_bounded_by_count_and_length(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    texts = [f"{number} " * 200 for number in range(6)] + [str(number) for number in range(40)]
    encoder.go.set()
    await embedder.embed(texts, TextKind.PASSAGE)
    assert all(len(batch) <= MAX_ITEMS for batch in encoder.batches)
    assert all(len(batch) == 1 or max(map(len, batch)) * len(batch) <= MAX_CHARACTERS for batch in encoder.batches)


async def test_a_failure_reaches_its_batch_and_is_forgotten(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    encoder.go.set()
    with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
        await embedder.embed(["bad"], TextKind.QUERY)
    assert (await embedder.embed(["good"], TextKind.QUERY)).shape == (1, 64)
    with pytest.raises(Unavailable):
        await embedder.embed(["bad"], TextKind.QUERY)
    assert encoder.batches.count(["query: bad"]) == 2


async def test_a_caller_who_leaves_takes_nothing_from_others(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    leaving = await started(embedder, ["moon"], TextKind.QUERY)
    staying = await started(embedder, ["moon"], TextKind.QUERY)
    leaving.cancel()
    encoder.go.set()
    assert (await staying).shape == (1, 64)


async def test_what_nobody_waits_for_any_more_is_not_embedded(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    begun = await started(embedder, ["begun"], TextKind.PASSAGE)
    leaving = await started(embedder, ["moon", "moon", "sun"], TextKind.PASSAGE)
    staying = await started(embedder, ["sun"], TextKind.PASSAGE)
    leaving.cancel()
    await asyncio.wait([leaving])
    encoder.go.set()
    await asyncio.gather(begun, staying)
    assert encoder.encoded == ["passage: begun", "passage: sun"]


async def test_a_text_that_was_dropped_can_be_asked_for_again(encoder: HeldEncoder, embedder: BatchingEmbedder) -> None:
    begun = await started(embedder, ["begun"], TextKind.PASSAGE)
    leaving = await started(embedder, ["moon"], TextKind.PASSAGE)
    leaving.cancel()
    await asyncio.wait([leaving])
    again = await started(embedder, ["moon"], TextKind.PASSAGE)
    encoder.go.set()
    await begun
    assert (await again).shape == (1, 64)


async def test_after_closing_nothing_is_taken(encoder: HeldEncoder) -> None:
    encoder.go.set()
    embedder = BatchingEmbedder(encoder)
    embedder.close()
    with pytest.raises(Unavailable):
        await embedder.embed(["late"], TextKind.QUERY)


class PairedEncoder(WordEncoder):
    """Encodes only once two threads are in it at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.both = threading.Barrier(2, timeout=10)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.both.wait()
        return super().encode(texts)


async def test_a_model_that_takes_several_threads_is_run_by_them_side_by_side() -> None:
    encoder = PairedEncoder()
    embedder = BatchingEmbedder(encoder, side_by_side=2)
    texts = [f"{word} " * (MAX_CHARACTERS // 4) for word in ("moon", "mars", "venus", "titan")]
    vectors = await embedder.embed(texts, TextKind.PASSAGE)
    embedder.close()
    assert sorted(encoder.encoded) == sorted(texts)
    assert np.array_equal(vectors, WordEncoder().encode(texts))
