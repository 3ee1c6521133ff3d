"""Turns over scripted stages and a real store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.settings import GatewaySettings
from gateway.store.event_log import EventLog
from gateway.store.sqlite import SqliteStore, sqlite_store
from gateway.store.sqlite_events import sqlite_event_log
from gateway.turns import Turns
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import turns_over


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with sqlite_store(tmp_path / "sessions.db", keep_seconds=60) as sqlite:
        yield sqlite


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[EventLog]:
    async with sqlite_event_log(tmp_path / "events.db", max_bytes=1 << 24) as sqlite:
        yield sqlite


@pytest.fixture
def stages() -> ScriptedStages:
    return ScriptedStages(results={"*": [evidence("a"), evidence("b", 0.5, rank=2)]})


@pytest.fixture
def turns(store: SqliteStore, log: EventLog, stages: ScriptedStages) -> Turns:
    return turns_over(store, log, stages, GatewaySettings(stage_seconds=1, timeline_seconds=0.2, search_ahead=False))
