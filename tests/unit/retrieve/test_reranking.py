import asyncio
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from services.retrieve.embedding.batches import MAX_CHARACTERS, MAX_ITEMS
from services.retrieve.reranking import BatchingReranker, Pair, Scores


class HeldScorer:
    """Scores a passage by its length, once it is let go."""

    name = "length"

    def __init__(self) -> None:
        self.batches: list[list[Pair]] = []
        self.begun = threading.Event()
        self.go = threading.Event()

    def score(self, pairs: Sequence[Pair]) -> Scores:
        self.batches.append(list(pairs))
        self.begun.set()
        self.go.wait(5)
        return np.array([len(passage) / 1000 for _, passage in pairs])


@pytest.fixture
def scorer() -> HeldScorer:
    return HeldScorer()


@pytest.fixture
def reranker(scorer: HeldScorer) -> Iterator[BatchingReranker]:
    reranker = BatchingReranker(scorer)
    yield reranker
    scorer.go.set()
    reranker.close()


async def started(reranker: BatchingReranker, query: str, *passages: str) -> "asyncio.Task[Scores]":
    """A call that has queued its pairs."""
    task = asyncio.create_task(reranker.rerank(query, passages))
    await asyncio.sleep(0.01)
    return task


async def test_scores_come_in_the_order_of_the_passages(scorer: HeldScorer, reranker: BatchingReranker) -> None:
    scorer.go.set()
    passages = ["x" * length for length in (300, 100, 200)]
    assert await reranker.rerank("q", passages) == pytest.approx([0.3, 0.1, 0.2])
    assert len(await reranker.rerank("q", [])) == 0


async def test_batches_are_bounded_and_of_like_lengths(scorer: HeldScorer, reranker: BatchingReranker) -> None:
    scorer.go.set()
    await reranker.rerank("q", ["x" * (1 + 37 * number % 600) for number in range(100)])
    lengths = [[len(query) + len(passage) for query, passage in batch] for batch in scorer.batches]
    assert all(len(batch) <= MAX_ITEMS for batch in lengths)
    assert all(len(batch) == 1 or max(batch) * len(batch) <= MAX_CHARACTERS for batch in lengths)
    assert [length for batch in lengths for length in batch] == sorted(length for batch in lengths for length in batch)


async def test_a_caller_who_leaves_takes_the_work_along(scorer: HeldScorer, reranker: BatchingReranker) -> None:
    leaving = await started(reranker, "leaves", *("x" * 900 for _ in range(20)))
    await asyncio.to_thread(scorer.begun.wait)
    staying = await started(reranker, "stays", "y")
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    scorer.go.set()
    assert await staying == pytest.approx([0.001])
    assert [query for batch in scorer.batches for query, _ in batch] == ["leaves", "stays"]
