"""What the stores must do over every storage. A test class inherits these and gives the fixture `open_storage`."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from gateway.store.event_log import EventLog
from gateway.store.recordings import RecordingStore
from gateway.store.stores import LASTING, PASSING, Stores, stores_over
from gateway.store.tables import Storage
from tests.conformance.event_log_behaviours import EventLogBehaviours, OpenLog
from tests.conformance.recording_behaviours import OpenRecordings, RecordingBehaviours
from tests.conformance.store_behaviours import OpenStores, StoreBehaviours
from tests.conformance.title_behaviours import TitleBehaviours

OpenStorage = Callable[[], AbstractAsyncContextManager[Storage]]
"""Opens the same storage, with all tables, once more, as another gateway would."""
TABLES = (*LASTING, *PASSING)


class StorageBehaviours(StoreBehaviours, TitleBehaviours, RecordingBehaviours, EventLogBehaviours):
    """The behaviours of all stores."""

    @pytest.fixture
    def open_stores(self, open_storage: OpenStorage) -> OpenStores:
        @asynccontextmanager
        async def opened(keep_seconds: float = 60.0) -> AsyncIterator[Stores]:
            async with open_storage() as storage:
                yield stores_over(storage, storage, keep_seconds)

        return opened

    @pytest.fixture
    def open_recordings(self, open_storage: OpenStorage) -> OpenRecordings:
        @asynccontextmanager
        async def opened(**bounds: float) -> AsyncIterator[RecordingStore]:
            async with open_storage() as storage:
                yield RecordingStore(storage, **bounds)  # type: ignore[arg-type]  # whole numbers are given as such

        return opened

    @pytest.fixture
    def open_log(self, open_storage: OpenStorage) -> OpenLog:
        @asynccontextmanager
        async def opened(max_bytes: int = 1 << 24) -> AsyncIterator[EventLog]:
            async with open_storage() as storage:
                yield EventLog(storage, max_bytes)

        return opened
