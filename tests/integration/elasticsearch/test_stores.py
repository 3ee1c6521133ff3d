"""The stores over Elasticsearch: what they do over every storage, and what is the server's own."""

import asyncio
from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from gateway.store.elastic.documents import mapping_of
from gateway.store.logged_turns import TURNS, Appended
from gateway.store.recordings import RecordingStore
from gateway.store.sessions import SESSIONS
from gateway.store.tables import Table
from libs.runtime.errors import Unavailable
from tests.conformance.event_log_behaviours import batch, lease, start
from tests.conformance.recording_behaviours import part
from tests.conformance.storage_behaviours import OpenStorage, StorageBehaviours
from tests.conformance.store_behaviours import addition, contents, new, stored
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import proxy_to
from tests.integration.elasticsearch.shared import SharedServer


@pytest.fixture
def client(elasticsearch: ElasticsearchProcess) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch.url) as opened:
        yield opened


@pytest.fixture
def open_storage(server: SharedServer) -> OpenStorage:
    return server.storage


class TestElasticsearch(StorageBehaviours):
    """See there."""


async def test_old_recordings_and_marks_leave_the_index(
    open_storage: OpenStorage, server: SharedServer, client: Elasticsearch
) -> None:
    async with open_storage() as storage:
        store = RecordingStore(storage, keep_seconds=0.001)
        await store.put(part("q-old", ago=1))
        await store.forget(["t"])
        await asyncio.sleep(0.01)
        await store.expire()
    client.indices.refresh(index=f"{server.prefix}-recordings")
    assert client.count(index=f"{server.prefix}-recordings")["count"] == 0


async def test_another_gateways_write_between_read_and_write_makes_this_one_lose(
    server: SharedServer, client: Elasticsearch
) -> None:
    async with server.stores() as stores:
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


async def test_a_server_that_is_down_is_unavailable_and_serves_again_when_it_is_back(
    elasticsearch: ElasticsearchProcess, server: SharedServer
) -> None:
    with proxy_to(elasticsearch.port) as proxy:
        async with server.stores(proxy.url) as stores:
            await stores.sessions.add(addition(new(), b"one"))
            await stores.events.begin(start(), lease())
            session = await stored(stores.sessions)
            proxy.down = True
            for write in (
                stores.sessions.add(addition(session, b"two")),
                stores.events.append("q-1", "one", batch(1)),
            ):
                with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
                    await write
        proxy.down = False
        async with server.stores(proxy.url) as stores:
            assert await contents(stores.sessions) == [b"one"]
            await stores.sessions.add(addition(await stored(stores.sessions), b"two"))
            assert await stores.events.append("q-1", "one", batch(1)) is Appended.LOGGED


@pytest.mark.parametrize("table", [SESSIONS, TURNS], ids=lambda table: table.name)
async def test_an_index_that_another_gateway_has_just_created_is_waited_for(
    server: SharedServer, client: Elasticsearch, table: Table
) -> None:
    index, place = f"{server.prefix}-{table.name}", "index.routing.allocation.require._name"
    client.indices.create(
        index=index, settings={place: "nowhere"}, mappings=mapping_of(table), wait_for_active_shards=0
    )
    async with server.stores() as stores:
        read = stores.sessions.session if table is SESSIONS else stores.events.turn
        reading = asyncio.create_task(read("s"))
        await asyncio.sleep(0.5)
        assert not reading.done(), "none of its shards has started"
        client.indices.put_settings(index=index, settings={place: None})
        assert await reading is None
