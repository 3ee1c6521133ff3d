from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gateway.store.sqlite.stores import sqlite_stores
from gateway.store.stores import RecordingBounds, RecordingStore
from tests.conformance.recording_behaviours import OpenRecordings, RecordingBehaviours
from tests.conformance.store_behaviours import OpenStores, StoreBehaviours
from tests.conformance.title_behaviours import TitleBehaviours


class TestSqliteStores(StoreBehaviours, TitleBehaviours):
    @pytest.fixture
    def open_stores(self, tmp_path: Path) -> OpenStores:
        return lambda keep_seconds=60.0: sqlite_stores(tmp_path / "sessions.db", keep_seconds)


class TestSqliteRecordings(RecordingBehaviours):
    @pytest.fixture
    def open_recordings(self, tmp_path: Path) -> OpenRecordings:
        @asynccontextmanager
        async def opened(bounds: RecordingBounds | None = None) -> AsyncIterator[RecordingStore]:
            async with sqlite_stores(tmp_path / "sessions.db", 60, bounds) as stores:
                yield stores.recordings

        return opened
