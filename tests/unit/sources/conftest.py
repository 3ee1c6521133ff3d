"""A retriever over a corpus and the web: one search engine and one site, both on this machine."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.retriever import Retriever
from services.retrieve.sources import pages, web_search
from services.retrieve.sources.search_engines import open_web
from services.retrieve.sources.web_search import WebSettings
from services.retrieve.sources.web_store import KeptPassages
from tests.fakes.search_host import SearchHost, search_host
from tests.fakes.stored_documents import ENCODER
from tests.fakes.web_host import WebHost, web_host
from tests.fakes.web_pages import PAGES, Web


@pytest.fixture(scope="module")
def host() -> Iterator[WebHost]:
    with web_host(PAGES) as running:
        yield running


@pytest.fixture
def engine() -> Iterator[SearchHost]:
    with search_host() as running:
        yield running
        running.wait_seconds = 0.0


@pytest.fixture
def patience() -> float:
    """Seconds that an engine, and a page, may take."""
    return 10.0


@pytest.fixture
def allow_loopback() -> bool:
    return True


@pytest.fixture
def settings(engine: SearchHost, patience: float, allow_loopback: bool, monkeypatch: pytest.MonkeyPatch) -> WebSettings:
    monkeypatch.setattr(web_search, "SEARCH_SECONDS", patience)
    monkeypatch.setattr(pages, "PAGE_SECONDS", patience)
    return WebSettings(searxng_url=engine.base_url, allow_loopback=allow_loopback, seconds=3 * patience)


@pytest.fixture
def with_embedder() -> bool:
    return True


@pytest.fixture
async def web(
    tmp_path: Path, settings: WebSettings, engine: SearchHost, host: WebHost, with_embedder: bool
) -> AsyncIterator[Web]:
    async with AsyncExitStack() as stack:
        corpus = stack.enter_context(Corpus.open(tmp_path))
        engines = Engines(corpus, tmp_path / "engines")
        stack.callback(engines.close)
        embedder = BatchingEmbedder(ENCODER) if with_embedder else None
        if embedder is not None:
            stack.callback(embedder.close)
        store = KeptPassages(tmp_path / "web.db", capacity=100, days=1)
        web_retriever = await open_web(settings, Preparation(language="en"), embedder, store, stack)
        retriever = Retriever(corpus, engines, embedder, RankingSettings(), web=web_retriever)
        yield Web(retriever, corpus, store, engine, host)
