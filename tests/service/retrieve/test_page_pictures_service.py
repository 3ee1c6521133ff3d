"""GetPagePicture: the file goes with its document, and is seen by whoever may see that."""

import sys
from typing import Any

import pytest

from libs.runtime.errors import FailedPrecondition
from parley.context.v1 import basics_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.fakes.pdf_pages import Set, set_pdf
from tests.service.retrieve.running_stage import Client
from tests.service.serving import refusal

TEXT = "The valve opens at noon."
PDF = set_pdf([[Set(TEXT)]])


def page_of(**more: Any) -> corpus_pb2.GetPagePictureRequest:
    return corpus_pb2.GetPagePictureRequest(document_id="a", span=basics_pb2.Span(start=4, end=9), **more)


async def test_a_page_comes_with_boxes_until_its_document_has_no_file(client: Client) -> None:
    await client.put("a", TEXT, original=PDF, principals=["ann"])
    response = await client.corpus.GetPagePicture(page_of(principals=["ann"]))
    assert (response.page, response.pages, response.media_type) == (1, 1, "image/png")
    (box,) = response.boxes
    assert 0 < box.left < box.right < 0.5
    assert (await refusal(client.corpus.GetPagePicture(page_of()))).reason == "ORIGINAL_NOT_FOUND"
    await client.put("a", TEXT)
    assert (await refusal(client.corpus.GetPagePicture(page_of()))).reason == "ORIGINAL_NOT_FOUND"


async def test_a_page_that_cannot_be_drawn_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    await client.put("a", TEXT, original=PDF)
    error = await refusal(client.corpus.GetPagePicture(page_of(page=2)))
    assert (type(error), error.reason) == (FailedPrecondition, "DOCUMENT_UNUSABLE")
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    error = await refusal(client.corpus.GetPagePicture(page_of()))
    assert (error.reason, "parley[documents]" in error.message) == ("ENGINE_UNAVAILABLE", True)
