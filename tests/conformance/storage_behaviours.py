"""What the stores do over every storage. A test class inherits these and gives the fixture `open_storage`."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest

from gateway.store.event_log import EventLog
from gateway.store.recordings import RecordingStore
from gateway.store.stores import LASTING, PASSING, Stores, stores_over
from gateway.store.tables import Storage
from tests.conformance.event_log_behaviours import EventLogBehaviours
from tests.conformance.recording_behaviours import RecordingBehaviours
from tests.conformance.store_behaviours import QUESTION, StoreBehaviours, addition, contents, new, stored, texts
from tests.conformance.title_behaviours import TitleBehaviours

OpenStorage = Callable[[], AbstractAsyncContextManager[Storage]]
"""Opens the same storage, with all tables, once more, as another gateway would."""
TABLES = (*LASTING, *PASSING)


class StorageBehaviours(StoreBehaviours, TitleBehaviours, RecordingBehaviours, EventLogBehaviours):
    """The behaviours of all stores; those whose names begin with `other` are another gateway's."""

    @pytest.fixture
    async def storage(self, open_storage: OpenStorage) -> AsyncIterator[Storage]:
        async with open_storage() as opened:
            yield opened

    @pytest.fixture
    async def other_storage(self, open_storage: OpenStorage) -> AsyncIterator[Storage]:
        async with open_storage() as opened:
            yield opened

    @pytest.fixture
    def stores(self, storage: Storage) -> Stores:
        return stores_over(storage, storage, 60)

    @pytest.fixture
    def other_stores(self, other_storage: Storage) -> Stores:
        return stores_over(other_storage, other_storage, 60)

    @pytest.fixture
    def log(self, stores: Stores) -> EventLog:
        return stores.events

    @pytest.fixture
    def other_log(self, other_stores: Stores) -> EventLog:
        return other_stores.events

    @pytest.fixture
    def store(self, stores: Stores) -> RecordingStore:
        return stores.recordings

    @pytest.fixture
    def other_store(self, other_stores: Stores) -> RecordingStore:
        return other_stores.recordings

    async def test_what_was_written_is_there_after_the_storage_was_closed(self, open_storage: OpenStorage) -> None:
        async with open_storage() as storage:
            stores = stores_over(storage, storage, 60)
            await stores.sessions.add(addition(new(), b"one", texts=(b"text",)))
            await stores.retries.put_question(QUESTION)
        async with open_storage() as storage:
            stores = stores_over(storage, storage, 60)
            assert await contents(stores.sessions) == [b"one"]
            assert await texts(stores.sessions, await stored(stores.sessions), b"text") == [b"text"]
            assert await stores.retries.question("q-1") == QUESTION
