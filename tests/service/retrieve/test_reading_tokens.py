"""What the embedding model knows of the tokens of texts, over gRPC."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import numpy as np
import pytest

from libs.inference.client import MOST_CHARACTERS, READ_AT_ONCE, TokenClient
from libs.runtime.errors import FailedPrecondition, InvalidInput, Unavailable
from services.retrieve.embedding.onnx_graph import build_graph
from tests.fakes.tiny_bert import PLACES, WIDTH, hidden_states, random_tensors, token_ids, write_model
from tests.service.retrieve.running_stage import serving

TENSORS = random_tensors(layers=6)


@pytest.fixture
def model(tmp_path: Path) -> str:
    folder = tmp_path / "six"
    write_model(folder, TENSORS, num_hidden_layers=6)
    build_graph(folder, folder / "model.onnx")
    return str(folder)


@asynccontextmanager
async def reading(
    data: Path, embedder: str, name: str = "", layers: Sequence[int] = (4, 6)
) -> AsyncIterator[TokenClient]:
    """A client of a running stage with an embedder."""
    async with serving(data, embedder) as client:
        yield TokenClient(client.channel, 5.0, name, layers)


async def test_each_token_comes_with_its_place_and_its_states(tmp_path: Path, model: str) -> None:
    texts = ["the moon", "the probe landed on mars", "the moon"]
    async with reading(tmp_path, model, "six") as client:
        read = await client.read(texts)
    for text, tokens in zip(texts, read, strict=True):
        assert list(tokens.ids) == token_ids(text)
        assert [text[start:end] for start, end in tokens.offsets] == ["", *text.split(), ""]
        expected = np.stack([hidden_states(TENSORS, token_ids(text), layer) for layer in (4, 6)], axis=1)
        assert tokens.states == pytest.approx(expected, abs=5e-3)


async def test_more_and_longer_texts_than_a_call_takes_are_read_as_far_as_possible(tmp_path: Path, model: str) -> None:
    texts = ["mars"] * READ_AT_ONCE + ["moon " * MOST_CHARACTERS]
    async with reading(tmp_path, model, layers=(6,)) as client:
        read = await client.read(texts)
        assert await client.read([]) == []
    assert [len(tokens.ids) for tokens in read] == [3] * READ_AT_ONCE + [PLACES]
    assert read[-1].states.shape == (PLACES, 1, WIDTH)


async def test_a_model_that_shows_no_states_says_so(tmp_path: Path, models: Path, model: str) -> None:
    for number, (embedder, layers) in enumerate(((str(models / "tiny"), (2,)), ("none", (6,)), (model, (3, 6)))):
        async with reading(tmp_path / str(number), embedder, layers=layers) as client:
            with pytest.raises(FailedPrecondition) as missing:
                await client.read(["the moon"])
        assert missing.value.reason == "TOKENS_MISSING"


async def test_another_model_than_the_one_asked_for_and_no_process_are_errors(tmp_path: Path, model: str) -> None:
    async with reading(tmp_path, model, "another") as client:
        with pytest.raises(InvalidInput):
            await client.read(["the moon"])
    async with grpc.aio.insecure_channel("127.0.0.1:1") as nowhere:
        with pytest.raises(Unavailable):
            await TokenClient(nowhere, 5.0, "", (6,)).read(["the moon"])
