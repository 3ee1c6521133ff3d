"""A suite with grants and an audit log, for all tests of access."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import session_pb2
from tests.system.access.callers import ALICE, Suite, write_grants


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the suite's grants and audit log are."""
    return tmp_path_factory.mktemp("access")


@pytest.fixture(scope="session")
def running(folder: Path) -> Iterator[RunningSuite]:
    settings = {
        "PARLEY_ACCESS_GRANTS": str(write_grants(folder)),
        "PARLEY_AUDIT_FILE": str(folder / "audit.jsonl"),
    }
    with running_suite(folder / "data", settings, processes=1) as suite:
        yield suite


@pytest.fixture(scope="session")
def suite(running: RunningSuite) -> Iterator[Suite]:
    with Suite.of(running) as stubs:
        stubs.restore_documents()
        stubs.restore_turn()
        export = session_pb2.ExportSessionRequest(session_id=stubs.session)
        stubs.context = stubs.sessions.ExportSession(export, metadata=ALICE).context
        yield stubs
