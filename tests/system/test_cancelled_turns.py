"""Two hundred turns cancelled at random moments: nothing goes on behind them, and their sessions are whole."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bench.cancelling import NOTE, PACE, SETTINGS, cancel_turns, written
from bench.suite import RunningSuite, running_suite
from parley.context.v1 import session_pb2
from parley.gateway.v1 import session_pb2 as service_pb2
from parley.gateway.v1 import session_pb2_grpc
from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.door import ingest
from tests.system.waiting import wait_for

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600), pytest.mark.xdist_group("cancelled_turns")]
TURNS = 200


@pytest.fixture
def suite(tmp_path: Path, llm: ScriptedLlm) -> Iterator[RunningSuite]:
    (tmp_path / "phoenix.md").write_text(NOTE, encoding="utf-8")
    llm.answer_with(written, delay=PACE)
    with running_suite(tmp_path / "data", SETTINGS | {"PARLEY_LLM_BASE_URL": llm.base_url}) as running:
        ingest(running.port, str(tmp_path / "phoenix.md"))
        yield running


def test_cancelled_turns_leave_nothing_behind(suite: RunningSuite, llm: ScriptedLlm, tmp_path: Path) -> None:
    cancels = cancel_turns(suite, llm, TURNS)
    assert len(cancels.turns) == TURNS
    assert cancels.stream_milliseconds, "no answer of the model was cancelled"
    wait_for(lambda: len(llm.ended) == len(llm.requests), seconds=10)
    wait_for(lambda: states(tmp_path) <= {"CANCELLED", "COMPLETED"}, seconds=10)
    assert {turn.state for turn in cancels.turns if turn.by_rpc} <= {"CANCELLED", "COMPLETED"}
    assert "CANCELLED" in states(tmp_path)
    with grpc.insecure_channel(suite.address) as channel:
        sessions = session_pb2_grpc.SessionServiceStub(channel)
        for turn in cancels.turns:
            stored = stored_turns(sessions, turn.mark)
            assert [each.outcome for each in stored] in (
                [],
                [session_pb2.OUTCOME_CANCELLED],
                [session_pb2.OUTCOME_ANSWERED],
            ), turn.mark
            assert all(each.answer for each in stored), turn.mark


def stored_turns(sessions: session_pb2_grpc.SessionServiceStub, session_id: str) -> list[service_pb2.TurnSummary]:
    """Those of a session; none if no answer was shown before its only turn was cancelled."""
    try:
        return list(sessions.ListTurns(service_pb2.ListTurnsRequest(session_id=session_id), timeout=30).turns)
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        return []


def states(folder: Path) -> set[str]:
    """Those of all turns in the event log."""
    with sqlite3.connect(folder / "data" / "events.db") as connection:
        return {state for (state,) in connection.execute("SELECT state FROM events")}
