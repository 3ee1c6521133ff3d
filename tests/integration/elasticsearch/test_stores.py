"""The gateway's store in Elasticsearch: what every store does, and what is its own."""

import asyncio
import base64
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import ClassVar

import pytest
from elasticsearch import Elasticsearch

from gateway.session.row_codec import RowCodec
from gateway.settings import SharedStoreSettings
from gateway.store.elasticsearch import elasticsearch_stores
from gateway.store.elasticsearch_documents import GIVEN_TITLE
from gateway.store.elasticsearch_indices import FIELDS
from gateway.store.recordings import RecordingBounds, RecordingStore
from gateway.store.retries import StoredQuestion
from gateway.store.stores import Stores
from gateway.store.turn_documents import MAPPINGS
from libs.runtime.errors import Conflict, Unavailable
from tests.conformance.recording_behaviours import OpenRecordings, RecordingBehaviours, part
from tests.conformance.store_behaviours import OpenStores, StoreBehaviours, addition, contents, new, stored
from tests.conformance.title_behaviours import TitleBehaviours
from tests.fakes.older_sessions import ASKED, UPDATED, older_content, older_session
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import proxy_to


@pytest.fixture
def settings(elasticsearch: ElasticsearchProcess) -> SharedStoreSettings:
    return SharedStoreSettings(url=elasticsearch.url, prefix=f"t{secrets.token_hex(4)}", seconds=30.0)


@pytest.fixture
def client(elasticsearch: ElasticsearchProcess) -> Iterator[Elasticsearch]:
    with Elasticsearch(elasticsearch.url) as opened:
        yield opened


def opened(settings: SharedStoreSettings, keep_seconds: float = 60.0) -> AbstractAsyncContextManager[Stores]:
    return elasticsearch_stores(settings, keep_seconds, RowCodec().read_older)


@asynccontextmanager
async def opened_recordings(
    settings: SharedStoreSettings, bounds: RecordingBounds | None = None
) -> AsyncIterator[RecordingStore]:
    async with elasticsearch_stores(settings, 60, RowCodec().read_older, bounds) as stores:
        yield stores.recordings


class TestElasticsearchStores(StoreBehaviours, TitleBehaviours):
    @pytest.fixture
    def open_stores(self, settings: SharedStoreSettings) -> OpenStores:
        return lambda keep_seconds=60.0: opened(settings, keep_seconds)


class TestElasticsearchRecordings(RecordingBehaviours):
    @pytest.fixture
    def open_recordings(self, settings: SharedStoreSettings) -> OpenRecordings:
        return lambda bounds=None: opened_recordings(settings, bounds)


async def test_old_recordings_and_marks_leave_the_index(settings: SharedStoreSettings, client: Elasticsearch) -> None:
    async with opened_recordings(settings, RecordingBounds(seconds=0.001)) as store:
        await store.put(part("q-old", ago=1))
        await store.forget(["t"])
        await asyncio.sleep(0.01)
        await store.expire()
    client.indices.refresh(index=f"{settings.prefix}-recordings")
    assert client.count(index=f"{settings.prefix}-recordings")["count"] == 0


async def test_another_gateways_write_between_read_and_write_makes_this_one_lose(
    settings: SharedStoreSettings, client: Elasticsearch
) -> None:
    async with opened(settings) as stores:
        await stores.sessions.add(addition(new(), b"one"))
        index = f"{settings.prefix}-sessions"
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


async def test_old_questions_are_deleted_when_new_ones_come(
    settings: SharedStoreSettings, client: Elasticsearch
) -> None:
    async with opened(settings, keep_seconds=0.001) as stores:
        await stores.retries.put_question(StoredQuestion("q-old", "", "mark", b"pending"))
    async with opened(settings, keep_seconds=0.001) as stores:
        await stores.retries.put_question(StoredQuestion("q-new", "", "mark", b"pending"))
    assert not client.exists(index=f"{settings.prefix}-questions", id="q-old")


async def test_a_server_that_is_down_is_unavailable_and_serves_again_when_it_is_back(
    elasticsearch: ElasticsearchProcess, settings: SharedStoreSettings
) -> None:
    with proxy_to(elasticsearch.port) as proxy:
        behind = settings.model_copy(update={"url": proxy.url})
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


