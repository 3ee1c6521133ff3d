"""A corpus, and engines of which the full-text one is a real server's."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from libs.elastic.settings import ElasticsearchSettings
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.opening import EngineSettings, engine_makers
from services.retrieve.engines.settings import SearchElasticsearchSettings
from tests.fakes.stored_documents import embedder
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.shared import SharedServer

__all__ = ["embedder"]
OpenEngines = Callable[..., Engines]
PATIENT: Final = 30.0
"""So that a busy machine fails no test; those of a slow server set less."""


@pytest.fixture
def server(elasticsearch: ElasticsearchProcess) -> SharedServer:
    return SharedServer(elasticsearch.url, f"t{secrets.token_hex(4)}")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path) as new_corpus:
        yield new_corpus


@pytest.fixture
def open_engines(elasticsearch: ElasticsearchProcess, corpus: Corpus, tmp_path: Path) -> Iterator[OpenEngines]:
    """Opens engines over the corpus as a process would at its start; takes settings of Elasticsearch."""
    with ExitStack() as stack:

        def open_them(url: str = elasticsearch.url, sparse_endpoint: str = "", **settings: Any) -> Engines:
            search = SearchElasticsearchSettings(url=url, sparse_endpoint=sparse_endpoint)
            server_settings = ElasticsearchSettings(**{"seconds": PATIENT, **settings})
            makers = stack.enter_context(engine_makers(EngineSettings(search, server_settings)))
            makers = replace(makers, lexical_patience=server_settings.seconds)
            engines = Engines(corpus, tmp_path / "engines", makers)
            stack.callback(engines.close)
            return engines

        yield open_them


@pytest.fixture
def engines(open_engines: OpenEngines) -> Engines:
    return open_engines()
