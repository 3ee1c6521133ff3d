import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gateway.recording.bounds import RecordingBounds
from gateway.recording.sqlite import sqlite_recordings
from gateway.store.sqlite import sqlite_store
from tests.fakes.recording_behaviours import OpenRecordings, RecordingBehaviours, part


class TestSqliteRecordings(RecordingBehaviours):
    @pytest.fixture
    def open_recordings(self, tmp_path: Path) -> OpenRecordings:
        file = tmp_path / "sessions.db"
        return lambda seconds=600.0, most_bytes=1 << 24: sqlite_recordings(file, RecordingBounds(seconds, most_bytes))


async def test_old_recordings_leave_the_file_with_the_next_one(tmp_path: Path) -> None:
    file = tmp_path / "sessions.db"
    async with sqlite_recordings(file, RecordingBounds(60, 1 << 20)) as store:
        await store.put(part("q-old", ago=59.95))
        await store.put(part("q-older", ago=61))
        await store.put(part("q-new"))
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT turn_id FROM recordings ORDER BY turn_id").fetchall()
    assert ("q-older",) not in rows
    assert ("q-new",) in rows


async def test_recordings_and_conversations_share_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sessions.db"
    async with sqlite_store(file, 60), sqlite_recordings(file, RecordingBounds(60, 1 << 20)) as recordings:
        await recordings.put(part())
        assert await recordings.parts("q-1") != ()
