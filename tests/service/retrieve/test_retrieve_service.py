"""The retrieve stage as its clients see it: real gRPC on a real port, the embedded engines, a model of few weights."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from libs.runtime.errors import FailedPrecondition, InvalidInput, NotFound, ParleyError
from libs.runtime.server import running
from libs.runtime.settings import ServerSettings, SettingsError
from libs.runtime.status import error_from_rpc
from parley.context.v1 import evidence_pb2, query_pb2
from parley.retrieve.v1 import (
    corpus_pb2,
    corpus_pb2_grpc,
    inference_pb2,
    inference_pb2_grpc,
    retrieve_pb2,
    retrieve_pb2_grpc,
)
from services.retrieve.embedding.onnx_graph import build_graph
from services.retrieve.settings import RetrieveSettings
from services.retrieve.stage import open_stage
from tests.fakes.tiny_bert import WIDTH, hidden_states, random_tensors, token_ids, write_model

QUICK = ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)
PNG = b"\x89PNG not really"


class Client:
    """Stubs of the stage's three services."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.retrieve = retrieve_pb2_grpc.RetrieveServiceStub(channel)
        self.corpus = corpus_pb2_grpc.CorpusServiceStub(channel)
        self.inference = inference_pb2_grpc.InferenceServiceStub(channel)

    async def put(self, document_id: str, text: str, collection: str = "", **more: Any) -> int:
        """Take in one document; its status."""
        document = corpus_pb2.Document(document_id=document_id, text=text, **more)
        response = await self.corpus.PutDocument(
            corpus_pb2.PutDocumentRequest(collection=collection, document=document)
        )
        return response.status

    async def ingest(self, *documents: corpus_pb2.Document, collection: str = "") -> list[corpus_pb2.IngestResponse]:
        """Take in a stream."""
        header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=collection))
        requests = [header, *(corpus_pb2.IngestRequest(document=document) for document in documents)]
        return [response async for response in self.corpus.Ingest(iter(requests))]

    async def search(self, query: str, **options: Any) -> list[str]:
        """The passages found, the best first, each followed by its near duplicates."""
        request = corpus_pb2.SearchRequest(query=query, options=retrieve_pb2.RetrieveOptions(**options))
        evidence = (await self.corpus.Search(request)).evidence
        return [
            passage.passage_id
            for item in evidence
            for passage in (item.passage, *(copy.passage for copy in item.near_duplicates))
        ]


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_model(folder / "tiny", random_tensors())
    build_graph(folder / "tiny", folder / "tiny" / "model.onnx")
    return folder


@asynccontextmanager
async def serving(data: Path, embedder: str, **settings: Any) -> AsyncIterator[Client]:
    async with open_stage(RetrieveSettings(data=data, embedder=embedder, **settings)) as stage:
        assert stage.warm_up is not None
        await stage.warm_up()
        async with (
            running(QUICK, *stage.servicers, capabilities=stage.capabilities) as server,
            grpc.aio.insecure_channel(server.target) as channel,
        ):
            yield Client(channel)


@pytest.fixture
async def client(tmp_path: Path, models: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, str(models / "tiny")) as stage_client:
        yield stage_client


async def refusal(call: Awaitable[object]) -> ParleyError:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return error_from_rpc(error.value)


async def test_what_was_put_is_found_cited_and_shown(client: Client) -> None:
    picture = corpus_pb2.DocumentImage(caption="The crater", media_type="image/png", data=PNG)
    status = await client.put("moon", "the probe landed on the moon", title="Moon", date="1966", images=[picture])
    assert status == corpus_pb2.INGEST_STATUS_ADDED
    request = corpus_pb2.SearchRequest(query="probe on the moon")
    (evidence,) = (await client.corpus.Search(request)).evidence
    assert evidence.scores.lexical > 0
    assert evidence.scores.HasField("vector")
    assert not evidence.scores.HasField("rerank")
    passage = await client.corpus.GetPassage(corpus_pb2.GetPassageRequest(passage_id=evidence.passage.passage_id))
    assert passage.passage == evidence.passage
    image = await client.corpus.GetImage(corpus_pb2.GetImageRequest(image_id=evidence.passage.images[0].image_id))
    assert (image.data, image.media_type, image.image.caption) == (PNG, "image/png", "The crater")
    document = (await client.corpus.GetDocument(corpus_pb2.GetDocumentRequest(document_id="moon"))).document
    assert (document.text, document.date, document.source) == ("the probe landed on the moon", "1966", "corpus")


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


