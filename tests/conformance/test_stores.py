from pathlib import Path

import pytest

from gateway.row_codec import RowCodec
from gateway.store.sqlite import sqlite_stores
from tests.conformance.store_behaviours import OpenStores, StoreBehaviours


class TestSqliteStores(StoreBehaviours):
    @pytest.fixture
    def open_stores(self, tmp_path: Path) -> OpenStores:
        return lambda keep_seconds=60.0: sqlite_stores(tmp_path / "sessions.db", keep_seconds, RowCodec().read_older)
