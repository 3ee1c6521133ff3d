"""Searches, models and settings of the retrieve stage as its clients see them, over real gRPC."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from libs.runtime.errors import NotFound
from libs.runtime.settings import SettingsError
from parley.context.v1 import evidence_pb2, query_pb2
from parley.retrieve.v1 import (
    corpus_pb2,
    inference_pb2,
    retrieve_pb2,
)
from services.retrieve.embedding.centering import UNRELATED
from services.retrieve.embedding.embedder import Habits, Pooling
from services.retrieve.embedding.onnx_model import OnnxEncoder
from services.retrieve.settings import RetrieveSettings
from services.retrieve.stage import open_stage
from tests.fakes.tiny_bert import hidden_states, random_tensors, token_ids
from tests.service.retrieve.running_stage import Client, serving
from tests.service.serving import refusal


async def test_a_retrieval_is_a_stream_that_ends_with_its_result(client: Client) -> None:
    await client.put("moon", "the probe landed on the moon")
    await client.put("mars", "the probe landed on mars")
    query = query_pb2.WeightedQuery(
        text="the probe",
        terms=[query_pb2.WeightedTerm(term="mars", weight=2.0)],
        texts=[query_pb2.WeightedText(text="mars", weight=0.5)],
    )
    request = retrieve_pb2.RetrieveRequest(query=query, options=retrieve_pb2.RetrieveOptions(ranking=5))
    steps = [step async for step in client.retrieve.Retrieve(request)]
    assert [step.WhichOneof("step") for step in steps] == ["state", "result"]
    result = steps[-1].result
    assert [place.passage_id for place in result.ranking] == ["mars#0", "moon#0"]
    assert result.evidence[0].rank == 1
    assert result.usage[0].milliseconds > 0


async def test_a_model_pools_and_is_prompted_as_it_is_set(tmp_path: Path, models: Path) -> None:
    prefixes: dict[str, Any] = {"embedder_query_prefix": "the ", "embedder_passage_prefix": "on "}
    async with serving(tmp_path, str(models / "tiny"), embedder_pooling="cls", **prefixes) as client:
        query, passage = [
            await client.inference.Embed(inference_pb2.EmbedRequest(texts=["mars"], kind=kind))
            for kind in (inference_pb2.TEXT_KIND_QUERY, inference_pb2.TEXT_KIND_PASSAGE)
        ]
        await client.put("mars", "the probe landed on mars")
        assert await client.search("probe on mars") != []
    folder, habits = models / "tiny", Habits(Pooling.CLS)
    encoder = OnnxEncoder(folder / "model.onnx", folder, "tiny", threads=1, habits=habits)
    mean = encoder.encode([f"on {sentence}" for sentence in UNRELATED.read_text().splitlines()]).mean(axis=0)
    for response, prompt_text in ((query, "the mars"), (passage, "on mars")):
        first = hidden_states(random_tensors(), token_ids(prompt_text))[0]
        vector = first / np.linalg.norm(first) - mean
        assert list(response.embeddings[0].values) == pytest.approx(vector / np.linalg.norm(vector), abs=1e-4)
    assert passage.model == "tiny (cls, on) (centered)"


async def test_questions_are_gauged_by_their_best_passages(client: Client) -> None:
    await client.put("moon", "the probe landed on the moon")
    questions = ["the probe landed on the moon", "landed", "mars"]
    response = await client.retrieve.GaugeQuestions(retrieve_pb2.GaugeQuestionsRequest(questions=questions))
    best_relevances = [
        (await client.corpus.Search(corpus_pb2.SearchRequest(query=question))).evidence[0] for question in questions
    ]
    assert list(response.relevance) == [evidence.relevance for evidence in best_relevances]
    assert response.relevance[0] == evidence_pb2.RELEVANCE_HIGH


async def test_a_question_without_a_passage_fits_nothing(client: Client) -> None:
    request = retrieve_pb2.GaugeQuestionsRequest(questions=["the moon"])
    await client.put("moon", "the probe landed on the moon", principals=["ann"])
    assert list((await client.retrieve.GaugeQuestions(request)).relevance) == [evidence_pb2.RELEVANCE_LOW]
    request.options.principals.append("ann")
    assert list((await client.retrieve.GaugeQuestions(request)).relevance) != [evidence_pb2.RELEVANCE_LOW]
    request.options.collection = "nowhere"
    assert isinstance(await refusal(client.retrieve.GaugeQuestions(request)), NotFound)


async def test_without_a_model_words_are_searched_and_it_is_said(tmp_path: Path) -> None:
    async with serving(tmp_path, "none") as client:
        await client.put("a", "the moon")
        response = await client.corpus.Search(corpus_pb2.SearchRequest(query="moon"))
        assert [evidence.passage.passage_id for evidence in response.evidence] == ["a#0"]
        assert [failure.reason for failure in response.degraded] == ["EMBEDDER_MISSING"]
        request = inference_pb2.EmbedRequest(texts=["x"], kind=inference_pb2.TEXT_KIND_QUERY)
        assert (await refusal(client.inference.Embed(request))).reason == "EMBEDDER_MISSING"


async def refuses_to_open(settings: RetrieveSettings, variable: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        async with open_stage(settings):
            pass


async def test_what_cannot_be_opened_is_the_fault_of_a_setting(tmp_path: Path) -> None:
    await refuses_to_open(RetrieveSettings(data=tmp_path, embedder="nowhere"), "PARLEY_RETRIEVE_EMBEDDER")
    (tmp_path / "file").touch()
    await refuses_to_open(RetrieveSettings(data=tmp_path / "file", embedder="none"), "PARLEY_RETRIEVE_DATA")
