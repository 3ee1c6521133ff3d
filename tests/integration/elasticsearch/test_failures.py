"""The server is killed, hangs, or is not there: nothing acknowledged is lost, and what could not be asked is said."""

import asyncio
import random
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from libs.runtime.errors import Unavailable
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from services.retrieve.stage import open_stage
from tests.fakes.stored_documents import put
from tests.integration.elasticsearch.conftest import OpenEngines
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import Proxy, proxy_to

HASTY = 0.5
LEFT_OUT = "The full-text engine failed: the results are those of the other engine."


@pytest.fixture
def proxy(elasticsearch: ElasticsearchProcess) -> Iterator[Proxy]:
    with proxy_to(elasticsearch.port) as new_proxy:
        yield new_proxy


def document(number: int, **more: object) -> Document:
    return Document(f"d{number}", f"moon probe {number}", whole=True, **more)  # type: ignore[arg-type]


def in_the_index(corpus: Corpus, engines: Engines) -> set[str]:
    """The passages that the server finds for a word that is in all of them."""
    keys = engines.of("default").lexical().search({"moon": 1.0}, 10_000, Access()).keys.tolist()
    return set(corpus.read(lambda connection: passage_ids_of_keys(connection, keys)).values())


async def asked(retriever: Retriever, **options: object) -> tuple[list[str], list[str]]:
    """The documents found, and what was left out."""
    retrieve_options = RetrieveOptions(**options)  # type: ignore[arg-type]
    result, degraded = await search(retriever, WeightedQuery("moon probe 1"), retrieve_options)
    return [evidence.passage.document_id for evidence in result.evidence], [each.effect for each in degraded]


async def until_all_take_part(retriever: Retriever) -> None:
    """Ask until nothing is left out."""
    async with asyncio.timeout(60):
        while (await asked(retriever))[1]:  # noqa: ASYNC110 - there is no event: a server recovers when it does
            await asyncio.sleep(0.2)


def until_it_is_caught_up(engines: Engines) -> None:
    """Catch up until no server fails."""
    for _ in range(300):
        with suppress(Unavailable):
            return engines.catch_up()
        time.sleep(0.2)
    raise AssertionError("the server never took part again")


def recovered(engines: Engines, corpus: Corpus) -> set[str]:
    """What is found once the server is asked again."""
    until_it_is_caught_up(engines)
    return in_the_index(corpus, engines)


def test_kills_in_the_middle_of_following_lose_nothing(
    elasticsearch: ElasticsearchProcess, corpus: Corpus, engines: Engines
) -> None:
    chance = random.Random(5)
    document_count = 0
    for _ in range(2):
        killing = threading.Timer(chance.uniform(0.1, 0.8), elasticsearch.kill)
        killing.start()
        while killing.is_alive():
            put(corpus, document(document_count))
            document_count += 1
            if document_count % 10 == 0 and document_count > 40:
                corpus.write(delete_document, "default", f"d{document_count - 40}").result()
            with suppress(Unavailable):
                in_the_index(corpus, engines)
        killing.join()
        elasticsearch.start()
    present = corpus.read(lambda connection: connection.execute("SELECT document_id FROM documents").fetchall())
    assert recovered(engines, corpus) == {name for (name,) in present}


async def test_a_server_that_hangs_is_waited_for_only_so_long_and_only_once(
    corpus: Corpus, open_engines: OpenEngines, embedder: BatchingEmbedder, proxy: Proxy
) -> None:
    put(corpus, document(1))
    slow = open_engines(url=proxy.url, seconds=HASTY)
    retriever = Retriever(corpus, slow, embedder, RankingSettings())
    await until_all_take_part(retriever)
    proxy.open.clear()
    for _ in range(20):  # all of them while the door is shut
        assert await asked(retriever) == (["d1"], [LEFT_OUT])
    document_count = 0
    while proxy.held.acquire(blocking=False):
        document_count += 1
    assert document_count < 20
    proxy.open.set()
    await until_all_take_part(retriever)


async def test_the_stage_starts_while_the_server_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxy: Proxy
) -> None:
    with Corpus.open(tmp_path / "data") as corpus:
        put(corpus, document(1))
    monkeypatch.setenv("PARLEY_RETRIEVE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PARLEY_RETRIEVE_EMBEDDER", "none")
    monkeypatch.setenv("PARLEY_RETRIEVE_ELASTICSEARCH_URL", proxy.url)
    proxy.down = True
    async with open_stage() as stage:
        assert stage.warm_up is not None
        await stage.warm_up()
    engine = {capability.task: capability.engine for capability in stage.capabilities}["search by words"]
    assert engine == "elasticsearch"


async def test_a_permission_taken_away_while_it_was_down_is_not_found_when_it_is_back(
    corpus: Corpus, open_engines: OpenEngines, embedder: BatchingEmbedder, proxy: Proxy
) -> None:
    put(corpus, document(1, principals=("ann", "bob")))
    retriever = Retriever(corpus, open_engines(url=proxy.url), embedder, RankingSettings())
    assert await asked(retriever, principals=("bob",)) == (["d1"], [])
    proxy.down = True
    put(corpus, document(1, principals=("ann",)))
    assert await asked(retriever, principals=("bob",)) == ([], [LEFT_OUT])
    proxy.down = False
    await until_all_take_part(retriever)
    assert await asked(retriever, principals=("bob",)) == ([], [])


def test_one_collections_failure_does_not_stop_the_others(
    corpus: Corpus, open_engines: OpenEngines, proxy: Proxy
) -> None:
    put(corpus, document(1), "broken")
    put(corpus, document(2), "whole")
    engines = open_engines()
    row, _ = corpus.collection("broken")
    with Elasticsearch(proxy.url) as client:
        name = f"parley-{corpus.identity}-{row}"
        engines.of("broken").lexical()
        client.indices.put_settings(index=name, settings={"index.blocks.write": True})
        put(corpus, document(3), "broken")
        put(corpus, document(4), "whole")
        with pytest.raises(Unavailable):
            engines.catch_up()
        document_count = client.count(
            index=f"parley-{corpus.identity}-{corpus.collection('whole')[0]}", query={"exists": {"field": "key"}}
        )
    assert document_count["count"] == 2
