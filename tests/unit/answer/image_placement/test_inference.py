"""What is asked of the process with the models: a missing one is no failure, a missing process is."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest

from libs.runtime.errors import Unavailable
from services.answer.image_placement.inference import PlacementModelClient
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.servicer_inference import InferenceServicer
from tests.fakes.running_server import running
from tests.fakes.word_encoder import WordEncoder


@asynccontextmanager
async def client_of(servicer: InferenceServicer) -> AsyncIterator[PlacementModelClient]:
    async with running(servicer) as server, grpc.aio.insecure_channel(server.target) as channel:
        yield PlacementModelClient(channel)


async def test_texts_come_back_as_unit_vectors() -> None:
    embedder = BatchingEmbedder(WordEncoder())
    async with client_of(InferenceServicer(embedder)) as client:
        vectors = await client.embed(["a rover", "a rover", "a lander"])
    embedder.close()
    assert vectors is not None
    assert vectors[0] @ vectors[1] == pytest.approx(1)
    assert vectors[0] @ vectors[2] < 0.9


async def test_a_missing_model_is_none() -> None:
    async with client_of(InferenceServicer(None)) as client:
        assert await client.rerank("rover", ["wheels"]) is None
        assert await client.embed(["rover"]) is None
        assert await client.look([("default", "notes/1")], ["rover"], ()) is None


async def test_nobody_there_is_an_error() -> None:
    async with grpc.aio.insecure_channel("127.0.0.1:1") as channel:
        with pytest.raises(Unavailable):
            await PlacementModelClient(channel).embed(["rover"])
