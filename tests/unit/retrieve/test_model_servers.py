import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import numpy as np
import pytest

from libs.runtime.errors import Unavailable
from services.retrieve.embedding.embedder import UnusableModel
from services.retrieve.embedding.http import Endpoint, HttpEncoder
from services.retrieve.embedding.opening import open_encoder
from services.retrieve.reranking import MAX_PASSAGES, HttpReranker
from tests.fakes.model_server import ENCODER, ModelServer, model_server

NOWHERE = (
    "http://127.0.0.1:1/embed",
    "http://127.0.0.1:1/v1/embeddings",
    "http://127.0.0.1:1/rerank",
    "http:///embed",
)
RERANKERS = ("/rerank", "/v1/rerank#some-lab/reranker-v2", "/v2/rerank#some-lab/reranker-v2")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@asynccontextmanager
async def reranking(address: str, key: str = "") -> AsyncIterator[HttpReranker]:
    reranker = HttpReranker(Endpoint.of(address, key, seconds=5))
    yield reranker
    await reranker.close()


@contextmanager
def embedding(address: str, folder: Path, key: str = "") -> Iterator[HttpEncoder]:
    encoder = open_encoder(address, folder, threads=1, api_key=key)
    assert isinstance(encoder, HttpEncoder)
    yield encoder
    encoder.close()


@pytest.mark.parametrize("path", RERANKERS)
async def test_passages_are_scored_in_order_whatever_the_servers_order_is(server: ModelServer, path: str) -> None:
    async with reranking(server.address + path) as reranker:
        scores = await reranker.rerank("the moon", ["mars", "the moon", "moon"])
    assert scores == pytest.approx([0, 1, 0.5])


async def test_the_model_is_named_by_the_fragment_and_the_key_goes_along(server: ModelServer) -> None:
    async with reranking(server.address + RERANKERS[1], key="secret") as reranker:
        await reranker.rerank("the moon", ["mars"])
        assert reranker.name == "reranker-v2"
    ((path, body, authorization),) = server.asked
    assert (path, body["model"], authorization) == ("/v1/rerank", "some-lab/reranker-v2", "Bearer secret")


async def test_many_passages_go_in_calls_of_as_many_as_servers_take(server: ModelServer) -> None:
    passages = ["moon" if number % 3 else "mars" for number in range(2 * MAX_PASSAGES + 5)]
    async with reranking(f"{server.address}/rerank") as reranker:
        scores = await reranker.rerank("moon", passages)
    assert scores.tolist() == [float(number % 3 > 0) for number in range(len(passages))]
    assert sorted(len(body["texts"]) for _, body, _ in server.asked) == [5, MAX_PASSAGES, MAX_PASSAGES]


async def test_a_caller_who_waits_no_longer_gets_away(server: ModelServer) -> None:
    server.go.clear()
    async with reranking(f"{server.address}/rerank") as reranker:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await reranker.rerank("moon", ["mars"])


BAD_ANSWERS = [b"not json", b'{"results": []}', b"[]", b'[{"index": 9, "score": 1}]', b'[{"index": 0}]', b"[1]"]


@pytest.mark.parametrize("answer", BAD_ANSWERS)
async def test_an_answer_of_another_shape_is_a_typed_failure(server: ModelServer, answer: bytes) -> None:
    server.answer = answer
    async with reranking(f"{server.address}/rerank") as reranker:
        with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
            await reranker.rerank("moon", ["mars"])


async def test_a_server_that_refuses_or_is_not_there_is_a_typed_failure(server: ModelServer) -> None:
    server.status = 503
    async with reranking(f"{server.address}/rerank") as reranker:
        with pytest.raises(Unavailable, match="status 503"):
            await reranker.rerank("moon", ["mars"])
    async with reranking("http://127.0.0.1:1/rerank") as reranker:
        with pytest.raises(Unavailable, match="does not answer"):
            await reranker.rerank("moon", ["mars"])


@pytest.mark.parametrize("address", ["http://host/embed", "http:///rerank"])
def test_what_is_no_address_of_a_reranker_is_refused(address: str) -> None:
    with pytest.raises(UnusableModel):
        HttpReranker(Endpoint.of(address))


@pytest.mark.parametrize(
    ("path", "name"), [("/embed", ""), ("/embed#words", "words"), ("/v1/embeddings#lab/words", "words")]
)
def test_a_server_embeds(server: ModelServer, tmp_path: Path, path: str, name: str) -> None:
    texts = ["the moon", "mars"]
    with embedding(server.address + path, tmp_path, key="secret") as encoder:
        assert (encoder.profile.name, encoder.profile.width) == (name or server.address.removeprefix("http://"), 64)
        assert encoder.encode(texts) == pytest.approx(ENCODER.encode(texts), abs=1e-6)
    assert {authorization for _, _, authorization in server.asked} == {"Bearer secret"}


BAD_VECTORS = {
    "/embed": [b"{}", b"[[1, 2], [3]]", b"[[1, 2], [3, 4]]", b"not json", b'[["a"]]'],
    "/v1/embeddings#words": [b"{}", b"[]", b'{"data": [{"index": 0}]}', b'{"data": [1]}', b"not json"],
}


@pytest.mark.parametrize(("path", "answer"), [(path, answer) for path in BAD_VECTORS for answer in BAD_VECTORS[path]])
def test_vectors_of_other_shapes_are_a_failure(server: ModelServer, tmp_path: Path, path: str, answer: bytes) -> None:
    with embedding(server.address + path, tmp_path) as encoder:
        server.answer = answer
        with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
            encoder.encode(["the moon"])


def test_refused_embeddings_are_a_typed_failure_without_the_servers_text(server: ModelServer, tmp_path: Path) -> None:
    with embedding(f"{server.address}/v1/embeddings#words", tmp_path) as encoder:
        server.status, server.answer = 401, b'{"error": {"message": "the key sk-1 is wrong"}}'
        with pytest.raises(Unavailable, match="status 401") as error:
            encoder.encode(["the moon"])
    assert "sk-1" not in error.value.message


def test_embeddings_are_asked_for_by_model_as_numbers(server: ModelServer, tmp_path: Path) -> None:
    with embedding(f"{server.address}/v1/embeddings#lab/words", tmp_path) as encoder:
        encoder.encode(["the moon"])
    path, body, _ = server.asked[-1]
    assert path == "/v1/embeddings"
    assert (body["model"], body["input"], body["encoding_format"]) == ("lab/words", ["the moon"], "float")


def test_azure_embeds_by_deployment_and_version_with_a_header_of_its_own(server: ModelServer, tmp_path: Path) -> None:
    address = f"{server.address}/openai/deployments/words/embeddings?api-version=2024-10-21#words"
    with embedding(address, tmp_path, key="secret") as encoder:
        assert encoder.encode(["mars"]) == pytest.approx(ENCODER.encode(["mars"]), abs=1e-6)
    assert {authorization for _, _, authorization in server.asked} == {""}


def test_vectors_come_with_length_one(server: ModelServer, tmp_path: Path) -> None:
    with embedding(f"{server.address}/embed", tmp_path) as encoder:
        server.answer = b"[[3, 4]]"
        assert encoder.encode(["the moon"]) == pytest.approx(np.array([[0.6, 0.8]]))


@pytest.mark.parametrize("address", NOWHERE)
def test_an_embedder_that_is_not_there_is_refused_when_it_is_opened(tmp_path: Path, address: str) -> None:
    with pytest.raises(UnusableModel):
        open_encoder(address, tmp_path, threads=1)
