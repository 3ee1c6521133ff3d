"""What is asked of the process with the models: a missing one of captions or pictures is no failure, all else is."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest

from libs.runtime.errors import FailedPrecondition, Unavailable
from services.answer.image_placement.inference import PlacementModels
from services.retrieve.servicer_inference import InferenceServicer
from tests.fakes.running_server import running


@asynccontextmanager
async def client_of(servicer: InferenceServicer) -> AsyncIterator[PlacementModels]:
    async with running(servicer) as server, grpc.aio.insecure_channel(server.target) as channel:
        yield PlacementModels(channel, 5.0)


async def test_a_missing_model_is_none() -> None:
    async with client_of(InferenceServicer(None)) as client:
        assert await client.rerank("rover", ["wheels"]) is None
        assert await client.look([("default", "notes/1")], ["rover"], ()) is None


async def test_without_an_embedder_nothing_is_compared() -> None:
    async with client_of(InferenceServicer(None)) as client:
        with pytest.raises(FailedPrecondition, match="EMBEDDER_MISSING"):
            await client.embed(["rover"])


async def test_nobody_there_is_an_error() -> None:
    async with grpc.aio.insecure_channel("127.0.0.1:1") as channel:
        with pytest.raises(Unavailable):
            await PlacementModels(channel, 5.0).embed(["rover"])
