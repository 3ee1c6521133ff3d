"""What is Elasticsearch's own: its index, its position, its terms. What all engines do alike is in `conformance`."""

from dataclasses import replace
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from libs.language.analysis import terms_of
from libs.runtime.errors import Unavailable
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_collection
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.engines.collection import CollectionEngines, Engines
from services.retrieve.engines.elasticsearch.index import layout
from services.retrieve.engines.elasticsearch.requests import delete_lines, send
from services.retrieve.search.engine_queries import query_terms
from tests.fakes.stored_documents import put
from tests.integration.elasticsearch.conftest import OpenEngines
from tests.integration.elasticsearch.process import ROOT, ElasticsearchProcess

ANYBODY = Access()


@pytest.fixture
def client(elasticsearch: ElasticsearchProcess) -> Any:
    with Elasticsearch(elasticsearch.url) as server_client:
        yield server_client


def whole(name: str, text: str, **more: object) -> Document:
    return replace(Document(name, text, whole=True, language="en"), **more)  # type: ignore[arg-type]


def found(corpus: Corpus, engines: CollectionEngines, words: str, access: Access = ANYBODY) -> list[str]:
    index = engines.lexical()
    keys = index.search(dict(query_terms(("en",))(words)), 100, access).keys.tolist()
    ids_by_key = corpus.read(lambda connection: passage_ids_of_keys(connection, keys))
    return [ids_by_key[key] for key in keys]


def index_of(corpus: Corpus, collection: str = "default") -> str:
    return f"parley-{corpus.identity}-{corpus.collection(collection)[0]}"


def test_the_servers_terms_are_those_of_our_own_analyzer(corpus: Corpus, engines: Engines, client: Any) -> None:
    texts = [path.read_text() for path in sorted((ROOT / "samples" / "corpus").rglob("*.md"))]
    texts += ["U.S.-built, 3.14 and café’s naïve x_y ½ Ⅷ straße ﬁne O'Neill's e-mail", "İstanbul 東京 Москва ⑴"]
    engines.of("default").lexical()
    for text in texts:
        stems = terms_of(text, "en")
        cut = client.indices.analyze(index=index_of(corpus), field="body", text=" ".join(stems))
        assert [token["token"] for token in cut["tokens"]] == stems


def test_it_tells_in_how_many_passages_a_stem_occurs(corpus: Corpus, engines: Engines) -> None:
    put(corpus, whole("a", "moon rock, moon dust"))
    put(corpus, whole("b", "moon"))
    index = engines.of("default").lexical()
    assert index.document_frequencies(["moon", "rock", "never"], Access()) == {"moon": 2, "rock": 1, "never": 0}


def test_a_thousand_hits_come_with_no_text(corpus: Corpus, engines: Engines, client: Any) -> None:
    put(corpus, Document("long", "moon dust. " * 80_000))
    hits = engines.of("default").lexical().search({"moon": 1.0}, 1000, ANYBODY)
    assert len(set(hits.keys.tolist())) == 1000
    stored_source = client.search(index=index_of(corpus), query={"term": {"body": "moon"}}, size=1)["hits"]["hits"][0]
    assert stored_source["_source"] == {}


def test_an_index_that_was_set_back_follows_from_there(
    corpus: Corpus, engines: Engines, open_engines: OpenEngines, client: Any
) -> None:
    put(corpus, whole("a", "moon"))
    assert found(corpus, engines.of("default"), "moon") == ["a"]
    position = client.get(index=index_of(corpus), id="position")["_source"]
    put(corpus, whole("b", "moon rock"))
    key = engines.of("default").lexical().search({"rock": 1.0}, 1, ANYBODY).keys.tolist()
    client.delete(index=index_of(corpus), id=str(key[0]), refresh=True)
    client.index(index=index_of(corpus), id="position", document=position)
    assert set(found(corpus, open_engines().of("default"), "moon")) == {"a", "b"}


def test_an_index_that_knows_more_than_the_corpus_is_made_anew(
    corpus: Corpus, open_engines: OpenEngines, client: Any
) -> None:
    put(corpus, whole("a", "moon"))
    first = open_engines()
    first.of("default").lexical()
    ghost = {"key": 77, "document": 77, "body": "moon", "labels": ["public"]}
    client.index(index=index_of(corpus), id="77", document=ghost)
    client.index(index=index_of(corpus), id="position", document={"sequence": 10**6}, refresh=True)
    assert found(corpus, open_engines().of("default"), "moon") == ["a"]


def test_an_index_of_another_layout_is_made_anew(corpus: Corpus, open_engines: OpenEngines, client: Any) -> None:
    put(corpus, whole("a", "moon"))
    open_engines().of("default").lexical()
    client.indices.put_mapping(index=index_of(corpus), meta={"layout": "0"})
    assert found(corpus, open_engines().of("default"), "moon") == ["a"]
    assert client.indices.get_mapping(index=index_of(corpus))[index_of(corpus)]["mappings"]["_meta"][
        "layout"
    ] == layout("")


def test_a_write_never_makes_an_index_by_itself(corpus: Corpus, engines: Engines, client: Any) -> None:
    put(corpus, whole("a", "moon"))
    engines.of("default").lexical()
    client.indices.delete(index=index_of(corpus))
    put(corpus, whole("b", "moon"))
    with pytest.raises(Unavailable):
        engines.of("default").lexical()
    assert not client.indices.exists(index=index_of(corpus))


def test_many_passages_go_in_requests_of_bounded_size(corpus: Corpus, engines: Engines, client: Any) -> None:
    put(corpus, Document("long", "moon dust. " * 3000))
    index = engines.of("default").lexical()
    keys = index.search({"moon": 1.0}, 1000, ANYBODY).keys.tolist()
    sizes: list[int] = []
    server = index._server  # type: ignore[attr-defined]

    class Watching:
        def ask_patiently(self, request: Any) -> Any:
            def watched(client: Any) -> Any:
                answer = request(client)
                sizes.append(len(answer["items"]))
                return answer

            return server.ask_patiently(watched)

    send(Watching(), f"{index_of(corpus)}-written", map(delete_lines, keys), largest=100)  # type: ignore[arg-type]
    assert sum(sizes) == len(keys)
    assert max(sizes) <= 100 // len('{"delete":{"_id":"1"}}')


def test_collections_deleted_while_nobody_looked_are_swept_from_the_server(
    corpus: Corpus, open_engines: OpenEngines, client: Any
) -> None:
    put(corpus, whole("a", "moon"), "kept")
    put(corpus, whole("b", "moon"), "gone")
    before = open_engines()
    before.catch_up()
    deleted_index = index_of(corpus, "gone")
    assert client.indices.exists(index=deleted_index)
    corpus.write(delete_collection, "gone").result()
    open_engines().catch_up()
    assert not client.indices.exists(index=deleted_index)
    assert client.indices.exists(index=index_of(corpus, "kept"))
