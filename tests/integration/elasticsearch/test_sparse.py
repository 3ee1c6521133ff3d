"""Learned sparse vectors: by an inference endpoint where the cluster has it, said where it has not."""

from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch
from structlog.testing import capture_logs

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.engines.elasticsearch import requests
from services.retrieve.engines.protocols import LexicalEngine
from services.retrieve.search.engine_queries import query_terms
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from tests.fakes.stored_documents import put
from tests.integration.elasticsearch.conftest import OpenEngines
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import Proxy, proxy_to

ENDPOINT = "small-model"


@pytest.fixture
def proxy(elasticsearch: ElasticsearchProcess) -> Iterator[Proxy]:
    with proxy_to(elasticsearch.port) as new_proxy:
        new_proxy.endpoint = ENDPOINT
        yield new_proxy


@pytest.fixture(autouse=True)
def shelf(corpus: Corpus) -> None:
    put(corpus, Document("lunokhod", "The Soviet lunokhod drove over the regolith.", whole=True))
    put(corpus, Document("cassini", "Cassini circled Saturn.", whole=True))


def found(corpus: Corpus, engine: LexicalEngine, text: str) -> list[str]:
    terms = engine.expanded(text, dict(query_terms(("en",))(text)))
    keys = engine.search(terms, 10, Access()).keys.tolist()
    ids_by_key = corpus.read(lambda connection: passage_ids_of_keys(connection, keys))
    return [ids_by_key[key] for key in keys]


def test_a_passage_is_found_by_what_its_words_mean(corpus: Corpus, open_engines: OpenEngines, proxy: Proxy) -> None:
    plain = open_engines(url=proxy.url, prefix="plain").of("default").lexical()
    sparse_index = open_engines(url=proxy.url, prefix="learned", sparse_endpoint=ENDPOINT).of("default").lexical()
    assert found(corpus, plain, "which rover") == []
    assert found(corpus, sparse_index, "which rover") == ["lunokhod"]


def test_its_score_is_bm25_and_the_weighted_product_of_tokens(
    corpus: Corpus, open_engines: OpenEngines, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "SPARSE_WEIGHT", 0.25)
    engine = open_engines(url=proxy.url, sparse_endpoint=ENDPOINT).of("default").lexical()
    stems = dict(query_terms(("en",))("lunokhod rover"))
    by_words = engine.search(stems, 1, Access())
    both = engine.search(engine.expanded("lunokhod rover", stems), 1, Access())
    # The query weighs "vehicle" twice, the passage once.
    assert both.scores[0] - by_words.scores[0] == pytest.approx(0.25 * 2 * 1, rel=0.02)
    assert engine.scores(engine.expanded("lunokhod rover", stems), both.keys, Access()).tolist() == both.scores.tolist()


def test_every_passage_is_weighed_once_with_its_title(corpus: Corpus, open_engines: OpenEngines, proxy: Proxy) -> None:
    put(corpus, Document("titled", "It drove.", title="Rover", whole=True))
    engines = open_engines(url=proxy.url, sparse_endpoint=ENDPOINT)
    engines.of("default").lexical()
    engines.catch_up()
    assert sorted(proxy.weighed) == sorted(
        ["\nThe Soviet lunokhod drove over the regolith.", "\nCassini circled Saturn.", "Rover\nIt drove."]
    )


def test_a_cluster_without_the_endpoint_searches_by_words_and_says_so(
    corpus: Corpus, open_engines: OpenEngines, proxy: Proxy, elasticsearch: ElasticsearchProcess
) -> None:
    for url in (proxy.url, elasticsearch.url):  # one lacks this endpoint, one lacks inference altogether
        with capture_logs() as logs:
            engine = open_engines(url=url, sparse_endpoint="unknown").of("default").lexical()
            assert found(corpus, engine, "lunokhod rover") == ["lunokhod"]
        events = [line["event"] for line in logs]
        assert events == ["the cluster has no such inference endpoint: BM25 alone scores"]


async def test_a_model_that_does_not_answer_is_said_and_the_words_are_searched(
    corpus: Corpus, open_engines: OpenEngines, proxy: Proxy
) -> None:
    engines = open_engines(url=proxy.url, sparse_endpoint=ENDPOINT)
    engines.catch_up()
    proxy.model_answers = False
    retriever = Retriever(corpus, engines, None, RankingSettings())
    result, degraded = await search(retriever, WeightedQuery("lunokhod"), RetrieveOptions())
    assert [evidence.passage.document_id for evidence in result.evidence] == ["lunokhod"]
    assert "its learned model does not answer" in degraded[-1].effect


def test_an_index_is_made_anew_when_the_model_changes(corpus: Corpus, open_engines: OpenEngines, proxy: Proxy) -> None:
    open_engines(url=proxy.url).of("default").lexical()
    sparse_index = open_engines(url=proxy.url, sparse_endpoint=ENDPOINT).of("default").lexical()
    assert found(corpus, sparse_index, "rover") == ["lunokhod"]
    row, _ = corpus.collection("default")
    with Elasticsearch(proxy.url) as client:
        name = f"parley-{corpus.identity}-{row}"
        mapping = client.indices.get_mapping(index=name)[name]["mappings"]
    assert mapping["properties"]["sparse"] == {"type": "sparse_vector"}
