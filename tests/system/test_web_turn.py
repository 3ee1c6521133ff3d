"""Whole turns that look on the web: a search engine and a site on this machine, the suite as `parley up` starts it."""

from collections.abc import Iterator
from dataclasses import dataclass

import grpc
import pytest

from bench.suite import running_suite
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes.search_host import SearchHost, search_host
from tests.fakes.web_host import WebHost, web_host
from tests.system.door import ingest
from tests.system.model_turns import Turn

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

SITE: dict[str, bytes] = {
    "/harrow": b"""<html><head><title>Harrow lands</title>
<meta property="article:published_time" content="2026-11-19T20:00:00Z"></head><body><nav>Home Menu Shop</nav><article>
<p>The lander Harrow touched down in the crater Malapert on 19 November 2026, after a flight of eight days.</p>
<p>Its four legs took up the shock, and the first pictures came down to the station at Cebreros within the hour.</p>
<p>The crater Malapert lies near the south pole of the Moon, where the Sun stands low above the horizon all year.</p>
</article></body></html>""",
    "/drill": b"""<html><head><title>Harrow</title></head><body><article>
<p>The lander Harrow carries a drill that reaches down for two metres, and a small oven for what it brings up.</p>
<p>Its makers tested the drill in a quarry for two years, with stones as cold as those of the crater are.</p>
</article></body></html>""",
}
NOTE = "# The lander Viking 1\n\nViking 1 touched down on Mars on 20 July 1976. It worked for six years.\n"


@dataclass(frozen=True)
class WebSuite:
    """A running suite with the search engine and the site that it reads."""

    port: int
    gateway: gateway_pb2_grpc.GatewayServiceStub
    corpus: corpus_pb2_grpc.CorpusServiceStub
    engine: SearchHost
    site: WebHost

    def ask(self, question: str, **options: object) -> Turn:
        """A turn on 22 November 2026."""
        request_options = gateway_pb2.RequestOptions(**options)  # type: ignore[arg-type]
        request_options.now.FromJsonString("2026-11-22T09:30:00Z")
        request = gateway_pb2.AskRequest(question=question, options=request_options)
        return Turn([response.event for response in self.gateway.Ask(request, timeout=60)])


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebSuite]:
    folder = tmp_path_factory.mktemp("web")
    (folder / "viking.md").write_text(NOTE, encoding="utf-8")
    with web_host(SITE) as site, search_host() as engine:
        environment = {
            "PARLEY_RETRIEVE_WEB_SEARXNG_URL": engine.base_url,
            "PARLEY_RETRIEVE_WEB_ALLOW_LOOPBACK": "true",
        }
        with running_suite(folder / "data", environment) as running:
            ingest(running.port, str(folder / "viking.md"))
            with grpc.insecure_channel(running.address) as channel:
                gateway = gateway_pb2_grpc.GatewayServiceStub(channel)
                yield WebSuite(running.port, gateway, corpus_pb2_grpc.CorpusServiceStub(channel), engine, site)


@pytest.fixture
def web(suite: WebSuite) -> WebSuite:
    suite.engine.status, suite.engine.asked[:] = 200, []
    suite.engine.rows = [{"url": suite.site.url(path)} for path in SITE]
    return suite


def test_the_newest_news_is_answered_from_the_web_and_its_citation_opened(web: WebSuite) -> None:
    turn = web.ask("Where has the lander Harrow just landed?")
    assert turn.outcome == "OUTCOME_ANSWERED"
    passage_ids = [span.passage_id for citation in turn.citations for span in citation.references]
    assert "VERIFIED" in turn.verdicts
    assert all(passage_id.startswith("web:") for passage_id in passage_ids)
    passage = turn.references[passage_ids[0]].evidence.passage
    assert (passage.source, passage.url, passage.date[:10]) == ("web", web.site.url("/harrow"), "2026-11-19")
    cited_passage = web.corpus.GetPassage(corpus_pb2.GetPassageRequest(passage_id=passage_ids[0])).passage
    assert cited_passage == passage
    assert len(web.engine.asked) == 1
