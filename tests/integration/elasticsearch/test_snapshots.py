"""A collection's index that is restored from a snapshot follows the corpus, which may have more or less than it."""

import secrets
from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_document
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.elasticsearch.index import POSITION
from services.retrieve.search.engine_queries import query_terms
from tests.fakes.stored_documents import put
from tests.integration.elasticsearch.conftest import OpenEngines
from tests.integration.elasticsearch.process import ElasticsearchProcess


@pytest.fixture
def client(elasticsearch: ElasticsearchProcess) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch.url, request_timeout=60) as server_client:
        yield server_client


@pytest.fixture
def repository(elasticsearch: ElasticsearchProcess, client: Elasticsearch) -> str:
    name = f"index-{secrets.token_hex(4)}"
    place = {"location": str(elasticsearch.snapshots / name)}
    client.snapshot.create_repository(name=name, repository={"type": "fs", "settings": place})
    return name


def answering(corpus: Corpus, engines: Engines) -> set[str]:
    """The documents that are found by the word that all of them have."""
    hits = engines.of("default").lexical().search(dict(query_terms(("en",))("moon")), 100, Access())
    ids = corpus.read(lambda connection: passage_ids_of_keys(connection, hits.keys.tolist()))
    return {passage_id.partition("#")[0] for passage_id in ids.values()}


def memo(name: str) -> Document:
    return Document(name, f"What {name} wrote of the moon.", language="en")


def restore(client: Elasticsearch, repository: str, corpus: Corpus) -> None:
    client.indices.delete(index=index_of(corpus))
    client.snapshot.restore(repository=repository, snapshot="one", wait_for_completion=True)


def copy(client: Elasticsearch, repository: str, corpus: Corpus) -> None:
    client.snapshot.create(repository=repository, snapshot="one", indices=index_of(corpus), wait_for_completion=True)


def index_of(corpus: Corpus) -> str:
    return f"parley-{corpus.identity}-{corpus.collection('default')[0]}"


def test_one_that_is_behind_takes_in_what_it_lacks(
    corpus: Corpus, open_engines: OpenEngines, client: Elasticsearch, repository: str
) -> None:
    before = open_engines()
    put(corpus, memo("ann"))
    put(corpus, memo("bob"))
    assert answering(corpus, before) == {"ann", "bob"}
    copy(client, repository, corpus)
    put(corpus, memo("cid"))
    corpus.write(delete_document, "default", "bob").result()
    assert answering(corpus, before) == {"ann", "cid"}
    before.close()
    restore(client, repository, corpus)
    assert answering(corpus, open_engines()) == {"ann", "cid"}


def test_one_that_is_ahead_is_made_anew(
    corpus: Corpus, open_engines: OpenEngines, client: Elasticsearch, repository: str
) -> None:
    before = open_engines()
    put(corpus, memo("ann"))
    assert answering(corpus, before) == {"ann"}
    client.index(index=index_of(corpus), id=POSITION, document={"sequence": 1000})
    copy(client, repository, corpus)
    before.close()
    restore(client, repository, corpus)
    engines = open_engines()
    assert answering(corpus, engines) == {"ann"}
    put(corpus, memo("bob"))
    assert answering(corpus, engines) == {"ann", "bob"}
