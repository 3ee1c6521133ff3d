"""The gateway's store in Elasticsearch: what every store does, and what is its own."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

import pytest
from elasticsearch import Elasticsearch

from gateway.store.elastic.turn_documents import FIELDS
from gateway.store.stores import RecordingBounds, RecordingStore, StoredQuestion, Stores
from libs.runtime.errors import Unavailable
from tests.conformance.recording_behaviours import OpenRecordings, RecordingBehaviours, part
from tests.conformance.store_behaviours import OpenStores, StoreBehaviours, addition, contents, new, stored
from tests.conformance.title_behaviours import TitleBehaviours
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import proxy_to
from tests.integration.elasticsearch.shared import SharedServer


@pytest.fixture
def client(elasticsearch: ElasticsearchProcess) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch.url) as opened:
        yield opened


def opened(server: SharedServer, keep_seconds: float = 60.0) -> AbstractAsyncContextManager[Stores]:
    return server.stores(keep_seconds)


@asynccontextmanager
async def opened_recordings(
    server: SharedServer, bounds: RecordingBounds | None = None
) -> AsyncIterator[RecordingStore]:
    async with server.stores(bounds=bounds) as stores:
        yield stores.recordings


class TestElasticsearchStores(StoreBehaviours, TitleBehaviours):
    @pytest.fixture
    def open_stores(self, server: SharedServer) -> OpenStores:
        return lambda keep_seconds=60.0: opened(server, keep_seconds)


class TestElasticsearchRecordings(RecordingBehaviours):
    @pytest.fixture
    def open_recordings(self, server: SharedServer) -> OpenRecordings:
        return lambda bounds=None: opened_recordings(server, bounds)


async def test_old_recordings_and_marks_leave_the_index(server: SharedServer, client: Elasticsearch) -> None:
    async with opened_recordings(server, RecordingBounds(seconds=0.001)) as store:
        await store.put(part("q-old", ago=1))
        await store.forget(["t"])
        await asyncio.sleep(0.01)
        await store.expire()
    client.indices.refresh(index=f"{server.prefix}-recordings")
    assert client.count(index=f"{server.prefix}-recordings")["count"] == 0


async def test_another_gateways_write_between_read_and_write_makes_this_one_lose(
    server: SharedServer, client: Elasticsearch
) -> None:
    async with opened(server) as stores:
        await stores.sessions.add(addition(new(), b"one"))
        index = f"{server.prefix}-sessions"
        read = client.get(index=index, id="s")
        await stores.sessions.add(addition(await stored(stores.sessions), b"two"))
        refused = client.options(ignore_status=409).index(
            index=index,
            id="s",
            document=read["_source"],
            if_seq_no=read["_seq_no"],
            if_primary_term=read["_primary_term"],
        )
        assert refused.meta.status == 409
        assert await contents(stores.sessions) == [b"one", b"two"]


async def test_old_questions_are_deleted_when_new_ones_come(server: SharedServer, client: Elasticsearch) -> None:
    async with opened(server, keep_seconds=0.001) as stores:
        await stores.retries.put_question(StoredQuestion("q-old", "", "mark", b"pending"))
    async with opened(server, keep_seconds=0.001) as stores:
        await stores.retries.put_question(StoredQuestion("q-new", "", "mark", b"pending"))
    assert not client.exists(index=f"{server.prefix}-questions", id="q-old")


async def test_a_server_that_is_down_is_unavailable_and_serves_again_when_it_is_back(
    elasticsearch: ElasticsearchProcess, server: SharedServer
) -> None:
    with proxy_to(elasticsearch.port) as proxy:
        behind = replace(server, url=proxy.url)
        async with opened(behind) as stores:
            await stores.sessions.add(addition(new(), b"one"))
            session = await stored(stores.sessions)
            proxy.down = True
            with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
                await stores.sessions.add(addition(session, b"two"))
        proxy.down = False
        async with opened(behind) as stores:
            assert await contents(stores.sessions) == [b"one"]
            await stores.sessions.add(addition(await stored(stores.sessions), b"two"))


@pytest.mark.parametrize("kind", ["sessions", "events"])
async def test_an_index_that_another_gateway_has_just_created_is_waited_for(
    server: SharedServer, client: Elasticsearch, kind: str
) -> None:
    index, place = f"{server.prefix}-{kind}", "index.routing.allocation.require._name"
    mappings = {"dynamic": "strict", "properties": FIELDS if kind == "events" else {}}
    client.indices.create(index=index, settings={place: "nowhere"}, mappings=mappings, wait_for_active_shards=0)
    async with opened(server) as stores:
        read = stores.sessions.session if kind == "sessions" else stores.events.turn
        reading = asyncio.create_task(read("s"))
        await asyncio.sleep(0.5)
        assert not reading.done(), "none of its shards has started"
        client.indices.put_settings(index=index, settings={place: None})
        assert await reading is None
