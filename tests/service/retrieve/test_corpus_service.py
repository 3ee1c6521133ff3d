"""CorpusService as its clients see it: documents are put, listed, shown and deleted."""

import grpc
import pytest

from libs.runtime.errors import FailedPrecondition, InvalidInput
from libs.runtime.status import error_from_rpc
from parley.retrieve.v1 import (
    corpus_pb2,
    inference_pb2,
)
from tests.fakes.tiny_bert import WIDTH
from tests.service.retrieve.running_stage import Client
from tests.service.serving import refusal

PNG = b"\x89PNG not really"


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


async def test_an_ingest_acknowledges_each_document_in_order_and_a_bad_one_stops_nothing(client: Client) -> None:
    responses = await client.ingest(
        corpus_pb2.Document(document_id="a", text="the moon"),
        corpus_pb2.Document(document_id="", text="no id"),
        corpus_pb2.Document(document_id="b", text="mars", date="once"),
        corpus_pb2.Document(document_id="c", text=""),
        corpus_pb2.Document(document_id="d", text="mars", whole=True, vector=[1.0] * 3, vector_model="tiny (centered)"),
        corpus_pb2.Document(
            document_id="e", text="mars", whole=True, vector=[1.0] * WIDTH, vector_model="tiny (centered)"
        ),
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


async def test_documents_and_acknowledgements_may_come_together(client: Client) -> None:
    documents = [corpus_pb2.Document(document_id=f"d{number}", text="moon") for number in range(100)]
    documents[42] = corpus_pb2.Document(document_id="", text="no id")
    responses = await client.ingest_together(documents[:1], documents[1:])
    assert all(response.max_documents for response in responses)
    assert 1 < len(responses) < len(documents)
    answers = [answer for response in responses for answer in (response, *response.further)]
    assert [(answer.index, answer.document_id) for answer in answers] == [
        (index, document.document_id) for index, document in enumerate(documents)
    ]
    assert [index for index, answer in enumerate(answers) if answer.status != corpus_pb2.INGEST_STATUS_ADDED] == [42]


async def test_a_message_with_too_many_documents_ends_the_ingest(client: Client) -> None:
    header = corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(together=True))
    many = corpus_pb2.IngestRequest(document=corpus_pb2.Document(), further=[corpus_pb2.Document()] * 257)
    with pytest.raises(grpc.aio.AioRpcError) as rpc_error:
        _ = [response async for response in client.corpus.Ingest(iter([header, many]))]
    error = error_from_rpc(rpc_error.value)
    assert isinstance(error, InvalidInput)
    assert error.violations[0].field == "further"


async def test_an_ingest_begins_with_its_header(client: Client) -> None:
    request = corpus_pb2.IngestRequest(document=corpus_pb2.Document(document_id="a", text="b"))
    with pytest.raises(grpc.aio.AioRpcError) as rpc_error:
        _ = [response async for response in client.corpus.Ingest(iter([request]))]
    error = error_from_rpc(rpc_error.value)
    assert isinstance(error, InvalidInput)
    assert error.violations[0].field == "header"


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


async def test_a_listing_comes_in_pages(client: Client) -> None:
    names = [*(f"d{number}" for number in range(5)), *(f"{number}{'🌧' * 511}" for number in "xyz")]
    await client.ingest(*(corpus_pb2.Document(document_id=name, text="moon") for name in names))
    document_ids: list[str] = []
    token = ""
    while True:
        request = corpus_pb2.ListDocumentsRequest(page_size=2, page_token=token)
        page = await client.corpus.ListDocuments(request)
        document_ids += [document.document_id for document in page.documents]
        token = page.next_page_token
        if not token:
            break
    assert document_ids == names
    bad_request = corpus_pb2.ListDocumentsRequest(page_token="!")
    assert isinstance(await refusal(client.corpus.ListDocuments(bad_request)), InvalidInput)


async def test_what_is_not_there_says_so(client: Client) -> None:
    rerank = inference_pb2.RerankRequest(query="moon", passages=["mars"])
    assert isinstance(await refusal(client.inference.Rerank(rerank)), FailedPrecondition)
    pictures = client.inference.EmbedImages(inference_pb2.EmbedImagesRequest(texts=["moon"]))
    assert (await refusal(pictures)).reason == "EMBEDDER_MISSING"