async def test_an_ingest_acknowledges_each_document_in_order_and_a_bad_one_stops_nothing(client: Client) -> None:
    responses = await client.ingest(
        corpus_pb2.Document(document_id="a", text="the moon"),
        corpus_pb2.Document(document_id="", text="no id"),
        corpus_pb2.Document(document_id="b", text="mars", date="once"),
        corpus_pb2.Document(document_id="c", text=""),
        corpus_pb2.Document(document_id="d", text="mars", whole=True, vector=[1.0] * 3, vector_model="tiny"),
        corpus_pb2.Document(document_id="e", text="mars", whole=True, vector=[1.0] * WIDTH, vector_model="tiny"),
    )
    assert [response.index for response in responses] == list(range(6))
    assert [corpus_pb2.IngestStatus.Name(response.status)[14:] for response in responses] == [
        "ADDED",
        "FAILED",
        "FAILED",
        "EMPTY",
        "FAILED",
        "ADDED",
    ]
    failures = [response for response in responses if response.reason]
    assert [response.reason for response in failures] == ["FIELD_INVALID", "FIELD_INVALID", "VECTOR_WIDTH_MISMATCH"]
    assert [response.description.split(":")[0] for response in failures] == [
        "document.document_id",
        "document.date",
        "document.vector",
    ]
    assert set(await client.search("the moon and mars")) == {"a#0", "e"}


async def test_an_ingest_begins_with_its_header(client: Client) -> None:
    request = corpus_pb2.IngestRequest(document=corpus_pb2.Document(document_id="a", text="b"))
    with pytest.raises(grpc.aio.AioRpcError) as rpc_error:
        _ = [response async for response in client.corpus.Ingest(iter([request]))]
    error = error_from_rpc(rpc_error.value)
    assert isinstance(error, InvalidInput)
    assert error.violations[0].field == "header"


async def test_again_is_unchanged_and_otherwise_replaced(client: Client) -> None:
    await client.put("a", "the moon")
    assert await client.put("a", "the moon") == corpus_pb2.INGEST_STATUS_UNCHANGED
    assert await client.put("a", "mars") == corpus_pb2.INGEST_STATUS_REPLACED
    assert await client.search("moon", lexical_weight=1, depth=retrieve_pb2.Depth(vector=1)) == ["a#0"]
    (evidence,) = (await client.corpus.Search(corpus_pb2.SearchRequest(query="mars"))).evidence
    assert evidence.passage.text == "mars"


async def test_a_deleted_document_is_gone_from_everywhere(client: Client) -> None:
    await client.put("a", "the moon")
    await client.corpus.DeleteDocument(corpus_pb2.DeleteDocumentRequest(document_id="a"))
    assert await client.search("moon") == []
    for call in (
        client.corpus.GetDocument(corpus_pb2.GetDocumentRequest(document_id="a")),
        client.corpus.GetPassage(corpus_pb2.GetPassageRequest(passage_id="a#0")),
        client.corpus.DeleteDocument(corpus_pb2.DeleteDocumentRequest(document_id="a")),
    ):
        assert isinstance(await refusal(call), NotFound)


async def test_many_passages_are_looked_up_at_once_as_far_as_the_caller_may_see_them(client: Client) -> None:
    await client.put("open", "the moon")
    await client.put("closed", "the moon on mars", principals=["ann"])
    keys = [
        corpus_pb2.PassageKey(document_id=document, passage_id=passage, collection=collection)
        for document, passage, collection in (
            ("open", "open#0", ""),
            ("closed", "closed#0", ""),
            ("open", "open#9", ""),
            ("closed", "open#0", ""),
            ("none", "none#0", ""),
            ("open", "open#0", "elsewhere"),
            ("web:00", "web:01", ""),
            ("open", "open#0", ""),
        )
    ]

    async def look_up(content: bool, *principals: str) -> list[tuple[bool, str]]:
        request = corpus_pb2.LookUpPassagesRequest(keys=keys, content=content, principals=principals)
        lookups = (await client.corpus.LookUpPassages(request)).lookups
        return [(lookup.visible, lookup.passage.text) for lookup in lookups]

    seen, gone, hidden = (True, "the moon"), (True, ""), (False, "")
    assert await look_up(True) == [seen, hidden, gone, hidden, hidden, hidden, gone, seen]
    assert await look_up(True, "ann") == [seen, (True, "the moon on mars"), gone, gone, hidden, hidden, gone, seen]
    assert await look_up(False) == [gone, hidden, gone, hidden, hidden, hidden, gone, gone]


