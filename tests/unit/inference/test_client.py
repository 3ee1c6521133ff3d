"""The embedder of another process, asked over the wire."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import grpc
import pytest

from libs.inference.client import MOST_TEXTS, InferenceClient, TextKind
from libs.runtime.errors import FailedPrecondition, Unavailable
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.servicer_inference import InferenceServicer
from tests.fakes.running_server import running
from tests.fakes.word_encoder import WordEncoder


@asynccontextmanager
async def channel_to(embedder: BatchingEmbedder | None) -> AsyncIterator[grpc.aio.Channel]:
    async with (
        running(InferenceServicer(embedder)) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        yield channel


@pytest.fixture
def encoder() -> WordEncoder:
    return WordEncoder()


@pytest.fixture
async def channel(encoder: WordEncoder) -> AsyncIterator[grpc.aio.Channel]:
    embedder = BatchingEmbedder(encoder)
    async with channel_to(embedder) as channel:
        yield channel
    embedder.close()


async def test_texts_come_back_as_unit_vectors_in_their_order(channel: grpc.aio.Channel) -> None:
    rover, lander, again = await InferenceClient(channel, 5.0).embed(["a rover", "a lander", "a rover"])
    assert rover @ again == pytest.approx(1)
    assert rover @ lander < 0.9


@pytest.mark.parametrize(("kind", "prefix"), [(TextKind.QUERY, "asks: "), (TextKind.PASSAGE, "says: ")])
async def test_texts_are_embedded_as_what_they_are_for(
    channel: grpc.aio.Channel, encoder: WordEncoder, kind: TextKind, prefix: str
) -> None:
    encoder.profile = replace(encoder.profile, query_prefix="asks: ", passage_prefix="says: ")
    await InferenceClient(channel, 5.0, kind).embed(["a rover"])
    assert encoder.encoded == [f"{prefix}a rover"]


async def test_more_texts_than_one_call_may_carry_are_sent_in_several(channel: grpc.aio.Channel) -> None:
    texts = [f"rover {number}" for number in range(MOST_TEXTS + 1)]
    assert len(await InferenceClient(channel, 30.0).embed(texts)) == len(texts)


async def test_a_missing_model_and_a_missing_process_are_errors() -> None:
    async with channel_to(None) as channel:
        with pytest.raises(FailedPrecondition) as missing:
            await InferenceClient(channel, 5.0).embed(["a rover"])
    assert missing.value.reason == "EMBEDDER_MISSING"
    async with grpc.aio.insecure_channel("127.0.0.1:1") as nowhere:
        with pytest.raises(Unavailable):
            await InferenceClient(nowhere, 5.0).embed(["a rover"])
