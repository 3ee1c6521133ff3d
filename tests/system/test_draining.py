"""A whole suite under load: stopped in the middle of turns, and restarted."""

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from parley.client.evaluation.gateway import Gateway, Wish
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.fakes.scripted_llm import ScriptedLlm
from tests.hostile.chaos.world import SENTENCE, WRITTEN_BY_A_MODEL
from tests.system.door import ingest, parley
from tests.system.killable_gateways import STAGES
from tests.system.waiting import wait_for

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("draining")]

CALLERS = 8
QUESTION = "When did Phoenix land on Mars?"
NOTE = "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n"


def ask(suite: RunningSuite) -> list[str | None]:
    """The kinds of a turn's events."""
    with grpc.insecure_channel(suite.address) as channel:
        request = gateway_pb2.AskRequest(question=QUESTION, options=gateway_pb2.RequestOptions(pro=True))
        responses = gateway_pb2_grpc.GatewayServiceStub(channel).Ask(request, timeout=60)
        return [response.event.WhichOneof("event") for response in responses]


def ingest_note(suite: RunningSuite, folder: Path) -> None:
    (folder / "note.md").write_text(NOTE)
    ingest(suite.port, str(folder / "note.md"))


def test_a_suite_that_is_stopped_ends_all_its_turns_whole_and_exits_with_0(tmp_path: Path, llm: ScriptedLlm) -> None:
    for _ in range(CALLERS):
        llm.stream([f"{word} " for word in SENTENCE.split()], delay=0.5, when=lambda request: request.writes)
    with (
        running_suite(tmp_path / "data", WRITTEN_BY_A_MODEL | {"PARLEY_LLM_BASE_URL": llm.base_url}) as suite,
        ThreadPoolExecutor(CALLERS) as callers,
    ):
        ingest_note(suite, tmp_path)
        turns = [callers.submit(ask, suite) for _ in range(CALLERS)]
        wait_for(lambda: len(llm.requests) == CALLERS)
        suite.supervisor.send_signal(signal.SIGTERM)
        kinds = [turn.result() for turn in turns]
        assert suite.supervisor.wait(timeout=60) == 0
    assert [each[-1] for each in kinds] == ["completed"] * CALLERS
    assert not any("degraded" in each for each in kinds)


def test_a_rolling_restart_under_callers_of_two_gateways_fails_no_turn(tmp_path: Path) -> None:
    with running_suite(tmp_path / "data", gateways=2) as suite:
        ingest_note(suite, tmp_path)
        before = {name: process.pid for name, process in suite.processes().items()}
        assert set(before) == {"gateway", "gateway-2", *STAGES}
        outcomes: list[str] = []
        restarted = False

        def keep_asking() -> None:
            with Gateway(suite.addresses, patience=60.0).open() as gateway:  # the machine may be busy
                while not restarted:
                    outcomes.append(gateway.ask(Wish(QUESTION)).outcome)

        def is_restarted() -> bool:
            now = {name: process.pid for name, process in suite.processes().items()}
            return now.keys() == before.keys() and not set(now.values()) & set(before.values())

        with ThreadPoolExecutor(CALLERS) as callers:
            asking = [callers.submit(keep_asking) for _ in range(CALLERS)]
            wait_for(lambda: len(outcomes) >= CALLERS)
            suite.supervisor.send_signal(signal.SIGUSR1)
            try:
                wait_for(is_restarted, seconds=180.0)
                wait_for(lambda: parley(suite.port, "doctor").returncode == 0)
            finally:
                restarted = True
            for each in asking:
                each.result()
    assert set(outcomes) == {"ANSWERED"}
