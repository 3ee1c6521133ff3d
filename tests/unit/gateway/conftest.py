"""Turns over scripted stages, and stored sessions, over a real store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.access.guard import AccessGuard
from gateway.session.reference_access import PassageLookups
from gateway.session.retention import SessionRemoval
from gateway.session.servicer_sessions import SessionServicer
from gateway.settings import GatewaySettings
from gateway.store.event_log import EventLog
from gateway.store.stores import Stores, sqlite_stores
from gateway.turn.turns import Turns
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.stored_sessions import ScriptedCorpus, SessionCalls
from tests.unit.gateway.turning import turns_over


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    async with sqlite_stores(tmp_path / "sessions.db") as opened:
        yield opened


@pytest.fixture
def log(stores: Stores) -> EventLog:
    return stores.events


@pytest.fixture
def stages() -> ScriptedStages:
    return ScriptedStages(results={"*": [evidence("a"), evidence("b", 0.5, rank=2)]})


@pytest.fixture
def turns(stores: Stores, stages: ScriptedStages) -> Turns:
    return turns_over(stores, stages, GatewaySettings(stage_seconds=1, search_ahead=False))


@pytest.fixture
def corpus() -> ScriptedCorpus:
    return ScriptedCorpus()


@pytest.fixture
def call(stores: Stores, corpus: ScriptedCorpus) -> SessionCalls:
    lookups, removal = (
        PassageLookups(corpus, AccessGuard()),
        SessionRemoval(stores.sessions, (stores.retries, stores.recordings, stores.events)),
    )
    return SessionCalls(SessionServicer(stores.sessions, lookups, removal))