async def test_a_search_says_which_version_of_the_collection_it_saw(client: Client) -> None:
    async def version() -> str:
        response = await client.corpus.GetCollection(corpus_pb2.GetCollectionRequest(name="default"))
        return response.collection.version

    async def version_seen() -> str:
        request = retrieve_pb2.RetrieveRequest(query=query_pb2.WeightedQuery(text="the moon"))
        steps = [step async for step in client.retrieve.Retrieve(request)]
        return steps[-1].result.corpus_version

    await client.put("one", "the moon")
    first = await version()
    assert await version_seen() == first
    await client.put("two", "the moon on mars")
    assert await version_seen() == await version() != first
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await client.corpus.GetCollection(corpus_pb2.GetCollectionRequest(name="nowhere"))
    assert refusal.value.code() is grpc.StatusCode.NOT_FOUND


async def test_what_somebody_may_not_see_does_not_exist_for_them(client: Client) -> None:
    await client.put("open", "the moon")
    await client.put("closed", "the moon on mars", principals=["ann"])
    listing = await client.corpus.ListDocuments(corpus_pb2.ListDocumentsRequest())
    assert [document.document_id for document in listing.documents] == ["open"]
    assert await client.search("the moon") == ["open#0"]
    assert set(await client.search("the moon", principals=["ann"])) == {"open#0", "closed#0"}
    stranger = corpus_pb2.DeleteDocumentRequest(document_id="closed", principals=["bob"])
    assert isinstance(await refusal(client.corpus.DeleteDocument(stranger)), NotFound)


async def test_collections_stand_apart_and_can_be_deleted(client: Client) -> None:
    await client.put("a", "the moon", "first")
    await client.put("b", "the moon", "second")
    assert await client.search("moon", collection="second") == ["b#0"]
    await client.corpus.DeleteCollection(corpus_pb2.DeleteCollectionRequest(name="first"))
    collections = (await client.corpus.ListCollections(corpus_pb2.ListCollectionsRequest())).collections
    assert [(item.name, item.documents, item.embedding_model) for item in collections] == [
        ("default", 0, ""),
        ("second", 1, "tiny"),
    ]
    request = corpus_pb2.SearchRequest(query="moon", options=retrieve_pb2.RetrieveOptions(collection="first"))
    error = await refusal(client.corpus.Search(request))
    assert (type(error), error.reason) == (NotFound, "COLLECTION_NOT_FOUND")


async def test_a_listing_comes_in_pages(client: Client) -> None:
    await client.ingest(*(corpus_pb2.Document(document_id=f"d{number}", text="moon") for number in range(5)))
    document_ids: list[str] = []
    token = ""
    while True:
        request = corpus_pb2.ListDocumentsRequest(page_size=2, page_token=token)
        page = await client.corpus.ListDocuments(request)
        document_ids += [document.document_id for document in page.documents]
        token = page.next_page_token
        if not token:
            break
    assert document_ids == [f"d{number}" for number in range(5)]
    bad_request = corpus_pb2.ListDocumentsRequest(page_token="!")
    assert isinstance(await refusal(client.corpus.ListDocuments(bad_request)), InvalidInput)


async def test_a_model_pools_and_is_prompted_as_it_is_set(tmp_path: Path, models: Path) -> None:
    habits: dict[str, Any] = {"embedder_query_prefix": "the ", "embedder_passage_prefix": "on "}
    async with serving(tmp_path, str(models / "tiny"), embedder_pooling="cls", **habits) as client:
        query, passage = [
            await client.inference.Embed(inference_pb2.EmbedRequest(texts=["mars"], kind=kind))
            for kind in (inference_pb2.TEXT_KIND_QUERY, inference_pb2.TEXT_KIND_PASSAGE)
        ]
        await client.put("mars", "the probe landed on mars")
        assert await client.search("probe on mars") != []
    tensors = random_tensors()
    for response, prompt_text in ((query, "the mars"), (passage, "on mars")):
        first = hidden_states(tensors, token_ids(prompt_text))[0]
        assert list(response.embeddings[0].values) == pytest.approx(first / np.linalg.norm(first), abs=1e-5)
    assert passage.model == "tiny (cls, on)"


