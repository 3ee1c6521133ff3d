"""The web as the retrieve stage's clients see it: asked for over gRPC, cited, opened again, routed."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import grpc
import pytest

from parley.context.v1 import query_pb2
from parley.retrieve.v1 import corpus_pb2, retrieve_pb2
from services.retrieve.sources.web_search import WebSettings
from tests.fakes.search_host import SearchHost, search_host
from tests.fakes.web_host import web_host
from tests.service.retrieve.running_stage import Client, serving

PAGE = b"""<html><head><title>Harrow lands</title></head><body><article>
<p>The lander Harrow touched down in the crater Malapert on Thursday evening, after a flight of eight days.</p>
<p>Its four legs took up the shock, and the first pictures came down to the station at Cebreros within the hour.</p>
</article></body></html>"""
NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)


@dataclass(frozen=True)
class WebClient:
    """A client of the stage, and the search engine that it asks."""

    client: Client
    engine: SearchHost

    async def search(self, query: str, seconds: float = 20, **options: object) -> corpus_pb2.SearchResponse:
        """Search for words."""
        retrieve_options = retrieve_pb2.RetrieveOptions(**options)  # type: ignore[arg-type]
        return await self.client.corpus.Search(
            corpus_pb2.SearchRequest(query=query, options=retrieve_options), timeout=seconds
        )

    async def range_of(self, question: str) -> retrieve_pb2.DetectRangeResponse:
        """Where a question is looked for."""
        request = retrieve_pb2.DetectRangeRequest(question=question)
        request.now.FromDatetime(NOW)
        return await self.client.retrieve.DetectRange(request)


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[WebClient]:
    with web_host({"/harrow": PAGE}) as host, search_host() as engine:
        engine.rows = [{"url": host.url("/harrow"), "publishedDate": "2026-11-19"}]
        settings = WebSettings(searxng_url=engine.base_url, allow_loopback=True)
        async with serving(tmp_path, web=settings) as client:
            yield WebClient(client, engine)


async def test_a_page_of_the_web_is_found_and_its_passage_opened_later(web: WebClient) -> None:
    response = await web.search("Where did Harrow touch down?", web=True)
    passage = response.evidence[0].passage
    assert (passage.source, passage.title, passage.date) == ("web", "Harrow lands", "2026-11-19")
    passage_response = await web.client.corpus.GetPassage(corpus_pb2.GetPassageRequest(passage_id=passage.passage_id))
    assert passage_response.passage == passage


async def test_a_passage_of_the_web_that_was_never_evidence_is_not_found(web: WebClient) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await web.client.corpus.GetPassage(corpus_pb2.GetPassageRequest(passage_id="web:0123"))
    assert error.value.code() is grpc.StatusCode.NOT_FOUND


async def test_only_a_request_that_says_so_reaches_the_web(web: WebClient) -> None:
    assert not (await web.search("Harrow")).evidence
    assert web.engine.asked == []
    web_alone = query_pb2.Filters(sources=["web"])
    assert (await web.search("Harrow", filters=web_alone)).evidence


async def test_a_callers_deadline_is_kept_by_leaving_the_web_out(web: WebClient) -> None:
    web.engine.wait_seconds = 6.0
    response = await web.search("Harrow", seconds=2.5, web=True)
    web.engine.wait_seconds = 0.0
    assert [failure.reason for failure in response.degraded] == ["DEADLINE_EXCEEDED"]


async def test_a_range_needs_a_question(web: WebClient) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await web.range_of("  ")
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
