"""What a request may say about ranking, over gRPC: depth, weights, fusion, filters; scores by engine; reranking."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from parley.context.v1 import query_pb2
from parley.retrieve.v1 import (
    corpus_pb2,
    inference_pb2,
    retrieve_pb2,
)
from parley.runtime.v1 import server_info_pb2
from services.retrieve.reranking import OnnxCrossEncoder
from tests.fakes.model_server import ModelServer, model_server
from tests.fakes.tiny_cross_encoder import write_cross_encoder
from tests.service.retrieve.running_stage import Client, serving

SHELF = (
    corpus_pb2.Document(document_id="moon", text="the moon", date="1966", source="news", metadata={"kind": "short"}),
    corpus_pb2.Document(document_id="probe", text="the probe landed on the moon", date="1976", source="books"),
    corpus_pb2.Document(
        document_id="mars", text="the probe landed on mars", source="books", metadata={"kind": "short"}
    ),
    corpus_pb2.Document(document_id="copy", text="the probe landed on the Moon"),
)
QUERY = "the probe on mars"


@dataclass(frozen=True)
class Stage:
    """A client of a stage that holds the shelf."""

    client: Client

    async def steps(self, query: str = QUERY, **options: Any) -> list[retrieve_pb2.RetrieveResponse]:
        """A retrieval, step by step."""
        request = retrieve_pb2.RetrieveRequest(
            query=query_pb2.WeightedQuery(text=query), options=retrieve_pb2.RetrieveOptions(**options)
        )
        return [step async for step in self.client.retrieve.Retrieve(request)]

    async def result(self, query: str = QUERY, **options: Any) -> retrieve_pb2.RetrieveResult:
        """Its end."""
        return (await self.steps(query, **options))[-1].result

    async def found(self, query: str = QUERY, **options: Any) -> list[str]:
        """The documents of the evidence, the best first, near duplicates left out."""
        return [evidence.passage.document_id for evidence in (await self.result(query, **options)).evidence]


@asynccontextmanager
async def stage_of(data: Path, **settings: Any) -> AsyncIterator[Stage]:
    """A stage with the shelf; its embedder is another server, which knows words."""
    with model_server() as embedder:
        async with serving(data, f"{embedder.address}/embed#words", **settings) as client:
            await client.ingest(*SHELF)
            yield Stage(client)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_cross_encoder(folder / "reader")
    return folder


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with stage_of(tmp_path) as new_stage:
        yield new_stage


async def test_depth_bounds_the_candidates_of_each_engine_and_the_evidence(stage: Stage) -> None:
    assert len((await stage.result(ranking=10)).ranking) == 4
    shallow = retrieve_pb2.Depth(lexical=1, vector=1)
    assert len((await stage.result(ranking=10, depth=shallow)).ranking) <= 2
    assert len(await stage.found(depth=retrieve_pb2.Depth(evidence=1))) == 1


@pytest.mark.parametrize(("threshold", "pieces"), [(0.5, 3), (0.99, 4)])
async def test_the_threshold_of_near_duplicates_can_be_set(tmp_path: Path, threshold: float, pieces: int) -> None:
    async with stage_of(tmp_path, near_duplicate=threshold) as stage:
        await stage.client.ingest(corpus_pb2.Document(document_id="longer", text="the probe landed on the moon safely"))
        evidence = (await stage.result()).evidence
        assert sum(1 + len(item.near_duplicates) for item in evidence) == len(SHELF) + 1
        assert len(evidence) == pieces


async def test_a_reranker_reads_the_first_candidates_and_has_the_last_word(models: Path, tmp_path: Path) -> None:
    async with stage_of(tmp_path, reranker=f"onnx:{models / 'reader'}") as stage:
        steps = await stage.steps()
        assert [step.WhichOneof("step") for step in steps] == ["state", "partial", "result"]
        assert steps[1].partial.evidence[0].passage.document_id == "mars"
        best = steps[2].result.evidence[0]
        assert best.passage.text.endswith("oon")
        assert best.scores.rerank == best.scores.fused > 0.8
        with_reranker = await stage.result(ranking=10, depth=retrieve_pb2.Depth(rerank=2))
        assert len(with_reranker.ranking) == 2


async def test_passages_are_reranked_for_any_stage_that_asks(models: Path, tmp_path: Path) -> None:
    async with stage_of(tmp_path, reranker=f"onnx:{models / 'reader'}") as stage:
        passages = ["mars", "the moon", "the probe"]
        request = inference_pb2.RerankRequest(query="moon", passages=passages, model="reader")
        response = await stage.client.inference.Rerank(request)
        expected = OnnxCrossEncoder(models / "reader" / "model.onnx", models / "reader", "reader", 1)
        assert response.model == "reader"
        assert list(response.scores) == pytest.approx(expected.score([("moon", passage) for passage in passages]))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as model_host:
        yield model_host


async def test_a_server_reranks_and_if_it_fails_the_fused_order_stands(tmp_path: Path, server: ModelServer) -> None:
    plain = ["mars", "probe", "moon"]
    async with stage_of(tmp_path, reranker=f"{server.address}/v1/rerank#lab/reader") as stage:
        assert (await stage.result("on the moon")).evidence[0].scores.rerank == pytest.approx(1)
        server.status = 500
        steps = await stage.steps()
        assert steps[-2].degraded.reason == "ENGINE_UNAVAILABLE"
        documents = [evidence.passage.document_id for evidence in steps[-1].result.evidence]
        assert documents[0] == plain[0]
        assert not steps[-1].result.evidence[0].scores.HasField("rerank")


async def test_a_reranker_that_takes_too_long_is_left_behind(tmp_path: Path, server: ModelServer) -> None:
    server.go.clear()
    async with stage_of(tmp_path, reranker=f"{server.address}/rerank", rerank_seconds=0.05) as stage:
        steps = await stage.steps()
        assert [step.WhichOneof("step") for step in steps] == ["state", "partial", "degraded", "result"]
        assert steps[2].degraded.reason == "DEADLINE_EXCEEDED"
        assert steps[3].result.evidence == steps[1].partial.evidence


async def engines_told(stage: Stage) -> dict[str, tuple[str, str]]:
    info = await stage.client.info.GetServerInfo(server_info_pb2.GetServerInfoRequest())
    return {capability.task: (capability.engine, capability.detail) for capability in info.capabilities}


async def test_the_stage_tells_which_models_it_has(models: Path, tmp_path: Path, server: ModelServer) -> None:
    async with stage_of(tmp_path / "none") as stage:
        assert (await engines_told(stage))["rerank"][0] == "none"
    async with stage_of(tmp_path / "http", reranker=f"{server.address}/v1/rerank#lab/reader") as stage:
        engines = await engines_told(stage)
        assert (engines["embed"], engines["rerank"]) == (("http", "words (centered)"), ("http", "reader"))
    async with stage_of(tmp_path / "onnx", reranker=f"onnx:{models / 'reader'}") as stage:
        assert (await engines_told(stage))["rerank"] == ("onnx", "reader")
