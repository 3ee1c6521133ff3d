"""A whole suite under load: stopped in the middle of turns, and with stages that hang."""

import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from libs.runtime.status import error_from_rpc
from parley.client.evaluation.gateway import Gateway, Wish
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import parley
from tests.system.waiting import wait_for

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("draining")]

CALLERS = 8
STAGES = ("intent", "decompose", "retrieve", "answer", "timeline")
QUESTION = "When did Phoenix land on Mars?"
NOTE = "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n"
SENTENCE = "Phoenix landed on Mars on 25 May 2008. [1]"
WRITTEN_BY_A_MODEL = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_DECOMPOSE_ENGINE": "rules",
    "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules",
    "PARLEY_TIMELINE_ENGINE": "rules",
}
CLEAR_FAILURES = {"STAGE_UNAVAILABLE", "DEADLINE_EXCEEDED"}
MOST_SECONDS = 12.0


@dataclass(frozen=True)
class Ending:
    """How a turn ended."""

    seconds: float
    failure: str
    """The reason of its status; empty for a turn that was completed."""
    events: Sequence[event_pb2.Event] = ()

    @property
    def kinds(self) -> list[str | None]:
        return [event.WhichOneof("event") for event in self.events]

    @property
    def effects(self) -> list[str]:
        """What was degraded."""
        return [event.degraded.effect for event in self.events if event.HasField("degraded")]

    @property
    def is_whole(self) -> bool:
        return not self.failure and self.kinds[-1] == "completed"


def ask(suite: RunningSuite) -> Ending:
    start = time.monotonic()
    events: list[event_pb2.Event] = []
    with grpc.insecure_channel(suite.address) as channel:
        request = gateway_pb2.AskRequest(question=QUESTION, options=gateway_pb2.RequestOptions(pro=True))
        try:
            for response in gateway_pb2_grpc.GatewayServiceStub(channel).Ask(request, timeout=60):
                events.append(response.event)
        except grpc.RpcError as error:
            return Ending(time.monotonic() - start, error_from_rpc(error).reason, events)
    return Ending(time.monotonic() - start, "", events)


def ingest(suite: RunningSuite, folder: Path) -> None:
    (folder / "note.md").write_text(NOTE)
    process = parley(suite.port, "ingest", str(folder / "note.md"))
    assert process.returncode == 0, process.stderr


def is_writing(request: LlmRequest) -> bool:
    return request.writes


def test_a_suite_that_is_stopped_ends_all_its_turns_whole_and_exits_with_0(tmp_path: Path, llm: ScriptedLlm) -> None:
    for _ in range(CALLERS):
        llm.stream([f"{word} " for word in SENTENCE.split()], delay=0.5, when=is_writing)
    with (
        running_suite(tmp_path / "data", WRITTEN_BY_A_MODEL | {"PARLEY_LLM_BASE_URL": llm.base_url}) as suite,
        ThreadPoolExecutor(CALLERS) as callers,
    ):
        ingest(suite, tmp_path)
        turns = [callers.submit(ask, suite) for _ in range(CALLERS)]
        wait_for(lambda: len(llm.requests) == CALLERS)
        suite.supervisor.send_signal(signal.SIGTERM)
        endings = [turn.result() for turn in turns]
        assert suite.supervisor.wait(timeout=60) == 0
    log = (tmp_path / "data.up.log").read_text()
    assert [ending.failure for ending in endings] == [""] * CALLERS, log
    assert all(ending.is_whole for ending in endings)
    assert [effect for ending in endings for effect in ending.effects] == []


@pytest.fixture(scope="module")
def rules_suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    folder = tmp_path_factory.mktemp("hanging")
    with running_suite(folder / "data") as suite:
        ingest(suite, folder)
        yield suite


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_hangs_under_load_is_restarted_and_no_turn_waits_long(
    rules_suite: RunningSuite, stage: str
) -> None:
    endings: list[Ending] = []
    hung = rules_suite.processes()[stage]
    restarted = False

    def keep_asking() -> None:
        while not restarted:
            endings.append(ask(rules_suite))

    with ThreadPoolExecutor(4) as callers:
        asking: list[Future[None]] = [callers.submit(keep_asking) for _ in range(4)]
        wait_for(lambda: len(endings) >= 4)
        hung.suspend()
        wait_for(lambda: not hung.is_running())
        wait_for(lambda: parley(rules_suite.port, "doctor").returncode == 0)
        restarted = True
        for each in asking:
            each.result()
    assert max(ending.seconds for ending in endings) <= MOST_SECONDS
    assert {ending.failure for ending in endings} <= {"", *CLEAR_FAILURES}
    assert all(ending.is_whole for ending in endings if not ending.failure)
    wait_for(lambda: (ending := ask(rules_suite)).is_whole and not ending.effects, seconds=5.0)


def test_a_rolling_restart_under_callers_of_two_gateways_fails_no_turn(tmp_path: Path) -> None:
    with running_suite(tmp_path / "data", gateways=2) as suite:
        ingest(suite, tmp_path)
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
