"""What is asked of the process with the models: a missing model is not asked for with every turn."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest

from libs.runtime.errors import Unavailable
from services.answer.image_placement.inference import MISSING_SECONDS, PlacementModelClient, StoredPicture
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.servicer_inference import InferenceServicer
from tests.fakes.running_server import running
from tests.fakes.word_encoder import WordEncoder


class Clock:
    """Stands until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class CountingServicer(InferenceServicer):
    """Counts the rerankings that it is asked for."""

    rerank_count = 0

    async def Rerank(self, request, context):  # type: ignore[no-untyped-def]
        self.rerank_count += 1
        return await super().Rerank(request, context)


@asynccontextmanager
async def client_of(servicer: InferenceServicer, clock: Clock) -> AsyncIterator[PlacementModelClient]:
    async with running(servicer) as server, grpc.aio.insecure_channel(server.target) as channel:
        yield PlacementModelClient(channel, clock)


async def test_texts_come_back_as_unit_vectors() -> None:
    embedder = BatchingEmbedder(WordEncoder())
    async with client_of(InferenceServicer(embedder), Clock()) as client:
        vectors = await client.embed(["a rover", "a rover", "a lander"])
    embedder.close()
    assert vectors is not None
    assert vectors[0] @ vectors[1] == pytest.approx(1)
    assert vectors[0] @ vectors[2] < 0.9


async def test_a_missing_model_is_none_and_asked_for_again_after_a_while() -> None:
    servicer, clock = CountingServicer(None), Clock()
    async with client_of(servicer, clock) as client:
        assert await client.rerank("rover", ["wheels"]) is None
        assert await client.rerank("rover", ["wheels"]) is None
        assert servicer.rerank_count == 1
        clock.now = MISSING_SECONDS
        assert await client.rerank("rover", ["wheels"]) is None
        assert servicer.rerank_count == 2
        assert await client.embed(["rover"]) is None
        assert await client.look([StoredPicture("default", "notes/1")], ["rover"], ()) is None


async def test_nobody_there_is_an_error() -> None:
    async with grpc.aio.insecure_channel("127.0.0.1:1") as channel:
        with pytest.raises(Unavailable):
            await PlacementModelClient(channel).embed(["rover"])
