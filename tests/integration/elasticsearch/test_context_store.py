"""The gateway's store in Elasticsearch: what every store does, and what is its own."""

import secrets
from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from gateway.settings import SharedStoreSettings
from gateway.store.contexts import StoredContext, StoredQuestion
from gateway.store.elasticsearch import elasticsearch_store
from libs.runtime.errors import Unavailable
from tests.fakes.store_behaviours import OpenStore, StoreBehaviours
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import proxy_to


@pytest.fixture
def settings(elasticsearch: ElasticsearchProcess) -> SharedStoreSettings:
    return SharedStoreSettings(url=elasticsearch.url, prefix=f"t{secrets.token_hex(4)}", seconds=30.0)


@pytest.fixture
def client(elasticsearch: ElasticsearchProcess) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch.url) as server_client:
        yield server_client


class TestElasticsearchStore(StoreBehaviours):
    @pytest.fixture
    def open_store(self, settings: SharedStoreSettings) -> OpenStore:
        return lambda keep_seconds=60.0: elasticsearch_store(settings, keep_seconds)


async def test_another_gateways_write_between_read_and_write_makes_this_one_lose(
    settings: SharedStoreSettings, client: Elasticsearch
) -> None:
    async with elasticsearch_store(settings, 60) as store:
        await store.save("s", b"one", 1)
        index = f"{settings.prefix}-sessions"
        document = client.get(index=index, id="s")
        await store.save("s", b"two", 2)
        response = client.options(ignore_status=409).index(
            index=index,
            id="s",
            document=document["_source"],
            if_seq_no=document["_seq_no"],
            if_primary_term=document["_primary_term"],
        )
        assert response.meta.status == 409
        assert await store.load("s") == StoredContext(b"two", 2)


async def test_old_questions_are_deleted_when_new_ones_come(
    settings: SharedStoreSettings, client: Elasticsearch
) -> None:
    async with elasticsearch_store(settings, keep_seconds=0.001) as store:
        await store.put_question(StoredQuestion("q-old", "", "mark", b"pending"))
    client.indices.refresh(index=f"{settings.prefix}-questions")
    async with elasticsearch_store(settings, keep_seconds=0.001) as store:
        await store.put_question(StoredQuestion("q-new", "", "mark", b"pending"))
    assert not client.exists(index=f"{settings.prefix}-questions", id="q-old")


async def test_a_server_that_is_down_is_unavailable_and_serves_again_when_it_is_back(
    elasticsearch: ElasticsearchProcess, settings: SharedStoreSettings
) -> None:
    with proxy_to(elasticsearch.port) as proxy:
        behind = settings.model_copy(update={"url": proxy.url})
        async with elasticsearch_store(behind, 60) as store:
            await store.save("s", b"one", 1)
            proxy.down = True
            with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
                await store.save("s", b"two", 2)
        proxy.down = False
        async with elasticsearch_store(behind, 60) as store:
            assert await store.load("s") == StoredContext(b"one", 1)
            await store.save("s", b"two", 2)