async def test_texts_are_embedded_as_unit_vectors(client: Client) -> None:
    request = inference_pb2.EmbedRequest(texts=["the moon", "mars", "the moon"], kind=inference_pb2.TEXT_KIND_QUERY)
    response = await client.inference.Embed(request)
    vectors = np.array([list(embedding.values) for embedding in response.embeddings])
    assert (response.model, response.width, vectors.shape) == ("tiny", WIDTH, (3, WIDTH))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert (vectors[0] == vectors[2]).all()
    other = inference_pb2.EmbedRequest(texts=["x"], kind=inference_pb2.TEXT_KIND_QUERY, model="other")
    assert isinstance(await refusal(client.inference.Embed(other)), InvalidInput)


async def test_a_graph_is_recalled_layer_by_layer(client: Client) -> None:
    await client.put("moon", "the probe landed on the moon")
    nodes = [
        query_pb2.QueryNode(id="2", text="landed", need_rag=True, links=["1"]),
        query_pb2.QueryNode(id="1", text="the moon", need_rag=True),
    ]
    request = retrieve_pb2.RecallGraphRequest(graph=query_pb2.QueryGraph(nodes=nodes))
    response = await client.retrieve.RecallGraph(request)
    assert [(node.node_id, node.layer, len(node.evidence)) for node in response.nodes] == [("1", 0, 1), ("2", 1, 1)]


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


async def test_what_is_not_there_says_so(client: Client) -> None:
    rerank = inference_pb2.RerankRequest(query="moon", passages=["mars"])
    assert isinstance(await refusal(client.inference.Rerank(rerank)), FailedPrecondition)
    pictures = client.inference.EmbedImages(inference_pb2.EmbedImagesRequest(texts=["moon"]))
    assert (await refusal(pictures)).reason == "EMBEDDER_MISSING"


async def test_without_a_model_words_are_searched_and_it_is_said(tmp_path: Path) -> None:
    async with serving(tmp_path, "none") as client:
        await client.put("a", "the moon")
        response = await client.corpus.Search(corpus_pb2.SearchRequest(query="moon"))
        assert [evidence.passage.passage_id for evidence in response.evidence] == ["a#0"]
        assert [failure.reason for failure in response.degraded] == ["EMBEDDER_MISSING"]
        request = inference_pb2.EmbedRequest(texts=["x"], kind=inference_pb2.TEXT_KIND_QUERY)
        assert (await refusal(client.inference.Embed(request))).reason == "EMBEDDER_MISSING"


async def test_what_was_acknowledged_is_found_after_a_restart(tmp_path: Path, models: Path) -> None:
    for number in range(2):
        async with serving(tmp_path, str(models / "tiny")) as client:
            await client.put(f"d{number}", "the moon")
            assert sorted(await client.search("moon")) == [f"d{before}#0" for before in range(number + 1)]


@pytest.mark.parametrize(
    ("request_message", "field"),
    [
        (corpus_pb2.SearchRequest(query="  "), "query"),
        (corpus_pb2.SearchRequest(query="a", options=retrieve_pb2.RetrieveOptions(ranking=-1)), "options.ranking"),
        (
            corpus_pb2.SearchRequest(query="a", options=retrieve_pb2.RetrieveOptions(collection="no/slash")),
            "options.collection",
        ),
    ],
)
async def test_bad_input_names_its_field(client: Client, request_message: corpus_pb2.SearchRequest, field: str) -> None:
    error = await refusal(client.corpus.Search(request_message))
    assert isinstance(error, InvalidInput)
    assert error.violations[0].field == field


async def refuses_to_open(settings: RetrieveSettings, variable: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        async with open_stage(settings):
            pass


async def test_what_cannot_be_opened_is_the_fault_of_a_setting(tmp_path: Path) -> None:
    await refuses_to_open(RetrieveSettings(data=tmp_path, embedder="nowhere"), "PARLEY_RETRIEVE_EMBEDDER")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "corpus.db").write_bytes(b"this is no database" * 100)
    await refuses_to_open(RetrieveSettings(data=tmp_path / "broken", embedder="none"), "PARLEY_RETRIEVE_DATA")
