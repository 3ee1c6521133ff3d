"""Processes of this release and the previous one beside each other, as they are for the time of an upgrade."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.suite import ROOT
from gateway.names import STAGES
from parley.context.v1 import session_pb2
from parley.gateway.v1 import gateway_pb2
from tests.system.door import NOTES, Door, last, one, parley
from tests.system.upgrade.releases import Side, mixed_suite, secret_in

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("upgrade")]

SESSION = "upgraded"


def hold_conversation(door: Door) -> None:
    """A question, a follow-up and a timeline; nothing is left out."""
    landing = door.ask("When did Phoenix land on Mars?", SESSION)
    assert "25 May 2008" in last(landing, "text_end").text_end.text
    ice = door.ask("Did it find water ice?", SESSION)
    assert "Phoenix" in one(ice, "condensed").condensed.standalone
    history = door.ask("Tell me the course of events of the Cassini mission to Saturn.", SESSION, pro=True)
    assert len(one(history, "timeline").timeline.events) >= 5
    for events in (landing, ice, history):
        assert one(events, "completed").completed.outcome == session_pb2.OUTCOME_ANSWERED
        assert any(event.HasField("citation") for event in events)
        assert [event.degraded for event in events if event.HasField("degraded")] == []


@pytest.fixture(params=["gateway of the previous release", "stages of the previous release"])
def mixed(request: pytest.FixtureRequest, previous: Path, tmp_path: Path) -> Iterator[Door]:
    sides = Side(previous), Side()
    gateway, stages = sides if request.param.startswith("gateway") else sides[::-1]
    with mixed_suite(tmp_path / "data", gateway, stages) as suite, Door.of(suite) as door:
        ingested = parley(suite.port, "ingest", str(NOTES))
        assert ingested.returncode == 0, ingested.stdout + ingested.stderr
        yield door


def test_a_conversation_goes_as_in_a_suite_of_one_release(mixed: Door) -> None:
    hold_conversation(mixed)
    info = mixed.gateway.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=10)
    assert len(info.stages) == 1 + len(STAGES)
    assert all(stage.serving for stage in info.stages)


def test_gateways_may_have_the_secret_before_the_stages(tmp_path: Path) -> None:
    with (
        mixed_suite(tmp_path / "data", Side(settings=secret_in(tmp_path)), Side()) as suite,
        Door.of(suite) as door,
    ):
        assert parley(suite.port, "ingest", str(NOTES)).returncode == 0
        hold_conversation(door)


def test_the_contracts_only_grew(previous: Path) -> None:
    command = [str(Path(sys.executable).parent / "buf"), "breaking", "--against", str(previous)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