class TestAnIndexOfAnOlderVersion:
    """In it a session was one document that held the whole conversation."""

    MAPPINGS: ClassVar = {
        "dynamic": "strict",
        "properties": {
            "version": {"type": "long", "index": False, "doc_values": False},
            "content": {"type": "binary"},
            "events": {"type": "binary"},
            "question": {"type": "keyword", "index": False, "doc_values": False},
            "retry_key": {"type": "keyword", "index": False, "doc_values": False},
            "fingerprint": {"type": "keyword", "index": False, "doc_values": False},
            "created": {"type": "date", "format": "epoch_millis"},
        },
    }
    LONG = older_session("long", 40, "ann")

    @pytest.fixture(autouse=True)
    def older(self, settings: SharedStoreSettings, client: Elasticsearch) -> None:
        for kind in ("sessions", "questions", "answers"):
            client.indices.create(index=f"{settings.prefix}-{kind}", mappings=self.MAPPINGS)
        for context in (self.LONG, older_session("short", 1)):
            document = {
                "content": base64.b64encode(older_content(context)).decode(),
                "version": len(context.turns),
                "created": int(UPDATED.timestamp() * 1000),
            }
            client.index(index=f"{settings.prefix}-sessions", id=context.session_id, document=document)

    async def test_is_brought_up_to_date_when_a_session_is_first_read(self, settings: SharedStoreSettings) -> None:
        async with opened(settings) as stores:
            session = await stored(stores.sessions, "long")
            assert (session.version, session.principals, session.first_question) == (40, ("ann",), "Question 0?")
            assert (session.created, session.updated) == (ASKED, UPDATED)
            rows = await stores.sessions.turns(session, 1, 40)
            texts = await stores.sessions.texts([digest for row in rows for digest in row.digests])
            assert tuple(RowCodec().unpack(row, texts) for row in rows) == self.LONG.turns
            await stores.sessions.add(addition(session, b"next"))
            assert (await stored(stores.sessions, "long")).version == 41

    async def test_is_brought_up_to_date_in_the_background(self, settings: SharedStoreSettings) -> None:
        async with opened(settings) as stores:
            assert [await stores.sessions.upgrade(1) for _ in range(3)] == [1, 1, 0]
            (session,) = await stores.sessions.sessions(("ann",), 10)
            assert session.session_id == "long"

    async def test_keeps_its_ids_taken(self, settings: SharedStoreSettings) -> None:
        async with opened(settings) as stores:
            with pytest.raises(Conflict):
                await stores.sessions.add(addition(new("long"), b"one"))
            assert (await stored(stores.sessions, "long")).version == 40


async def test_sessions_that_could_not_have_a_title_get_one(
    settings: SharedStoreSettings, client: Elasticsearch
) -> None:
    index = f"{settings.prefix}-sessions"
    fields = {name: field for name, field in FIELDS["sessions"].items() if name != GIVEN_TITLE}
    client.indices.create(index=index, mappings={"dynamic": "strict", "properties": fields})
    async with opened(settings) as stores:
        await stores.sessions.add(addition(new(), b"one"))
        older = {name: value for name, value in client.get(index=index, id="s")["_source"].items() if name in fields}
        client.index(index=index, id="s", document=older)
        session = await stored(stores.sessions)
        assert (session.first_question, session.title) == ("About s", "")
        assert await stores.sessions.rename(session, "Named")
        await stores.sessions.add(addition(session, b"two"))
        assert (await stored(stores.sessions)).title == "Named"


@pytest.mark.parametrize("kind", ["sessions", "events"])
async def test_an_index_that_another_gateway_has_just_created_is_waited_for(
    settings: SharedStoreSettings, client: Elasticsearch, kind: str
) -> None:
    index, place = f"{settings.prefix}-{kind}", "index.routing.allocation.require._name"
    mappings = MAPPINGS if kind == "events" else {"dynamic": "strict"}
    client.indices.create(index=index, settings={place: "nowhere"}, mappings=mappings, wait_for_active_shards=0)
    async with opened(settings) as stores:
        read = stores.sessions.session if kind == "sessions" else stores.events.turn
        reading = asyncio.create_task(read("s"))
        await asyncio.sleep(0.5)
        assert not reading.done(), "none of its shards has started"
        client.indices.put_settings(index=index, settings={place: None})
        assert await reading is None
