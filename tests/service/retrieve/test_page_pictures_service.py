"""GetPagePicture: the file goes with its document, and is seen by whoever may see that."""

import sys

import pytest

from libs.runtime.errors import FailedPrecondition, NotFound
from parley.context.v1 import basics_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.fakes.pdf_pages import Set, set_pdf
from tests.service.retrieve.running_stage import Client, serving
from tests.service.serving import refusal

TEXT = "The valve opens at noon."
PDF = set_pdf([[Set(TEXT)]])


def page_of(document_id: str = "a", **more: object) -> corpus_pb2.GetPagePictureRequest:
    return corpus_pb2.GetPagePictureRequest(document_id=document_id, span=basics_pb2.Span(start=4, end=9), **more)


async def test_a_page_comes_with_the_boxes_of_words(client: Client) -> None:
    await client.put("a", TEXT, original=PDF)
    response = await client.corpus.GetPagePicture(page_of())
    assert (response.page, response.pages, response.media_type) == (1, 1, "image/png")
    assert response.data.startswith(b"\x89PNG")
    (box,) = response.boxes
    assert 0 < box.left < box.right < 0.5
    document = await client.corpus.GetDocument(corpus_pb2.GetDocumentRequest(document_id="a"))
    assert document.document.original == b""


async def test_a_file_is_hidden_and_goes_with_its_document(client: Client) -> None:
    await client.put("a", TEXT, original=PDF, principals=["ann"])
    assert (await client.corpus.GetPagePicture(page_of(principals=["ann"]))).page == 1
    for request in (page_of(), page_of("b")):
        error = await refusal(client.corpus.GetPagePicture(request))
        assert (type(error), error.reason) == (NotFound, "ORIGINAL_NOT_FOUND")
    await client.put("a", TEXT)
    assert (await refusal(client.corpus.GetPagePicture(page_of()))).reason == "ORIGINAL_NOT_FOUND"
    await client.put("a", TEXT, original=PDF)
    await client.corpus.DeleteDocument(corpus_pb2.DeleteDocumentRequest(document_id="a"))
    await client.put("a", TEXT)
    assert (await refusal(client.corpus.GetPagePicture(page_of()))).reason == "ORIGINAL_NOT_FOUND"


async def test_a_page_that_cannot_be_drawn_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    await client.put("a", TEXT, original=PDF)
    error = await refusal(client.corpus.GetPagePicture(page_of(page=2)))
    assert (type(error), error.reason) == (FailedPrecondition, "DOCUMENT_UNUSABLE")
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    error = await refusal(client.corpus.GetPagePicture(page_of()))
    assert (error.reason, "parley[documents]" in error.message) == ("ENGINE_UNAVAILABLE", True)


async def test_a_file_above_the_setting_is_not_stored(tmp_path: object) -> None:
    async with serving(tmp_path, original_mb=0) as client:
        await client.put("a", TEXT, original=PDF)
        assert (await refusal(client.corpus.GetPagePicture(page_of()))).reason == "ORIGINAL_NOT_FOUND"
