"""The web as the retrieve stage's clients see it: asked for over gRPC, cited, opened again, routed."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import pytest

from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings
from parley.context.v1 import query_pb2
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2, retrieve_pb2_grpc
from services.retrieve.settings import RetrieveSettings
from services.retrieve.sources.web_search import WebSettings
from services.retrieve.stage import open_stage
from tests.fakes.search_host import SearchHost, search_host
from tests.fakes.web_host import web_host

QUICK = ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)
PAGE = b"""<html><head><title>Harrow lands</title></head><body><article>
<p>The lander Harrow touched down in the crater Malapert on Thursday evening, after a flight of eight days.</p>
<p>Its four legs took up the shock, and the first pictures came down to the station at Cebreros within the hour.</p>
</article></body></html>"""
NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)


class Client:
    """Stubs of the stage, and the search engine that it asks."""

    def __init__(self, channel: grpc.aio.Channel, engine: SearchHost) -> None:
        self.retrieve = retrieve_pb2_grpc.RetrieveServiceStub(channel)
        self.corpus = corpus_pb2_grpc.CorpusServiceStub(channel)
        self.engine = engine

    async def search(self, query: str, seconds: float = 20, **options: object) -> corpus_pb2.SearchResponse:
        """Search for words."""
        retrieve_options = retrieve_pb2.RetrieveOptions(**options)  # type: ignore[arg-type]
        return await self.corpus.Search(
            corpus_pb2.SearchRequest(query=query, options=retrieve_options), timeout=seconds
        )

    async def range_of(self, question: str) -> retrieve_pb2.DetectRangeResponse:
        """Where a question is looked for."""
        request = retrieve_pb2.DetectRangeRequest(question=question)
        request.now.FromDatetime(NOW)
        return await self.retrieve.DetectRange(request)


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    with web_host({"/harrow": PAGE}) as host, search_host() as engine:
        engine.rows = [{"url": host.url("/harrow"), "publishedDate": "2026-11-19"}]
        web = WebSettings(searxng_url=engine.base_url, allow_loopback=True)
        async with (
            open_stage(RetrieveSettings(data=tmp_path, embedder="none"), web) as stage,
            running(QUICK, *stage.servicers, capabilities=stage.capabilities) as server,
            grpc.aio.insecure_channel(server.target) as channel,
        ):
            yield Client(channel, engine)


async def test_a_page_of_the_web_is_found_and_its_passage_opened_later(client: Client) -> None:
    response = await client.search("Where did Harrow touch down?", web=True)
    passage = response.evidence[0].passage
    assert (passage.source, passage.title, passage.date) == ("web", "Harrow lands", "2026-11-19")
    passage_response = await client.corpus.GetPassage(corpus_pb2.GetPassageRequest(passage_id=passage.passage_id))
    assert passage_response.passage == passage


async def test_a_passage_of_the_web_that_was_never_evidence_is_not_found(client: Client) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await client.corpus.GetPassage(corpus_pb2.GetPassageRequest(passage_id="web:0123"))
    assert error.value.code() is grpc.StatusCode.NOT_FOUND


async def test_only_a_request_that_says_so_reaches_the_web(client: Client) -> None:
    assert not (await client.search("Harrow")).evidence
    assert client.engine.asked == []
    web_alone = query_pb2.Filters(sources=["web"])
    assert (await client.search("Harrow", filters=web_alone)).evidence


async def test_a_callers_deadline_is_kept_by_leaving_the_web_out(client: Client) -> None:
    client.engine.wait_seconds = 6.0
    response = await client.search("Harrow", seconds=2.5, web=True)
    client.engine.wait_seconds = 0.0
    assert [failure.reason for failure in response.degraded] == ["DEADLINE_EXCEEDED"]


async def test_the_range_of_a_question_tells_sources_and_dates(client: Client) -> None:
    hot = await client.range_of("What are today's headlines?")
    assert (hot.range, hot.web) == (retrieve_pb2.SEARCH_RANGE_HOT, True)
    assert hot.filters.dates.start.ToDatetime(UTC) == NOW - timedelta(days=7)
    news = await client.range_of("news about Harrow")
    assert (news.range, news.web, news.HasField("filters")) == (retrieve_pb2.SEARCH_RANGE_NEWS, True, False)
    general = await client.range_of("When did Phoenix land?")
    assert (general.range, general.web) == (retrieve_pb2.SEARCH_RANGE_GENERAL, False)
    assert general.reason == "nothing in it asks for news"


async def test_a_range_needs_a_question(client: Client) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await client.range_of("  ")
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
