"""Turns over scripted stages, and stored sessions, over a real store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.session.context_codec import SessionCodec
from gateway.session.retention import SessionRemoval
from gateway.session.row_codec import RowCodec
from gateway.session.session_transfer import SessionTransfer
from gateway.session.sessions import Sessions
from gateway.settings import GatewaySettings
from gateway.store.event_log import EventLog
from gateway.store.stores import Stores, sqlite_stores
from gateway.turn.turns import Turns
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.stored_sessions import ScriptedLookups
from tests.unit.gateway.turning import turns_over


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    async with sqlite_stores(tmp_path / "sessions.db", 60) as opened:
        yield opened


@pytest.fixture
def log(stores: Stores) -> EventLog:
    return stores.events


@pytest.fixture
def stages() -> ScriptedStages:
    return ScriptedStages(results={"*": [evidence("a"), evidence("b", 0.5, rank=2)]})


@pytest.fixture
def turns(stores: Stores, stages: ScriptedStages) -> Turns:
    return turns_over(stores, stages, GatewaySettings(stage_seconds=1, timeline_seconds=1.0, search_ahead=False))


@pytest.fixture
def lookups() -> ScriptedLookups:
    return ScriptedLookups()


@pytest.fixture
def sessions(stores: Stores, lookups: ScriptedLookups) -> Sessions:
    removal = SessionRemoval(stores.sessions, stores.session_data)
    return Sessions(stores.sessions, RowCodec(), lookups, removal)


@pytest.fixture
def transfer(sessions: Sessions) -> SessionTransfer:
    return SessionTransfer(sessions, SessionCodec())
