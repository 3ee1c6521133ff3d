from pathlib import Path

import pytest

from gateway.store.sqlite import sqlite_store
from tests.fakes.store_behaviours import OpenStore, StoreBehaviours


class TestSqliteStore(StoreBehaviours):
    @pytest.fixture
    def open_store(self, tmp_path: Path) -> OpenStore:
        return lambda keep_seconds=60.0: sqlite_store(tmp_path / "sessions.db", keep_seconds)
